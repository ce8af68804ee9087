#include "bench/simulator/exact_counts.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/simulator/coroutine_feed.hpp"

namespace roofline {
namespace {

WarpCounts times(const WarpCounts& counts, std::uint64_t n) {
  WarpCounts result = counts;
  for (auto* const field :
       {&result.operations.add, &result.operations.mul, &result.operations.fma, &result.operations.div,
        &result.operations.sqrt, &result.operations.logic, &result.reciprocals, &result.instructions, &result.lanes})
    *field *= n;
  for (auto& of : result.requests) of.requests *= n, of.sectors *= n, of.lanes *= n;
  return result;
}

/// Counts of a launch from two periods in its middle, which must agree.
WarpCounts scaled_counts(const GpuKernel& kernel, Index first, Index period) {
  const auto counts = record_blocks(kernel, first, period);
  if (kernel.blocks % period != 0 || counts != record_blocks(kernel, first + period, period))
    throw std::logic_error(fmt::format("{}: blocks do not repeat after {}", kernel.name, period));
  return times(counts, static_cast<std::uint64_t>(kernel.blocks / period));
}

/// Counts of a compiled kernel: all of its blocks are executed, or, where that is too much, periods at its beginning,
/// in its middle and at its end, which must agree.
WarpCounts executed_counts(const GpuKernel& kernel) {
  constexpr double affordable_instructions = 1e8;  // of warps
  const auto block = kernel.count(kernel.blocks / 2, 1);
  if (static_cast<double>(block.instructions) * static_cast<double>(kernel.blocks) <= affordable_instructions)
    return kernel.count(0, kernel.blocks);
  for (const Index period : kernel.periods) {
    const Index periods = kernel.blocks / period;
    if (kernel.blocks % period != 0 || periods < 4) continue;
    const auto counts = kernel.count(0, period);
    const auto same = [&](Index number) { return kernel.count(number * period, period) == counts; };
    if (same(periods / 3) && same(periods / 2) && same(periods - 1))
      return times(counts, static_cast<std::uint64_t>(periods));
  }
  return kernel.count(0, kernel.blocks);
}

}  // namespace

WarpCounts exact_counts(const GpuKernel& kernel, const Sampling& sampling) {
  if (kernel.count) return executed_counts(kernel);
  if (sampling.windows == 0) return record_blocks(kernel, 0, kernel.blocks);
  return scaled_counts(kernel, kernel.blocks / 2 / sampling.period * sampling.period, sampling.period);
}

}  // namespace roofline
