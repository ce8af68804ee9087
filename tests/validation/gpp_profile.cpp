#include "tests/validation/gpp_profile.hpp"

#include <fmt/format.h>

#include "apps/gpp/reference.hpp"
#include "tests/validation/modelled_row.hpp"

namespace roofline::gpp {
namespace {

// V100, FMA, nw = 1..6: the public hierarchical data file behind the NERSC talk, per inner iteration.
constexpr std::array<double, max_nw> published_flops{45, 82.5, 120, 157.5, 193, 230};
constexpr std::array<double, max_nw> published_l1{52, 53, 54, 55, 56, 57};
constexpr std::array<double, max_nw> published_l2{20.0, 24.67, 36.97, 41.82, 44.3, 44.38};
constexpr double published_hbm = 17.408;

double iterations_of(const Sizes& sizes) {
  return static_cast<double>(sizes[0]) * static_cast<double>(sizes[2] / sizes[3]) * static_cast<double>(sizes[2]);
}

Span per_iteration(const GpuCounts& counts, MemoryLevel level, const Sizes& sizes) {
  const auto bytes = *counts.counts().range[static_cast<std::size_t>(level)];
  return {bytes.low / iterations_of(sizes), bytes.high / iterations_of(sizes)};
}

/// Bytes of L1 in the loop. Before it a block reads one sector, where its row is; the published figures have 2 to 4
/// more than whole bytes per iteration.
double l1_in_loop(const GpuCounts& counts, const GpuKernel& kernel, const Sizes& sizes) {
  const auto beside = static_cast<double>(kernel.blocks);
  return (static_cast<double>(counts.exact.of(Access::global_load).sectors) - beside) * sector_bytes /
         iterations_of(sizes);
}

/// What the model says of the exact counts of a launch, for one nw.
std::vector<ComparisonRow> compare_counts(const GpuCounts& counts, const GpuKernel& kernel, const Sizes& sizes,
                                          int nw) {
  const auto per_iteration = [&](std::uint64_t count) {
    const double value = static_cast<double>(count) / iterations_of(sizes);
    return Span{value, value};
  };
  const auto at = static_cast<std::size_t>(nw - 1);
  const double l1 = l1_in_loop(counts, kernel, sizes);
  const auto& executed = counts.executed;
  // Sums of lanes and blocks stand outside the published account: 2 nw (5 shuffles' and 1 atomic) additions of a block.
  std::vector<ComparisonRow> rows{
      {fmt::format("nw {}: FLOP", nw), published_flops[at], per_iteration(executed.flops()),
       "8 + 37 nw: canonical 8 + 28 nw, each reciprocal 10 instead of 1; the compiled codes differ at nw 2 to 4"},
      {fmt::format("nw {}: L1 B", nw), published_l1[at], Span{l1, l1},
       "three 16 B loads per lane and 3 + nw broadcast sectors per warp"}};
  if (nw == max_nw) {
    rows.push_back({"nw 6: DADD", 6, per_iteration(executed.add), "executed, the sums over lanes with them"});
    rows.push_back({"nw 6: DMUL", 52, per_iteration(executed.mul), "executed"});
    rows.push_back({"nw 6: DFMA", 86, per_iteration(executed.fma), "56 executed and 5 per reciprocal"});
  }
  return rows;
}

ModelledRow row_of(const Sizes& sizes, int nw, Index stride) {
  return modelled_row(row_name({.nw = nw, .fma = true, .stride = stride, .divide = true}), "gpp", sizes);
}

}  // namespace

std::vector<ComparisonRow> compare_profile(const GpuModel& model, const Sizes& sizes, int nw) {
  const auto row = row_of(sizes, nw, 1);
  const auto counts = row.count(model);
  auto rows = compare_counts(counts, row.kernels.front(), sizes, nw);
  const auto at = static_cast<std::size_t>(nw - 1);
  rows.push_back(
      {fmt::format("nw {}: L2 B", nw), published_l2[at], per_iteration(counts, MemoryLevel::L2, sizes),
       "reuse of wtilde and I_eps between the blocks of an SM depends on how far they drift apart; sample: " +
           counts.sample()});
  rows.push_back(
      {fmt::format("nw {}: HBM B", nw), published_hbm, per_iteration(counts, MemoryLevel::DRAM, sizes),
       "16 B of aqsn are read again for every row p unless rows advance together; sample: " + counts.sample()});
  return rows;
}

std::string stride_table(const GpuModel& model, const Sizes& sizes, const std::vector<Index>& strides) {
  std::string text = "| stride | L1 B | L2 B | HBM B | sample |\n|---:|---:|---:|---:|---:|\n";
  for (const auto stride : strides) {
    const auto row = row_of(sizes, max_nw, stride);
    const auto counts = row.count(model);
    const double l1 = l1_in_loop(counts, row.kernels.front(), sizes);
    const auto l2 = per_iteration(counts, MemoryLevel::L2, sizes),
               hbm = per_iteration(counts, MemoryLevel::DRAM, sizes);
    text += fmt::format("| {} | {:.0f} | {:.1f} .. {:.1f} | {:.1f} .. {:.1f} | {} |\n", stride, l1, l2.low, l2.high,
                        hbm.low, hbm.high, counts.sample());
  }
  return text;
}

}  // namespace roofline::gpp
