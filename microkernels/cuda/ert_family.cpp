#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/cuda/gpu.hpp"
#include "microkernels/cuda/ert.hpp"
#include "microkernels/cuda/memory/working_set.hpp"
#include "microkernels/ert/family.hpp"

namespace roofline {
namespace {

struct Problem {
  ErtGrid grid;
  cuda::DeviceBuffer<> a;

  explicit Problem(const ErtGrid& on) : grid(on), a(static_cast<Index>(on.elements())) {
    fill_ert(a.data(), grid.elements());
  }
};

Workload make_workload(const ErtKernel& kernel, const ErtGrid& grid, std::uint32_t trials) {
  require_valid(kernel);
  const auto problem = std::make_shared<Problem>(grid);
  Workload work;
  work.launch = [=] { launch_ert(kernel, problem->grid, trials, problem->a.data()); };
  work.time = cuda::event_timer(work.launch);
  work.clock = cuda::event_clock;
  work.check = [=] {
    const auto wrong = first_wrong_element(problem->a.data(), problem->grid.elements());
    return Check{wrong.empty(), wrong};
  };
  work.declared_flops = static_cast<std::uint64_t>(kernel.flops) * grid.elements() * trials;
  return work;
}

Index l1_elements(const Gpu& gpu) {
  return static_cast<Index>(cuda_working_set(gpu, MemoryLevel::L1) / sizeof(double));
}

/// n, or if it is 0 as many as the DRAM ceilings have.
Index memory_elements(const Gpu& gpu, Index n) {
  const auto automatic = static_cast<Index>(cuda_working_set(gpu, MemoryLevel::DRAM) / sizeof(double));
  return n > 0 ? n : std::min(automatic, ert_most_elements);
}

/// One trial over a large array.
Workload in_memory(const ErtKernel& kernel, Index n) {
  const auto gpu = current_gpu();
  auto grid = ert_grid(gpu, 256);
  grid.n = static_cast<std::uint32_t>(memory_elements(gpu, n));
  return make_workload(kernel, grid, 1);
}

/// Many trials over an array that stays in the L1 of its SM, for a launch of one or two milliseconds; two trials where
/// nobody times them. A division takes as long as some 16 other FLOPs.
Workload in_l1(const ErtKernel& kernel, bool only_verified) {
  const auto gpu = current_gpu();
  const auto n = static_cast<std::uint32_t>(l1_elements(gpu));
  const ErtGrid grid{static_cast<std::uint32_t>(gpu.sms), 1024, true, n};
  const Index flops = kernel.flops * (kernel.step == ErtStep::multiply_add ? 1 : 16);
  const Index elements = std::clamp<Index>((Index{1} << 28) / flops, 1 << 18, 1 << 22);
  return make_workload(kernel, grid, only_verified ? 2 : static_cast<std::uint32_t>(elements / n));
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = ert_elements(sizes, 0);
  if (n > ert_most_elements)
    throw std::invalid_argument(
        fmt::format("--ert={}: at most {} elements, because indices have 32 bits", n, ert_most_elements));
  ErtSet memory{[=](const ErtKernel& kernel) { return in_memory(kernel, n); }};
  ErtSet l1{[only = suite.launches() == Launches::verified](const ErtKernel& kernel) { return in_l1(kernel, only); }};
  if (const auto& gpu = suite.target().gpu) {  // none where rows are only listed
    memory.problem = fmt::format("n:{}", memory_elements(*gpu, n));
    l1.problem = fmt::format("n:{}/sms:{}", l1_elements(*gpu), gpu->sms);
  }
  add_ert_variants(suite, memory, l1);
}

// In a quick run it has 512 MiB, four times the largest L2 of today.
const Registrar registrar("ert", Platform::cuda, {add_variants, {0}, {1 << 26}, {600'001}});

}  // namespace
}  // namespace roofline
