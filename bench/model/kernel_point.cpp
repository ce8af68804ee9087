#include "bench/model/kernel_point.hpp"

#include <algorithm>

namespace roofline {

std::vector<double> KernelPoint::seconds_of_rounds() const {
  std::vector<std::vector<double>> of(static_cast<std::size_t>(rounds()));
  for (const auto& sample : samples) of.at(static_cast<std::size_t>(sample.round)).push_back(sample.seconds);
  std::vector<double> medians;
  for (auto& seconds : of) medians.push_back(seconds.empty() ? 0 : median(seconds));
  return medians;
}

double KernelPoint::least_seconds() const {
  double least = samples.empty() ? time.median : samples.front().seconds;
  for (const auto& sample : samples) least = std::min(least, sample.seconds);
  return least;
}

}  // namespace roofline
