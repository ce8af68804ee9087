#include <memory>

#include "apps/mg/problem.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/suite/suite.hpp"

/// A launch per pass, a thread per work item, which writes the ghosts of its own cells.
///
/// Limiter: HBM on large levels, and on small ones the launches, 12 for each level of a V-cycle.
namespace roofline::mg {
namespace {

template <class SomePass>
struct ItemPerThread {
  static constexpr int max_threads = 256, min_blocks = 2;
  SomePass pass;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    using Place = At<CudaLane<Loads::plain>, true>;  // a thread reads x where it has written it
    const Index n = pass.grid.n, thread = Index{at.block.x} * max_threads + at.thread.x;
    if (thread >= pass.items * n * n) return;
    const Index item = thread % pass.items, j = thread / pass.items % n, k = thread / pass.items / n;
    pass.row(j, k)(Place{item});
    if constexpr (requires { pass.changed(j, k); }) {
      const View row = pass.changed(j, k);
      const Index cells = n / pass.items;
      for (Index i = item * cells; i < (item + 1) * cells; ++i) {
        mirror(pass.grid, row, Place{i}, j, k);
        if (i == 0) mirror(pass.grid, row, Place{i}, j, k, -1);
        if (i == n - 1) mirror(pass.grid, row, Place{i}, j, k, 1);
      }
    }
  }
};

/// The levels on the host, where they are verified, and copies on the device.
struct OnDevice {
  struct Copy {
    cuda::DeviceBuffer<> x, others;
  };
  Problem host;
  std::vector<Copy> copies;
  std::vector<Grid> grids;

  OnDevice(Index level, std::uint64_t seed) : host(level, seed) {
    for (const auto& one : host.levels) {
      const auto& copy = copies.emplace_back(Copy{cuda::DeviceBuffer<>(one.x), cuda::DeviceBuffer<>(one.others)});
      grids.push_back(one.grid(copy.x.data(), copy.others.data()));
    }
  }
  Check check(Cycle cycle) const {
    for (std::size_t level = 0; level < copies.size(); ++level) {
      copies[level].x.download(host.levels[level].x.data());
      copies[level].others.download(host.levels[level].others.data());
    }
    return host.check(cycle);
  }
};

Workload make(Index level, std::uint64_t seed, Cycle cycle) {
  auto problem = std::make_shared<OnDevice>(level, seed);
  Workload work;
  work.launch = [problem, cycle] {
    launch(problem->grids, cycle, [](const auto& pass) {
      using Kernel = ItemPerThread<std::decay_t<decltype(pass)>>;
      const Index threads = pass.items * pass.grid.n * pass.grid.n;
      cuda::execute(CudaLaunch<Kernel>{
          .grid = {blocks_for(threads, Kernel::max_threads)}, .block = {Kernel::max_threads}, .kernel = {pass}});
    });
  };
  work.check = [problem, cycle] { return problem->check(cycle); };
  work.declared_flops = declared_flops(cycle, level);
  return work;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index chosen = sizes.at(0);
  require_level(chosen, "--mg=" + std::to_string(chosen));
  for (Index level = lowest_level; level <= highest_level; ++level) {
    if (suite.has_fixed_size("mg") && level != chosen) continue;
    if (suite.launches() == Launches::verified && level > chosen) continue;  // the same kernels on more cells
    for (const auto cycle : {Cycle::v, Cycle::f})
      cuda::add_cache_state(suite,
                            {.name = row_name(cycle, level),
                             .family = "mg",
                             .selection = level == chosen && cycle == Cycle::f ? Selection::standard : Selection::full,
                             .make = [=, seed = suite.seed()] { return make(level, seed, cycle); },
                             .about = "a launch per pass and level, a thread per cell or two"});
  }
}

// 118 MB. A launch of level 8 has twice the kernels to count for kinds of FLOPs, and shows the same.
const Registrar registrar("mg", Platform::cuda, {add_variants, {7}, {}, {4}});

}  // namespace
}  // namespace roofline::mg
