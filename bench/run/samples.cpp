#include "bench/run/samples.hpp"

#include <algorithm>

namespace roofline {

void Samples::add(const Sample& sample, const Disturbance& disturbance) {
  const auto grade = !disturbance.own.empty() ? robbed : !disturbance.machine.empty() ? busy : quiet;
  all_.emplace_back(sample, grade);
  ++count_[grade];
}

Samples::Chosen Samples::chosen(int least, bool only_good) const {
  // From the worst grade that is needed to make up the least number, as many as are needed.
  int room[] = {size(), size(), size()};
  if (only_good) {
    room[busy] = std::max(0, least - count_[quiet]);
    room[robbed] = std::max(0, least - count_[quiet] - count_[busy]);
  }
  Chosen result;
  int disturbed = 0;
  for (const auto& [sample, grade] : all_) {
    if (room[grade]-- <= 0) continue;
    result.samples.push_back(sample);
    disturbed += grade != quiet;
  }
  if (!result.samples.empty())
    result.disturbed_share = static_cast<double>(disturbed) / static_cast<double>(result.samples.size());
  return result;
}

}  // namespace roofline
