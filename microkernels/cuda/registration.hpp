#pragma once
#include <string>
#include <vector>

namespace roofline {

class Suite;
struct Gpu;

// What add_cuda_ceilings() is made of. Those of units return the names of the ceilings that the device could have and
// this build has no code for.
std::vector<std::string> add_cuda_flops_ceilings(Suite& suite,
                                                 const Gpu& gpu);  ///< vector units: precision x operation
std::vector<std::string> add_cuda_tensor_ceilings(Suite& suite, const Gpu& gpu);  ///< matrix instructions, by shape
void add_cuda_bandwidth_ceilings(Suite& suite, const Gpu& gpu);                   ///< memory level x access mix

void add_cuda_issue_ceiling(Suite& suite, const Gpu& gpu);  ///< instructions of warps per second, of any kind

/// Whether this build has any code for the current device: where it has none, or there is no device, nothing can be
/// told of single kernels.
bool has_code();

}  // namespace roofline
