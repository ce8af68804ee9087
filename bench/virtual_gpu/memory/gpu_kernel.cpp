#include "bench/virtual_gpu/memory/gpu_kernel.hpp"

namespace roofline {

std::uint64_t lines_of(const GpuKernel& kernel, Index block) {
  const auto feed = kernel.feed();
  feed->begin(0, block);
  std::uint64_t sum = 0;
  std::vector<bool> ended(kernel.warps());
  for (unsigned left = kernel.warps(); left > 0;)
    for (unsigned warp = 0; warp < kernel.warps(); ++warp) {
      if (ended[warp]) continue;
      const auto step = feed->step(0, warp);
      sum += step.lines.size();
      if (step.ended) ended[warp] = true, --left;
    }
  return sum;
}

WarpCounts exact_counts(const GpuKernel& kernel) {
  constexpr double affordable_instructions = 3e7;  // of warps
  const auto block = kernel.count(kernel.blocks / 2, 1);
  if (static_cast<double>(block.instructions) * static_cast<double>(kernel.blocks) <= affordable_instructions)
    return kernel.count(0, kernel.blocks);
  for (const Index period : kernel.periods) {
    const Index periods = kernel.blocks / period;
    if (kernel.blocks % period != 0 || periods < 4) continue;
    const auto counts = kernel.count(0, period);
    const auto same = [&](Index number) { return kernel.count(number * period, period) == counts; };
    if (same(periods / 3) && same(periods / 2) && same(periods - 1))
      return repeated(counts, static_cast<std::uint64_t>(periods));
  }
  return kernel.count(0, kernel.blocks);
}

WarpCounts& WarpCounts::operator+=(const WarpCounts& other) {
  operations += other.operations;
  reciprocals += other.reciprocals;
  instructions += other.instructions;
  lanes += other.lanes;
  for (std::size_t kind = 0; kind < requests.size(); ++kind) {
    requests[kind].requests += other.requests[kind].requests;
    requests[kind].sectors += other.requests[kind].sectors;
    requests[kind].lanes += other.requests[kind].lanes;
  }
  return *this;
}

WarpCounts repeated(const WarpCounts& part, std::uint64_t times) {
  WarpCounts result = part;
  auto& operations = result.operations;
  for (auto* const field : {&operations.add, &operations.mul, &operations.fma, &operations.div, &operations.sqrt,
                            &operations.logic, &result.reciprocals, &result.instructions, &result.lanes})
    *field *= times;
  for (auto& of : result.requests) of.requests *= times, of.sectors *= times, of.lanes *= times;
  return result;
}

}  // namespace roofline
