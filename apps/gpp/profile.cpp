#include "apps/gpp/profile.hpp"

#include <fmt/format.h>

namespace roofline::gpp {
namespace {

// V100, FMA, nw = 1..6: the public hierarchical data file behind the NERSC talk, per inner iteration.
constexpr std::array<double, max_nw> published_flops{45, 82.5, 120, 157.5, 193, 230};
constexpr std::array<double, max_nw> published_l1{52, 53, 54, 55, 56, 57};
constexpr std::array<double, max_nw> published_l2{20.0, 24.67, 36.97, 41.82, 44.3, 44.38};
constexpr double published_hbm = 17.408;

Operations expanded(const WarpCounts& counts, const Device& device) {
  Operations result = counts.operations;
  const auto& r = device.reciprocal;
  result.add += r.add * counts.reciprocals;
  result.mul += r.mul * counts.reciprocals;
  result.fma += r.fma * counts.reciprocals;
  result.div -= counts.reciprocals;
  return result;
}

Span per_iteration(const GpuCounts& counts, MemoryLevel level, const GpuProblem& problem) {
  const auto bytes = *counts.counts().range[static_cast<std::size_t>(level)];
  const auto iterations = static_cast<double>(problem.iterations());
  return {bytes.low / iterations, bytes.high / iterations};
}

}  // namespace

std::shared_ptr<const GpuProblem> published_problem() { return std::make_shared<const GpuProblem>(512, 32768, 20); }

std::vector<ComparisonRow> compare_counts(const GpuModel& model, std::shared_ptr<const GpuProblem> problem, int nw) {
  const auto block = record_block(gpu_kernel<true>(problem, nw), problem->number_bands + 1);
  const auto executed = expanded(block, model.device());
  const auto per_iteration = [&](std::uint64_t count) {
    const double value = static_cast<double>(count) / static_cast<double>(problem->ncouls);
    return Span{value, value};
  };
  const auto at = static_cast<std::size_t>(nw - 1);
  // Beside the loop a block reads one sector; the published figures have 2 to 4 more than whole bytes per iteration.
  const auto in_loop = (block.of(Access::global_load).sectors - 1) * sector_bytes;
  std::vector<ComparisonRow> rows{
      {fmt::format("nw {}: FLOP", nw), published_flops[at], per_iteration(executed.flops()),
       "8 + 37 nw: canonical 8 + 28 nw, each reciprocal 10 instead of 1; the compiled codes differ at nw 2 to 4"},
      {fmt::format("nw {}: L1 B", nw), published_l1[at], per_iteration(in_loop),
       "three 16 B loads per lane and 3 + nw broadcast sectors per warp"}};
  if (nw == max_nw) {
    rows.push_back({"nw 6: DADD", 6, per_iteration(executed.add), "counted"});
    rows.push_back({"nw 6: DMUL", 52, per_iteration(executed.mul), "counted"});
    rows.push_back({"nw 6: DFMA", 86, per_iteration(executed.fma), "56 counted and 5 per reciprocal"});
  }
  return rows;
}

std::vector<ComparisonRow> compare_profile(const GpuModel& model, std::shared_ptr<const GpuProblem> problem, int nw) {
  auto rows = compare_counts(model, problem, nw);
  const auto kernel = gpu_kernel<true>(problem, nw);
  const auto counts = model.count(kernel, affordable(model.device(), kernel));
  const auto at = static_cast<std::size_t>(nw - 1);
  rows.push_back(
      {fmt::format("nw {}: L2 B", nw), published_l2[at], per_iteration(counts, MemoryLevel::L2, *problem),
       "reuse of wtilde and I_eps between the blocks of an SM depends on how far they drift apart; sample: " +
           counts.sample()});
  rows.push_back(
      {fmt::format("nw {}: HBM B", nw), published_hbm, per_iteration(counts, MemoryLevel::DRAM, *problem),
       "16 B of aqsn are read again for every row p unless rows advance together; sample: " + counts.sample()});
  return rows;
}

std::string stride_table(const GpuModel& model, std::shared_ptr<const GpuProblem> problem,
                         const std::vector<Index>& strides) {
  std::string text = "| stride | L1 B | L2 B | HBM B | sample |\n|---:|---:|---:|---:|---:|\n";
  for (const auto stride : strides) {
    const auto kernel = gpu_kernel<true>(problem, max_nw, stride);
    const auto counts = model.count(kernel, affordable(model.device(), kernel));
    const auto blocks = static_cast<double>(kernel.blocks);
    // As in compare_counts: without the sector that a block reads before the loop.
    const double l1 = (static_cast<double>(counts.exact.of(Access::global_load).sectors) - blocks) * sector_bytes /
                      static_cast<double>(problem->iterations());
    const auto l2 = per_iteration(counts, MemoryLevel::L2, *problem),
               hbm = per_iteration(counts, MemoryLevel::DRAM, *problem);
    text += fmt::format("| {} | {:.0f} | {:.1f} .. {:.1f} | {:.1f} .. {:.1f} | {} |\n", stride, l1, l2.low, l2.high,
                        hbm.low, hbm.high, counts.sample());
  }
  return text;
}

}  // namespace roofline::gpp
