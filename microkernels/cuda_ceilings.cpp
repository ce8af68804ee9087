#include "microkernels/ceilings.hpp"
#include "microkernels/cuda_registration.hpp"

namespace roofline {

void add_cuda_ceilings(Suite& suite, const Gpu& gpu) {
  add_cuda_flops_ceilings(suite, gpu);
  add_cuda_tensor_ceilings(suite, gpu);
  add_cuda_bandwidth_ceilings(suite, gpu);
}

}  // namespace roofline
