#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "apps/stencil/stencil.hpp"
#include "apps/stencil/sweep.hpp"
#include "apps/stencil/tuned.hpp"
#include "bench/space/openmp.hpp"

namespace roofline::stencil::stencil_tuned_test {
namespace {

/// The tunings of a cube of edge n, in blocks of few rows, so that there are several and a remainder.
class StencilTuned : public ::testing::TestWithParam<Index> {
 protected:
  const Index n = GetParam();
  const std::vector<Walk> walks = tuned_walks(n, 5);
};

/// A number that no sweep leaves behind.
constexpr double unwritten = -1e300;

std::shared_ptr<Problem> problem_of(Index n) {
  auto problem = std::make_shared<Problem>(n, 3);
  std::fill(problem->v.begin(), problem->v.end(), unwritten);
  return problem;
}

template <bool Fma>
void expect_the_bits_of_the_published_sweep(Index n, const std::vector<Walk>& walks) {
  const auto published = problem_of(n);
  const auto& p = *published;
  sweep(OpenMp<Fma>{}, p, n, 1, SevenFlops{p.u.view(), p.v.view(), p.pitch, p.pitch * n});
  for (const auto& walk : walks) {
    const auto tuned = problem_of(n);
    tuned_sweep<Fma>(tuned, walk).launch();
    const auto bytes = static_cast<std::size_t>(p.v.size()) * sizeof(double);
    EXPECT_EQ(std::memcmp(tuned->v.data(), p.v.data(), bytes), 0) << name_of(walk, n) << ", edge " << n;
  }
}

TEST_P(StencilTuned, GiveTheBitsOfThePublishedSweepWithoutFusedOperations) {
  expect_the_bits_of_the_published_sweep<false>(n, walks);
}

TEST_P(StencilTuned, GiveTheBitsOfThePublishedSweepWithFusedOperations) {
  expect_the_bits_of_the_published_sweep<true>(n, walks);
}

INSTANTIATE_TEST_SUITE_P(Edges, StencilTuned, ::testing::Values(3, 10, 34, 67));

TEST(StencilTunings, AreFewEnoughForAShortTrial) {
  const auto walks = tuned_walks(450, 48);
  EXPECT_LE(walks.size(), 14u);
  std::set<Index> planes;
  for (const auto& walk : walks) planes.insert(walk.planes);
  EXPECT_EQ(planes, (std::set<Index>{0, 4, 8}));
}

}  // namespace
}  // namespace roofline::stencil::stencil_tuned_test
