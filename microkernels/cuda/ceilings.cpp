#include "microkernels/ceilings.hpp"

#include <fmt/format.h>

#include "bench/suite/suite.hpp"
#include "microkernels/cuda/ert.hpp"
#include "microkernels/cuda/measured.hpp"

namespace roofline {

void add_cuda_ceilings(Suite& suite, const Gpu& gpu) {
  auto missing = add_cuda_flops_ceilings(suite, gpu);
  for (auto& name : add_cuda_tensor_ceilings(suite, gpu)) missing.push_back(std::move(name));
  if (!missing.empty())
    suite.skip("ceilings without code",
               fmt::format("{}{}: no code for compute capability {}.{} in this build; cmake --preset release "
                           "-DROOFLINE_CUDA_ARCHITECTURES=native and tools/build.sh add it",
                           missing.front(), missing.size() > 1 ? fmt::format(" and {} more", missing.size() - 1) : "",
                           gpu.major, gpu.minor));
  add_cuda_issue_ceiling(suite, gpu);
  add_cuda_bandwidth_ceilings(suite, gpu);
}

namespace {

const CeilingRegistrar registered(Platform::cuda, {{[](Suite& suite) { add_cuda_ceilings(suite, suite.gpu()); }},
                                                   [](const Suite& suite) { return run_cuda_ert(suite.gpu()); }});

}  // namespace
}  // namespace roofline
