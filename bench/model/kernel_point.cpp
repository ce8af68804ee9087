#include "bench/model/kernel_point.hpp"

#include <algorithm>

namespace roofline {

std::vector<double> KernelPoint::best_of_rounds() const {
  std::vector<double> best(static_cast<std::size_t>(rounds()), 0);
  for (const auto& sample : samples) {
    auto& least = best.at(static_cast<std::size_t>(sample.round));
    least = least == 0 ? sample.seconds : std::min(least, sample.seconds);
  }
  return best;
}

double KernelPoint::least_seconds() const {
  double least = samples.empty() ? time.median : samples.front().seconds;
  for (const auto& sample : samples) least = std::min(least, sample.seconds);
  return least;
}

}  // namespace roofline
