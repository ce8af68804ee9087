#include <memory>
#include <optional>

#include "apps/spmv/problem.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/suite/suite.hpp"

/// CSR on a GPU with a thread per row ("scalar CSR").
///
/// Limiter on an H200: HBM, 112 B per row. A warp's loads of one nonzero lie 56 B apart, so that each takes 32 sectors;
/// L1 keeps the lines for the six others.
namespace roofline::spmv {
namespace {

struct RowPerThread {
  static constexpr int max_threads = 256, min_blocks = 4;
  Row body;
  Index rows;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index row = Index{at.block.x} * max_threads + at.thread.x;
    if (row < rows) body(At<CudaLane<>, true>{row});
  }
};

struct OnDevice {
  Problem host;
  cuda::DeviceBuffer<> value, x, y;
  cuda::DeviceBuffer<int> indices;

  OnDevice(Index n, std::uint64_t seed)
      : host(n, seed), value(host.value), x(host.x), y(host.y), indices(host.begin(), 2 * host.indices.size()) {}
};

Workload make(Index n, std::uint64_t seed) {
  auto problem = std::make_shared<OnDevice>(n, seed);
  const Index rows = problem->host.rows();
  const int* const begin = problem->indices.data();
  const CudaLaunch<RowPerThread> launch{
      .grid = {blocks_for(rows, RowPerThread::max_threads)},
      .block = {RowPerThread::max_threads},
      .kernel = {{begin, begin + rows + 1, {problem->value.data()}, {problem->x.data()}, {problem->y.data()}}, rows}};
  Workload work;
  work.launch = [problem, launch] { cuda::execute(launch); };
  work.check = [problem] {
    problem->y.download(problem->host.y.data());
    return problem->host.check();
  };
  work.declared_flops = declared_flops(n);
  return work;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = sizes[0];
  require_valid(n);
  cuda::add_cache_state(suite, {.name = row_name(n),
                                .family = "spmv",
                                .selection = Selection::standard,
                                .make = [n, seed = suite.seed()] { return make(n, seed); },
                                .about = "y = A x, compressed rows, a thread for each"});
}

// 1.5 GB of matrix. A model would need the columns, so there are no modelled sizes.
const Registrar registrar("spmv", Platform::cuda, {add_variants, {256}, {}, {29}});

}  // namespace
}  // namespace roofline::spmv
