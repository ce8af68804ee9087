#pragma once
#include <memory>
#include <string>
#include <vector>

#include "apps/gpp/simulated.hpp"
#include "bench/simulator/comparison.hpp"

namespace roofline::gpp {

/// The published problem: 512 bands, 32768 plane waves, 20 per group.
std::shared_ptr<const GpuProblem> published_problem();

/// Per inner iteration of the published V100 runs: FLOPs and instructions, L1, L2 and HBM bytes, beside the model's,
/// for one nw. The launch is sampled.
std::vector<ComparisonRow> compare_profile(const GpuModel& model, std::shared_ptr<const GpuProblem> problem, int nw);

/// Bytes per inner iteration at nw = 6 for some strides, as Markdown.
std::string stride_table(const GpuModel& model, std::shared_ptr<const GpuProblem> problem,
                         const std::vector<Index>& strides);

/// The rows that need no memory model, for one nw: at once.
std::vector<ComparisonRow> compare_counts(const GpuModel& model, std::shared_ptr<const GpuProblem> problem, int nw);

}  // namespace roofline::gpp
