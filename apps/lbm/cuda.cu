#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/lbm/collide.cuh"
#include "apps/lbm/cuda.hpp"
#include "apps/lbm/expected.hpp"
#include "apps/lbm/operations.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"

namespace roofline::lbm {
namespace {

using cuda::DeviceBuffer;
using cuda::execute;

/// The common part of all rows of a grid.
struct Setup {
  Grid grid;
  std::uint64_t seed;
  bool executed;  ///< else nobody reads what the lattices hold
};

/// Lattices on the device; as many as a kernel needs.
struct Problem {
  Grid grid;
  std::uint64_t seed;
  DeviceBuffer<> from, to, result, bulk, tables;

  Problem(const Setup& setup, int lattices)
      : grid(setup.grid),
        seed(setup.seed),
        from(elements()),
        to(lattices > 1 ? elements() : 0),
        result(lattices > 2 ? elements() : 0),
        tables(known_tables.w, sizeof(Tables) / sizeof(double)) {
    if (setup.executed) {
      from.upload(initial_lattice(grid, seed).data());
      to.clear(), result.clear();  // halos that no kernel writes must be zero at the end
    }
    const Buffer flags(grid.ly);
    for (Index iy = 0; iy < grid.ly; ++iy) flags[iy] = is_bulk(grid, iy) ? 1.0 : 0.0;
    bulk = DeviceBuffer<>(flags);
  }

  Index elements() const { return populations * grid.plane(); }
  Collision collision(const DeviceBuffer<>& in, const DeviceBuffer<>& out) const {
    return {grid,          {in.data()}, {out.data()},
            {bulk.data()}, fluid,       {reinterpret_cast<const Tables*>(tables.data()), populations}};
  }
};

template <class Expected>
std::function<Check()> checked(std::shared_ptr<const Problem> problem, DeviceBuffer<> Problem::*lattice) {
  return [problem, lattice] {
    const Buffer got(problem->elements());
    ((*problem).*lattice).download(got.data());
    return check_lattice<Expected>(problem->grid, got, problem->seed);
  };
}

Workload timed(std::function<void()> launch, std::function<Check()> check, std::uint64_t flops) {
  Workload work;
  work.launch = std::move(launch);
  work.check = std::move(check);
  work.declared_flops = flops;
  return work;
}

Workload make_collide(const Setup& setup, const CudaVersion& version) {
  auto problem = std::make_shared<Problem>(setup, 2);
  const Collision collision = problem->collision(problem->from, problem->to);
  return timed([problem, collision, launch = version.launch] { launch(collision); },
               checked<ExpectedCollision>(problem, &Problem::to), collide_flops(setup.grid, version.per_site.flops()));
}

void fill_halos(const Grid& grid, const DeviceBuffer<>& lattice) {
  execute(fill_column_halos(grid, {lattice.data()}, Edge::wall));
  execute(fill_row_halos(grid, {lattice.data()}));
}

void move_populations(const Problem& p) {
  execute(thread_per_site(p.grid, Propagate{p.grid, {p.from.data()}, {p.to.data()}}));
}

void rest_at_walls(const Grid& grid, const DeviceBuffer<>& lattice) {
  execute(rest_at_both_walls<ConstantMemory>(grid, {lattice.data()}, walls));
}

Workload make_propagate(const Setup& setup) {
  auto problem = std::make_shared<Problem>(setup, 2);
  if (setup.executed) fill_halos(setup.grid, problem->from);
  return timed([problem] { move_populations(*problem); }, checked<ExpectedMove>(problem, &Problem::to), 0);
}

Workload make_boundaries(const Setup& setup) {
  auto problem = std::make_shared<Problem>(setup, 1);
  return timed(
      [problem] {
        rest_at_walls(problem->grid, problem->from);
        fill_halos(problem->grid, problem->from);
      },
      checked<ExpectedBoundaries>(problem, &Problem::from), wall_flops(setup.grid));
}

/// Halos, propagate, walls, collide; the third lattice takes the result, so that every launch makes the same step.
Workload make_step(const Setup& setup, const CudaVersion& version) {
  auto problem = std::make_shared<Problem>(setup, 3);
  const Collision collision = problem->collision(problem->to, problem->result);
  return timed(
      [problem, collision, launch = version.launch] {
        fill_halos(problem->grid, problem->from);
        move_populations(*problem);
        rest_at_walls(problem->grid, problem->to);
        launch(collision);
      },
      checked<ExpectedStep>(problem, &Problem::result),
      wall_flops(setup.grid) + collide_flops(setup.grid, version.per_site.flops()));
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Grid grid{sizes[0], sizes[1]};
  if (grid.lx < 1 || grid.ly < 1 || grid.ly % cuda_block != 0 || grid.lx > 65535)
    throw std::invalid_argument("--lbm=" + std::to_string(grid.lx) + "," + std::to_string(grid.ly) +
                                ": on a GPU LX must be 1 to 65535, LY a multiple of " + std::to_string(cuda_block));
  const bool executed = !suite.is_modelled();
  const Setup setup{grid, suite.seed(), executed};
  const auto add = [&](std::string name, Selection selection, bool fma, std::function<Workload()> make,
                       const char* about) {
    cuda::add_cache_state(suite, {std::move(name), "lbm", selection, fma, std::move(make), about});
  };
  // Turing has 64 KiB of shared memory for a block, v4 takes 74: there is no such row there.
  int most_shared = 0, device = 0;
  const bool known =
      cudaGetDevice(&device) == cudaSuccess &&
      cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess;
  cudaGetLastError();  // a device may be missing if rows are only listed
  constexpr int shared_of_v4 = populations * cuda_block * static_cast<int>(sizeof(double));
  const CudaVersion* best = nullptr;
  for (const auto& version : cuda_versions()) {
    const std::string name = version.name;
    if (name == "v4" && known && most_shared < shared_of_v4) continue;
    if (name == "v5") best = &version;
    add(
        collide_name(name, grid, version.fma),
        !version.fma                                   ? Selection::full
        : name == "v0" || name == "v4" || name == "v5" ? Selection::quick
                                                       : Selection::standard,
        version.fma, [setup, &version] { return make_collide(setup, version); }, version.about);
  }
  add(
      row_name("propagate", grid), Selection::quick, true, [setup] { return make_propagate(setup); },
      "every population moves along its velocity, a thread moves those of a site: 592 B per site.\n"
      "GTC 2020, V100: 11.97 ms, 729 GB/s, 81 % of the HBM peak");
  add(
      row_name("bc", grid), Selection::standard, true, [setup] { return make_boundaries(setup); },
      "walls and halos, three kernels. GTC 2020, V100: 0.216 ms of 56");
  add(
      // A model looks at each launch by itself, so the sum of launches gives it nothing new.
      row_name("step", grid), executed ? Selection::standard : Selection::full, true,
      [setup, best] { return make_step(setup, *best); },
      "halos, propagate, walls, collide v5. GTC 2020, V100: 56.2 ms with v0");
}

// A quarter of the 14,745,600 sites of the talk's grid: 1.1 GB per lattice, as far beyond any L2 as 4.4.
const Registrar registrar("lbm", Platform::cuda,
                          {add_variants, {480, 7680}, {}, {67, 1024}, {1920, 7680}, {160, 1024}});

}  // namespace
}  // namespace roofline::lbm
