#include "bench/model/repetition.hpp"

#include <algorithm>

#include "bench/model/statistics.hpp"

namespace roofline {

Interval time_of(const std::vector<Sample>& samples) {
  std::vector<double> all, of_round, medians;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    all.push_back(samples[i].seconds);
    of_round.push_back(samples[i].seconds);
    if (i + 1 < samples.size() && samples[i + 1].round == samples[i].round) continue;
    medians.push_back(median(of_round));
    of_round.clear();
  }
  auto time = median_interval(medians);
  time.median = median(all);
  time.low = std::min(time.low, time.median);
  time.high = std::max(time.high, time.median);
  return time;
}

KernelPoint repetition(const KernelPoint& whole, int first, int n) {
  auto part = whole;
  std::erase_if(part.samples, [&](const Sample& sample) { return sample.round < first || sample.round >= first + n; });
  for (auto& sample : part.samples) sample.round -= first;
  for (auto& probe : part.probes) {
    const auto rounds = static_cast<std::ptrdiff_t>(probe.rates.size());
    const auto begin = std::min<std::ptrdiff_t>(first, rounds), end = std::min<std::ptrdiff_t>(first + n, rounds);
    probe.rates = {probe.rates.begin() + begin, probe.rates.begin() + end};
  }
  part.time = time_of(part.samples);
  return part;
}

}  // namespace roofline
