#pragma once

namespace roofline {

class Suite;
struct Gpu;

/// What add_cuda_ceilings() is made of.
void add_cuda_flops_ceilings(Suite& suite, const Gpu& gpu);      ///< vector units: precision x operation
void add_cuda_tensor_ceilings(Suite& suite, const Gpu& gpu);     ///< matrix instructions, by shape
void add_cuda_bandwidth_ceilings(Suite& suite, const Gpu& gpu);  ///< memory level x access mix

}  // namespace roofline
