#include <gtest/gtest.h>

#include <vector>

#include "bench/space/real.hpp"

// Calls instead of bodies of 5,000 operations, which take g++ minutes: what is inlined is no matter for bits.
#undef ROOFLINE_BODY
#define ROOFLINE_BODY inline
#undef ROOFLINE_INLINED
#define ROOFLINE_INLINED

#include "apps/lbm/cuda.hpp"
#include "apps/lbm/expected.hpp"
#include "bench/space/openmp.hpp"

// The kernels of the GPU, executed on the host thread by thread, and the versions of the CPU with the same bodies.
namespace roofline::lbm::lbm_cuda_test {
namespace {

template <class Real>
using Indexed = StaticTables<Real>;
template <class Real>
using Folded = FoldedTables<Real>;

constexpr Grid grid{5, 512};

constexpr std::uint64_t seed = 5;

struct CudaLbm : ::testing::Test {
  Tables tables = known_tables;
  Buffer from = initial_lattice(grid, seed), gpu{from.size()}, cpu{from.size()}, bulk{grid.ly};

  CudaLbm() {
    for (Index iy = 0; iy < grid.ly; ++iy) bulk[iy] = is_bulk(grid, iy) ? 1.0 : 0.0;
  }
  Collision collision(const Buffer& in, const Buffer& out) const {
    return {grid, in.view(), out.view(), bulk.view(), fluid, {&tables, populations}};
  }
  static std::vector<double> all(const Buffer& lattice) { return {lattice.begin(), lattice.end()}; }

  template <class Kernel>
  void expect_bits_of(const char* version, bool fma, std::size_t shared = 0) {
    for (const auto& v : versions())
      if (v.name == std::string(version) && v.fma == fma) v.launch(collision(from, cpu));
    emulate(thread_per_site(grid, Kernel{collision(from, gpu)}, shared));
    EXPECT_EQ(all(gpu), all(cpu)) << version << (fma ? "" : " without FMA");
    const auto check = check_lattice<ExpectedCollision>(grid, gpu, seed);
    EXPECT_TRUE(check.ok) << check.message;
  }
};

TEST_F(CudaLbm, EveryVersionOfCollideHasTheBitsOfTheCpu) {
  expect_bits_of<OwnPopulations<PointerTables, true, 1>>("v0", true);
  expect_bits_of<OwnPopulations<PointerTables, false, 1>>("v0", false);
  expect_bits_of<OwnPopulations<Indexed, true, 1>>("v1", true);
  expect_bits_of<OwnPopulations<Indexed, false, 1>>("v1", false);
  expect_bits_of<OwnPopulations<Folded, true, 3>>("v2", true);
  expect_bits_of<OwnPopulations<Folded, true, 1>>("v3", true);
  expect_bits_of<SharedPopulations<Folded>>("v4", true, populations);
  expect_bits_of<MomentsPerThread>("v5", true);
}

TEST_F(CudaLbm, AStepWithHalosAndWallsHasTheBitsOfTheCpu) {
  for (const Edge edge : {Edge::wall, Edge::periodic}) {
    Buffer moved_cpu(from.size()), moved_gpu(from.size()), on_cpu = initial_lattice(grid, seed),
                                                           on_gpu = initial_lattice(grid, seed);
    fill_halos(OpenMp<true>{}, grid, on_cpu.view(), edge);
    emulate(fill_column_halos(grid, on_gpu.view(), edge));
    emulate(fill_row_halos(grid, on_gpu.view()));
    EXPECT_EQ(all(on_gpu), all(on_cpu)) << "halos";
    propagate(OpenMp<true>{}, grid, on_cpu.view(), moved_cpu.view());
    emulate(thread_per_site(grid, Propagate{grid, on_gpu.view(), moved_gpu.view()}));
    EXPECT_EQ(all(moved_gpu), all(moved_cpu)) << "propagate";
    EXPECT_TRUE(edge != Edge::wall || check_lattice<ExpectedMove>(grid, moved_gpu, seed).ok);
    rest_at_walls(OpenMp<true>{}, grid, moved_cpu.view(), walls);
    emulate(rest_at_both_walls<StaticMemory>(grid, moved_gpu.view(), walls));
    EXPECT_EQ(all(moved_gpu), all(moved_cpu)) << "walls";
  }
}

TEST_F(CudaLbm, Version4AsksFor75776BytesOfSharedMemory) {
  const auto launch = thread_per_site(grid, SharedPopulations<Folded>{collision(from, gpu)}, populations);
  EXPECT_EQ(launch.shared_bytes, 75776u);
}

}  // namespace
}  // namespace roofline::lbm::lbm_cuda_test
