#include "microkernels/ceilings.hpp"

#include "bench/suite/suite.hpp"
#include "microkernels/cuda/ert_sweep.hpp"
#include "microkernels/cuda/measured.hpp"

namespace roofline {

void add_cuda_ceilings(Suite& suite, const Gpu& gpu) {
  add_cuda_flops_ceilings(suite, gpu);
  add_cuda_tensor_ceilings(suite, gpu);
  add_cuda_bandwidth_ceilings(suite, gpu);
}

namespace {

const CeilingRegistrar registered(Platform::cuda, {[](Suite& suite) { add_cuda_ceilings(suite, suite.gpu()); },
                                                   [](const Suite& suite) { return run_cuda_ert(suite.gpu()); }});

}  // namespace
}  // namespace roofline
