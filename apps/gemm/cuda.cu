#include <memory>

#include "apps/gemm/problem.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/suite/suite.hpp"

/// The product on a GPU's FP64 units: a block of 16 x 16 threads computes 96 x 96 of C, a thread 6 x 6 of them, 16
/// apart, so that a warp's loads are contiguous or of one element.
///
/// Limiter on an H200: 36 multiply-adds of a warp take 18 clocks of an SM's 64 units, their 12 loads 12 of L1. Tensor
/// cores, which are twice as fast in FP64, are not used.
namespace roofline::gemm {
namespace {

struct TilePerThread {
  static constexpr int max_threads = 256, min_blocks = 2;
  static constexpr Index across = 16;
  Matrices matrices;
  Index n;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index row = Index{at.block.y} * block + at.thread.y, column = Index{at.block.x} * block + at.thread.x;
    const Strip strip{{matrices.b.data + column}, matrices.pitch};
    add_tile<block / across, block / across, across, across>(matrices, strip, row, At<CudaLane<>, true>{column}, 0, n);
  }
};

struct OnDevice {
  Problem host;
  cuda::DeviceBuffer<> a, b, c;

  OnDevice(Index n, std::uint64_t seed) : host(n, seed), a(host.a), b(host.b), c(host.c) {}
};

Workload make(Index n, std::uint64_t seed) {
  auto problem = std::make_shared<OnDevice>(n, seed);
  const auto blocks = static_cast<unsigned>(n / block);
  const CudaLaunch<TilePerThread> launch{
      .grid = {blocks, blocks},
      .block = {TilePerThread::across, TilePerThread::across},
      .kernel = {{{problem->a.data()}, {problem->b.data()}, {problem->c.data()}, problem->host.pitch()}, n}};
  Workload work;
  work.launch = [problem, launch] { cuda::execute(launch); };
  work.check = [problem] {
    problem->c.download(problem->host.c.data());
    return problem->host.check();
  };
  work.declared_flops = declared_flops(n);
  return work;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = sizes[0];
  require_valid(n);
  cuda::add_cache_state(suite, {.name = row_name("blocked", n),
                                .family = "gemm",
                                .selection = Selection::standard,
                                .make = [n, seed = suite.seed()] { return make(n, seed); },
                                .about = "a thread keeps 6 x 6 of C in registers"});
}

// 4608^3: 0.2 TFLOP.
const Registrar registrar("gemm", Platform::cuda, {add_variants, {4608}, {}, {192}});

}  // namespace
}  // namespace roofline::gemm
