#include "bench/sampling/launch_sample.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

constexpr double most_launches = 1e7;
constexpr double fills_caches_itself = 20e-3;
// On a Zen 3, 8 MB that memory had driven out of L3 came at 35 % of the last rate in the second launch, and at 95 % of
// it after 2 to 14 ms. Nobody drives them out between the samples of a row and its roofs.
constexpr double fills_shared_cache = 10e-3, stays_in_shared_cache = 0.1;

/// Launches that bring the data of a launch back to where they lie.
int launches_to_fill(const Sampled& launch) {
  if (launch.source == DataSource::memory || launch.seconds >= fills_caches_itself) return 0;
  const bool is_there = launch.source == DataSource::own_cache || seconds_since(launch.last) < stays_in_shared_cache;
  return is_there ? 1 : launch.launches_for(fills_shared_cache);
}

}  // namespace

int Sampled::launches_for(double seconds_of_all) const {
  return static_cast<int>(std::clamp(std::round(seconds_of_all / std::max(seconds, 1e-9)), 1.0, most_launches));
}

Sampled sampled(Timer time, double seconds) {
  double one = time(1);
  if (one < seconds) one = std::min(one, time(1));
  // A launch of microseconds is known by many.
  int batch = 1;
  while (one * batch < seconds / 4 && batch < most_launches / 8) {
    batch = static_cast<int>(std::clamp(std::ceil(seconds / 4 / std::max(one, 1e-9)), 2.0 * batch, 8.0 * batch));
    one = std::min(one, time(batch) / batch);
  }
  Sampled launch{.time = std::move(time), .seconds = one};
  launch.batch = launch.launches_for(seconds);
  return launch;
}

double sample(Sampled& launch, int launches) {
  if (const int untimed = launches_to_fill(launch)) launch.time(untimed);
  launch.seconds = launch.time(launches) / launches;
  launch.last = Clock::now();
  return launch.seconds;
}

double sample(Sampled& launch) { return sample(launch, launch.batch); }

}  // namespace roofline
