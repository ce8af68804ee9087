#include "bench/run/placement.hpp"

#include <algorithm>

#include "bench/machine/core_distance.hpp"
#include "bench/model/core_distance.hpp"

namespace roofline {
namespace {

constexpr double longest_stretch = 0.5;  // s: after a longer pause a look says nothing of what was before it
constexpr double first_look = 1e-3;      // s, which the first one counts for

}  // namespace

double Placement::look() {
  if (!distance_) return 0;
  const double distance = distance_();
  note(distance, Clock::now());
  return distance;
}

void Placement::note(double distance, Clock::time_point when) {
  if (distance <= 0) return;
  const double since = last_ ? std::chrono::duration<double>(when - *last_).count() : first_look;
  last_ = when;
  const double seconds = std::clamp(since, 0.0, longest_stretch);
  for (auto& place : places_) {
    if (!same_distance(place.distance, distance)) continue;
    // Of a place the mean, by time: a single look may lie at its edge.
    place.distance += (distance - place.distance) * seconds / (place.seconds + seconds);
    place.seconds += seconds;
    return;
  }
  places_.push_back({distance, seconds});
}

const Placement::Place* Placement::most(const Place* other_than) const {
  const Place* best = nullptr;
  for (const auto& place : places_)
    if (&place != other_than && (!best || place.seconds > best->seconds)) best = &place;
  return best;
}

double Placement::home() const {
  const auto* const place = most(nullptr);
  return place ? place->distance : 0;
}

bool Placement::at_home(double distance) const { return may_be_same_distance(distance, home()); }

std::optional<CoreDistances> Placement::summary() const {
  const auto* const place = most(nullptr);
  if (!place) return std::nullopt;
  CoreDistances result{.home = place->distance};
  double all = 0;
  for (const auto& other : places_) all += other.seconds;
  if (const auto* const other = most(place)) result.away = other->distance;
  result.share_away = all > 0 ? 1 - place->seconds / all : 0;
  return result;
}

Placement placement_of(const Machine& machine, int threads) {
  if (threads < 2 || !cores_may_move(machine)) return Placement();
  return Placement([threads] { return core_distance(threads); });
}

}  // namespace roofline
