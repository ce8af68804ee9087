#pragma once
#include <string>
#include <vector>

#include "bench/virtual_gpu/memory/gpu_model.hpp"
#include "tests/validation/comparison.hpp"

namespace roofline::gsrb {

/// nvprof's profile of smooth_kernel<6,32,4,8> (GSRB_FP, fv4, 64^3) on V100 in the NERSC talk, next to the model's.
/// Takes some seconds. A virtual device has to be selected, here and below.
std::vector<ComparisonRow> compare_profile(const GpuModel& model);

/// FP, BRANCH and STRIDE2 at the levels given: FLOPs, bytes and intensities per cell, one row each, as Markdown. Level
/// 8 is simulated completely and takes about a minute.
std::string method_table(const GpuModel& model, const std::vector<int>& levels);

}  // namespace roofline::gsrb
