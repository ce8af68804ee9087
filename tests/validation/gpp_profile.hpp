#pragma once
#include <string>
#include <vector>

#include "apps/gpp/gpp.hpp"
#include "bench/suite/suite.hpp"
#include "bench/virtual_gpu/memory/gpu_model.hpp"
#include "tests/validation/comparison.hpp"

namespace roofline::gpp {

/// 512 bands, 32768 plane waves, 20 per group.
inline const Sizes published_sizes{512, 2, 32768, 20};

/// Per inner iteration of the published V100 runs: FLOPs and instructions, L1, L2 and HBM bytes, next to the model's,
/// for one nw. The launch is sampled. A virtual device has to be selected, here and below.
std::vector<ComparisonRow> compare_profile(const GpuModel& model, const Sizes& sizes, int nw);

/// Bytes per inner iteration at nw = 6 for some strides, as Markdown.
std::string stride_table(const GpuModel& model, const Sizes& sizes, const std::vector<Index>& strides);

}  // namespace roofline::gpp
