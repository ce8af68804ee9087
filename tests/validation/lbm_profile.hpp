#pragma once
#include <string>

#include "apps/lbm/lattice.hpp"
#include "bench/virtual_gpu/memory/gpu_model.hpp"

namespace roofline::lbm {

/// The ladder of collide kernels: requests per population of a warp, bytes per site, and device traffic relative to the
/// 592 B that one read and one write of every population take; one row per version, as Markdown.
std::string ladder_table(const GpuModel& model, const Grid& grid);

}  // namespace roofline::lbm
