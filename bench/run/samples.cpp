#include "bench/run/samples.hpp"

#include <algorithm>

#include "bench/model/core_distance.hpp"

namespace roofline {
namespace {

bool at(const Samples::Sample& sample, double distance) {
  return !sample.moved && may_be_same_distance(sample.distance, distance);
}

}  // namespace

void Samples::add(const Sample& sample, const Disturbance& disturbance) {
  const auto grade = !disturbance.own.empty() ? robbed : !disturbance.machine.empty() ? busy : quiet;
  all_.emplace_back(sample, grade);
}

int Samples::undisturbed(double home) const {
  return static_cast<int>(std::count_if(all_.begin(), all_.end(), [&](const Graded& graded) {
    return graded.second == quiet && at(graded.first, home);
  }));
}

std::vector<const Samples::Graded*> Samples::near(double distance) const {
  std::vector<const Graded*> found;
  for (const auto& graded : all_)
    if (at(graded.first, distance)) found.push_back(&graded);
  return found;
}

std::vector<const Samples::Graded*> Samples::place(int least, double home) const {
  auto best = near(home);
  if (static_cast<int>(best.size()) >= least) return best;
  double tried = home;
  for (const auto& [sample, grade] : all_) {
    if (sample.moved || same_distance(sample.distance, tried)) continue;
    if (auto others = near(sample.distance); others.size() > best.size()) best = std::move(others);
    tried = sample.distance;
  }
  if (best.empty())
    for (const auto& graded : all_) best.push_back(&graded);  // they moved during each of them
  return best;
}

Samples::Chosen Samples::chosen(int least, bool only_good, double home) const {
  auto kept = place(least, home);
  if (only_good) {
    const auto good = std::count_if(kept.begin(), kept.end(), [](const auto* c) { return c->second == quiet; });
    const auto rank = [](const Graded* c) { return std::pair(c->second, c->second == robbed ? lost(c->first) : 0); };
    std::stable_sort(kept.begin(), kept.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
    kept.resize(std::min(kept.size(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(least, good))));
  }
  std::sort(kept.begin(), kept.end());  // as they were taken: all of them lie in one vector
  Chosen result;
  int disturbed = 0;
  for (const auto* const graded : kept) {
    result.samples.push_back(graded->first);
    disturbed += graded->second != quiet;
  }
  if (!result.samples.empty())
    result.disturbed_share = static_cast<double>(disturbed) / static_cast<double>(result.samples.size());
  return result;
}

}  // namespace roofline
