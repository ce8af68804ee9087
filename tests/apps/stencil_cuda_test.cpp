#include <gtest/gtest.h>

#include "apps/stencil/cuda.hpp"
#include "apps/stencil/problem.hpp"
#include "bench/space/pack.hpp"

// The kernels of the GPU, executed on the host thread by thread.
namespace roofline::stencil::stencil_cuda_test {
namespace {

class CudaStencil : public ::testing::TestWithParam<Index> {};

/// The body point by point in the arithmetic of a CPU lane.
template <class Body>
Problem on_cpu(Index n, std::uint64_t seed) {
  Problem p(n, seed);
  const Body body{p.u.view(), p.v.view(), p.pitch, p.pitch * n};
  for (Index k = 1; k < n - 1; ++k)
    for (Index j = 1; j < n - 1; ++j)
      for (Index i = 1; i < n - 1; ++i) body(At<Pack<1>, true>{p.at(i, j, k)});
  return p;
}

template <class Body>
void expect_same_bits(Index n, std::uint64_t seed) {
  const Problem cpu = on_cpu<Body>(n, seed), point(n, seed), column(n, seed);
  const auto body = [&](const Problem& p) { return Body{p.u.view(), p.v.view(), p.pitch, p.pitch * n}; };
  emulate(point_per_thread(body(point), n, point.at(1, 1, 1)));
  emulate(column_per_thread(body(column), n, column.at(1, 1, 1)));
  for (const Problem* gpu : {&point, &column}) {
    EXPECT_TRUE(check(*gpu).ok) << check(*gpu).message;
    for (Index at = 0; at < cpu.v.size(); ++at) ASSERT_EQ(gpu->v[at], cpu.v[at]) << at;
  }
}

TEST_P(CudaStencil, EveryPointHasTheBitsOfTheCpu) {
  for (const std::uint64_t seed : {0, 7}) {
    expect_same_bits<SevenFlops>(GetParam(), seed);
    expect_same_bits<EightFlops>(GetParam(), seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Edges, CudaStencil, ::testing::Values(3, 4, 10, 11, 34, 35, 67));

}  // namespace
}  // namespace roofline::stencil::stencil_cuda_test
