#include <memory>

#include "apps/fft/problem.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/suite/suite.hpp"

/// A launch per pass, a thread per butterfly and transform.
///
/// Limiter on an H200: HBM. Each pass reads and writes every number, 32 B for 12.25 FLOP (radix 8).
namespace roofline::fft {
namespace {

template <int R>
struct ButterflyPerThread {
  static constexpr int max_threads = 256, min_blocks = 2;
  Butterfly<R> body;  ///< of the first eight transforms
  Index n, threads;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index thread = Index{at.block.x} * max_threads + at.thread.x;
    if (thread >= threads) return;
    const Index of_group = n / R, butterfly = thread / lanes % of_group, group = thread / lanes / of_group;
    body(At<CudaLane<>, true>{group * element * n + thread % lanes}, butterfly / body.s, butterfly % body.s);
  }
};

struct OnDevice {
  Problem host;
  cuda::DeviceBuffer<> x, y, between, twiddles;

  OnDevice(Index n, Index batch, std::uint64_t seed)
      : host(n, batch, seed), x(host.x), y(host.y), between(x.size()), twiddles(host.twiddles) {}

  template <int R>
  void pass(const double* from, double* to, Index s) const {
    const Index n = host.n, threads = n / R * host.batch;
    using Kernel = ButterflyPerThread<R>;
    const Butterfly<R> body{{const_cast<double*>(from)}, {to}, twiddles.data(), s, n / (s * R)};
    cuda::execute(CudaLaunch<Kernel>{.grid = {blocks_for(threads, Kernel::max_threads)},
                                     .block = {Kernel::max_threads},
                                     .kernel = {body, n, threads}});
  }
};

Workload make(Index n, Index batch, int radix, std::uint64_t seed) {
  auto problem = std::make_shared<OnDevice>(n, batch, seed);
  Workload work;
  work.launch = [problem, radices = passes(n, radix)] {
    const double* from = problem->x.data();
    Index s = 1;
    for (std::size_t done = 0; done < radices.size(); ++done) {
      double* const to = (radices.size() - done) % 2 == 1 ? problem->y.data() : problem->between.data();
      if (radices[done] == 8) problem->pass<8>(from, to, s);
      if (radices[done] == 4) problem->pass<4>(from, to, s);
      if (radices[done] == 2) problem->pass<2>(from, to, s);
      from = to;
      s *= radices[done];
    }
  };
  work.check = [problem] {
    problem->y.download(problem->host.y.data());
    return problem->host.check();
  };
  work.declared_flops = declared_flops(n, batch, radix);
  return work;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const auto [n, batch] = std::pair{sizes[0], sizes[1]};
  require_valid(n, batch);
  for (const int radix : {2, 4, 8})
    cuda::add_cache_state(suite, {.name = row_name(radix, n, batch),
                                  .family = "fft",
                                  .selection = radix == 8 ? Selection::standard : Selection::full,
                                  .make = [=, seed = suite.seed()] { return make(n, batch, radix, seed); },
                                  .about = "a launch per pass, a thread per butterfly and transform"});
}

// Two arrays of 0.5 GB.
const Registrar registrar("fft", Platform::cuda, {add_variants, {512, 65536}, {}, {128, 24}});

}  // namespace
}  // namespace roofline::fft
