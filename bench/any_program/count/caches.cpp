// SPDX-License-Identifier: MIT
#include "bench/any_program/count/caches.hpp"

namespace roofline::any_program {

Caches::Caches(const std::vector<CacheLevel>& levels, bool sampled) {
  if (levels.empty()) return;
  last_bytes_ = static_cast<double>(levels.back().size);
  if (!sampled) {
    parts_.emplace_back(levels);
    return;
  }
  auto part = levels;
  for (auto& level : part) {
    const auto sets = level.size / std::max(1u, level.ways * level.line);
    level.size = sets / (2 * strata) * 2 * level.ways * level.line;
  }
  for (unsigned sample = 0; sample < samples; ++sample) parts_.emplace_back(part);
}

Traffic Caches::traffic(MemoryLevel level) const {
  return {of_all([&](const auto& part) { return part.traffic(level).read; }),
          of_all([&](const auto& part) { return part.traffic(level).written; })};
}

double Caches::overwritten() const {
  return of_all([](const auto& part) { return part.overwritten(); });
}

double Caches::paired() const {
  return of_all([](const auto& part) { return part.paired(); });
}

Caches::OfSamples Caches::of_samples(MemoryLevel level) const {
  OfSamples all{};
  if (!are_sampled()) return all;
  for (std::size_t i = 0; i < samples; ++i)
    all[i] = strata * (level == MemoryLevel::L1 ? static_cast<double>(seen_[i]) : parts_[i].traffic(level).total());
  return all;
}

}  // namespace roofline::any_program
