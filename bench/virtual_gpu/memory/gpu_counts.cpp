#include "bench/virtual_gpu/memory/gpu_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/virtual_gpu/memory/gpu_model.hpp"

namespace roofline {
namespace {

/// The precision that the kernel computes in. A division in FP64 leaves an FP32 instruction or two behind.
std::optional<Operations> counted_operations(const HardwareCounts& counted) {
  if (counted.fp64 && (counted.fp64->flops() > 0 || !counted.fp32)) return counted.fp64;
  return counted.fp32;
}

/// `kinds` in proportion, with `flops` FLOPs.
Operations scaled_to(std::uint64_t flops, const Operations& kinds) {
  const double scale = static_cast<double>(flops) / static_cast<double>(kinds.flops());
  const auto part = [&](std::uint64_t n) {
    return static_cast<std::uint64_t>(std::llround(scale * static_cast<double>(n)));
  };
  Operations result{.mul = part(kinds.mul), .fma = std::min(part(kinds.fma), flops / 2)};
  result.mul = std::min(result.mul, flops - 2 * result.fma);
  result.add = flops - 2 * result.fma - result.mul;
  return result;
}

/// Replaces the counted divisions by nvcc's expansion (7 FMAs, a multiplication and an FP32 FMA each) if this gives the
/// declared FLOPs. Other kernels expand their divisions in other ways.
std::optional<Operations> with_divisions(std::uint64_t flops, const HardwareCounts& counted) {
  constexpr std::uint64_t fmas = 7, muls = 1, flops_each = 2 * fmas + muls;
  if (!counted.fp64 || !counted.fp32) return std::nullopt;
  auto kinds = *counted.fp64;
  const auto divisions = counted.fp32->fma;
  if (kinds.fma < fmas * divisions || kinds.mul < muls * divisions ||
      kinds.flops() - (flops_each - 1) * divisions != flops)
    return std::nullopt;
  kinds.fma -= fmas * divisions;
  kinds.mul -= muls * divisions;
  kinds.div = divisions;
  return kinds;
}

void set_operations(Counts& counts, std::uint64_t flops, const std::optional<HardwareCounts>& counted,
                    const std::function<std::optional<Counts>()>& of_the_code) {
  counts.operations_source = Source::analytic;
  const auto executed = counted ? counted_operations(*counted) : std::nullopt;
  if (executed && executed->flops() > 0) {
    const auto exact = with_divisions(flops, *counted);
    counts.operations = exact ? *exact : scaled_to(flops, *executed);
    if (executed->flops() != flops) counts.executed = executed;
  } else if (const auto code = flops > 0 ? of_the_code() : std::nullopt; code && code->operations.flops() > 0) {
    const auto compiled = code->executed.value_or(code->operations);
    counts.operations = code->operations.flops() == flops ? code->operations : scaled_to(flops, compiled);
    if (compiled != counts.operations) counts.executed = compiled;
    counts.details["flops_of_the_code"] = static_cast<double>(compiled.flops());
  } else {
    counts.operations = {.add = flops % 2, .fma = flops / 2};
    counts.kinds_known = flops == 0;
  }
}

}  // namespace

Counts gpu_counts(const std::string& row, const Workload& work, const std::optional<HardwareCounts>& counted,
                  CounterSource* modelled, const std::string& counter) {
  std::optional<Counts> answer;
  bool asked = false;
  const auto ask = [&]() -> const std::optional<Counts>& {
    if (!asked && modelled) answer = modelled->count(row, work);
    asked = true;
    return answer;
  };
  Counts counts;
  set_operations(counts, work.declared_flops, counted, [&]() -> std::optional<Counts> {
    if (!modelled) return std::nullopt;
    if (!counted && ask()) return answer;
    return modelled->operations(row, work);
  });
  counts.traffic_source = counted ? Source::hardware : Source::modelled;
  if (counted) {
    counts.at(MemoryLevel::L1) = counted->l1;
    counts.at(MemoryLevel::L2) = counted->l2;
    counts.at(MemoryLevel::DRAM) = counted->dram;
    // Read and write of these are not told apart; a kernel that does not use them is not bounded by them.
    if (counted->shared.value_or(0) > 0) counts.at(MemoryLevel::shared) = Traffic{*counted->shared, 0};
    if (counted->sysmem.value_or(0) > 0) counts.at(MemoryLevel::sysmem) = Traffic{*counted->sysmem, 0};
    counts.details.merge(counted->details());
    counts.traffic_note = counter;
  }
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::DRAM}) {
    if (counts.at(level) || !ask() || !answer->at(level)) continue;
    counts.at(level) = answer->at(level);
    counts.range[static_cast<std::size_t>(level)] = answer->range[static_cast<std::size_t>(level)];
    counts.modelled_device = answer->modelled_device;
    if (!counted) continue;
    counts.modelled_levels.push_back(level);
    counts.traffic_note += fmt::format(", {} {}", name(level), answer->traffic_note);
  }
  if (answer)
    for (const char* const figure : profile_figures)
      if (const auto known = answer->details.find(figure); known != answer->details.end())
        counts.details.insert(*known);
  if (!counted && answer) counts.traffic_note = answer->traffic_note;
  return counts;
}

std::string flops_complaint(std::uint64_t declared_flops, const HardwareCounts& counted) {
  const auto operations = counted_operations(counted);
  if (!operations) return {};
  const double ratio = static_cast<double>(operations->flops()) / static_cast<double>(declared_flops);
  // A compiler may share results of neighbouring cells: 2.9 % of GSRB's tuned mapping. Wrong ones are found elsewhere.
  if (declared_flops == 0 || ratio >= 0.97) return {};
  return fmt::format("{} FLOPs counted, {} declared ({:+.1f} %): work was skipped or the formula is wrong",
                     operations->flops(), declared_flops, 100 * (ratio - 1));
}

}  // namespace roofline
