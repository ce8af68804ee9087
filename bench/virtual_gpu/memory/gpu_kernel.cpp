#include "bench/virtual_gpu/memory/gpu_kernel.hpp"

#include <functional>

#include "bench/virtual_gpu/program/numbers.hpp"

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
      if (step.ended) {
        ended[warp] = true;
        --left;
      }
    }
  return sum;
}

WarpCounts exact_counts(const GpuKernel& kernel, double affordable) {
  const auto block = kernel.count(kernel.blocks / 2, 1);
  if (static_cast<double>(block.instructions) * static_cast<double>(kernel.blocks) <= affordable)
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

WarpCounts& WarpCounts::operator+=(const WarpCounts& other) { return *this = each_number(*this, other, std::plus<>()); }

WarpCounts repeated(const WarpCounts& part, std::uint64_t times) {
  return each_number(part, part, [=](std::uint64_t once, std::uint64_t) { return once * times; });
}

}  // namespace roofline
