#include "bench/model/repetition.hpp"

#include <algorithm>

#include "bench/model/statistics.hpp"

namespace roofline {

KernelPoint repetition(const KernelPoint& whole, int first, int n) {
  auto part = whole;
  std::erase_if(part.samples, [&](const Sample& sample) { return sample.round < first || sample.round >= first + n; });
  for (auto& sample : part.samples) sample.round -= first;
  for (auto& probe : part.probes) {
    const auto rounds = static_cast<std::ptrdiff_t>(probe.rates.size());
    const auto begin = std::min<std::ptrdiff_t>(first, rounds), end = std::min<std::ptrdiff_t>(first + n, rounds);
    probe.rates = {probe.rates.begin() + begin, probe.rates.begin() + end};
    if (probe.samples.empty()) continue;
    probe.samples = {probe.samples.begin() + begin, probe.samples.begin() + end};
  }
  part.time = median_interval(part.seconds_of_rounds());
  return part;
}

}  // namespace roofline
