// SPDX-License-Identifier: MIT
#include "bench/any_program/count/caches.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace roofline::any_program {

Caches::Caches(const std::vector<CacheLevel>& levels, bool sampled) {
  if (levels.empty()) return;
  if (!sampled) {
    parts_.emplace_back(levels);
    return;
  }
  auto part = levels;
  for (auto& level : part) {
    const auto sets = level.size / std::max(1u, level.ways * level.line);
    if (level.line != line) throw std::invalid_argument("a sample needs lines of 64 bytes");
    if (sets < 2 * strata)
      throw std::invalid_argument(
          fmt::format("{} cache: {} sets; a sample needs {}", name(level.level), sets, 2 * strata));
    level.size = sets / (2 * strata) * 2 * level.ways * level.line;
  }
  for (unsigned sample = 0; sample < samples; ++sample) parts_.emplace_back(part);
}

Traffic Caches::traffic(MemoryLevel level) const {
  if (level == MemoryLevel::L1) return {static_cast<double>(loaded_), static_cast<double>(stored_)};
  Traffic sum;
  for (const auto& part : parts_) {
    const auto its = part.traffic(level);
    sum.read += its.read, sum.written += its.written;
  }
  const double scale = are_sampled() ? strata / samples : 1;
  return {scale * sum.read, scale * sum.written + (level == MemoryLevel::DRAM ? streamed() : 0)};
}

double Caches::overwritten() const {
  double sum = 0;
  for (const auto& part : parts_) sum += static_cast<double>(part.overwritten());
  return are_sampled() ? strata / samples * sum : sum;
}

double Caches::paired() const {
  double sum = 0;
  for (const auto& part : parts_) sum += static_cast<double>(part.paired());
  return are_sampled() ? strata / samples * sum : sum;
}

Caches::OfSamples Caches::of_samples(MemoryLevel level) const {
  OfSamples all{};
  if (!are_sampled()) return all;
  for (std::size_t i = 0; i < samples; ++i)
    all[i] = strata * (level == MemoryLevel::L1 ? static_cast<double>(seen_[i]) : parts_[i].traffic(level).total());
  return all;
}

}  // namespace roofline::any_program
