#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "apps/lbm/column_walk.hpp"
#include "apps/lbm/expected.hpp"
#include "apps/lbm/staged.hpp"
#include "tests/bits.hpp"
#include "tests/one_thread.hpp"

namespace roofline::lbm::lbm_bits_test {
namespace {

/// Random populations. Of 160 sites along y a block of 8 or 16 packs leaves a part.
struct Problem {
  testing::OneThread one_thread;
  Grid grid{3, 160};
  Buffer bulk, from, to;

  Problem() : bulk(grid.ly), from(initial_lattice(grid, 7)), to(populations * grid.plane()) {
    for (Index iy = 0; iy < grid.ly; ++iy) bulk[iy] = is_bulk(grid, iy) ? 1.0 : 0.0;
  }
  Collision collision(Index packs) const { return {grid, from.view(), to.view(), bulk.view(), fluid, {}, packs}; }

  /// Every element after a launch, halos included.
  std::vector<double> after(const Version& version, Index packs = 0) const {
    std::fill(to.begin(), to.end(), std::numeric_limits<double>::quiet_NaN());
    version.launch(collision(packs));
    return {to.begin(), to.end()};
  }
  Operations operations(const Version& version, Index packs = 0) const {
    return count([&](Sampler& sampler) { version.trace(collision(packs), sampler); }, nullptr, true).operations;
  }
};

const Version& published_v5() {
  return *std::find_if(versions().begin(), versions().end(), [](auto& v) { return v.name == std::string("v5"); });
}

/// v5 as published but for the contraction.
const Version& plain_v5() {
  static const Version v5 = version<MomentSpace<false>>("v5", moment_space(), "");
  return v5;
}

TEST(LbmBits, OfStagedTuningsAreThoseOfV5WithoutFma) {
  const Problem problem;
  const auto expected = problem.after(plain_v5());
  const auto tunings = make_staged_tunings<false>();
  EXPECT_EQ(tunings.size(), 4u);
  for (const auto& [version, packs] : tunings)
    EXPECT_TRUE(testing::same_bits(problem.after(version, packs), expected)) << version.name << ", " << packs;
}

TEST(LbmBits, DifferBetweenTheModes) {
  const Problem problem;
  EXPECT_FALSE(testing::same_bits(problem.after(plain_v5()), problem.after(published_v5())));
}

TEST(LbmBits, WithoutFmaStagedFormsHaveTheOperationsOfV5) {
  const Problem problem;
  const auto sites = static_cast<std::uint64_t>(problem.grid.sites());
  const auto expected = problem.operations(plain_v5());
  EXPECT_EQ(expected.fma, 0u);
  EXPECT_EQ(expected.flops(), published_v5().per_site.flops() * sites);
  for (const auto& [version, packs] : make_staged_tunings<false>())
    EXPECT_EQ(problem.operations(version, packs), expected) << version.name << ", " << packs;
}

}  // namespace
}  // namespace roofline::lbm::lbm_bits_test
