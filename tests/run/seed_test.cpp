#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "apps/gpp/gpp.hpp"
#include "apps/gsrb/problem.hpp"
#include "apps/lbm/expected.hpp"
#include "apps/stencil/problem.hpp"
#include "apps/stream/problem.hpp"
#include "bench/space/noise.hpp"
#include "bench/text/words.hpp"
#include "tests/variants.hpp"

// Random inputs: kernels and references see the same ones, and other ones for another seed.
namespace roofline::seed_test {
namespace {

/// Sizes for which chunks, packs or rows leave a rest, next to the small ones; for LBM more sites than the pattern has.
const std::map<std::string, std::vector<Sizes>> odd_sizes{{"stream", {{1000}, {100003}}},
                                                          {"stencil", {{5}, {31}}},
                                                          {"lbm", {{1, 32}, {7, 96}, {70, 64}}},
                                                          {"fft", {{512, 1024}}}};

TEST(Seed, EveryRowIsVerifiedOnFixedAndRandomInputs) {
  const auto* const costly =
      "ert|gpp/nw:[2-5]/|(gsrb|mg).*level:[678]";  // the same code as other rows, or no inputs to choose
  const auto verify = [&](const std::string& family, const Sizes& sizes, std::uint64_t seed) {
    for (const auto& variant : testing::variants_of(family, sizes, seed)) {
      if (!matches(costly, variant.name).empty()) continue;
      EXPECT_FALSE(variant.about.empty()) << variant.name;
      const auto work = variant.make();
      EXPECT_FALSE(work.check().ok) << variant.name << " passes before it has run";
      work.launch();
      const auto check = work.check();
      EXPECT_TRUE(check.ok) << variant.name << " --seed=" << seed << ": " << check.message;
    }
  };
  for (const auto& [family, ports] : families()) {
    verify(family.name, testing::small_sizes(family), 2147483647);
    if (const auto odd = odd_sizes.find(family.name); odd != odd_sizes.end())
      for (const auto& sizes : odd->second) verify(family.name, sizes, 0);
  }
}

TEST(Seed, AnotherSeedIsAnotherProblem) {
  const stream::Inputs fixed, one{1}, two{2};
  const stencil::Problem stencil_one(10, 1), stencil_two(10, 2);
  const gpp::Problem gpp_one({2, 1, 32, 4}, 1), gpp_two({2, 1, 32, 4}, 2);
  const auto gsrb_one = gsrb::smoothing_problem<gsrb::SevenPoint>(4, 1),
             gsrb_two = gsrb::smoothing_problem<gsrb::SevenPoint>(4, 2);
  const lbm::InitialState lbm_one(1), lbm_two(2);
  const Index at = stencil_one.at(3, 4, 5);
  EXPECT_EQ(std::set<double>({fixed.a(3), one.a(3), two.a(3), one.b(3), one.c(3)}).size(), 5u);
  EXPECT_NE(stencil_one.u[at], stencil_two.u[at]);
  for (const auto array : {&gpp::Problem::aqsm, &gpp::Problem::aqsn, &gpp::Problem::i_eps, &gpp::Problem::wtilde})
    EXPECT_NE((gpp_one.*array)[7], (gpp_two.*array)[7]);
  for (const auto vector : {gsrb::Vector::x, gsrb::Vector::rhs})
    EXPECT_NE(gsrb_one.cell(vector, 1, 2, 3), gsrb_two.cell(vector, 1, 2, 3));
  for (int p = 0; p < lbm::populations; ++p) EXPECT_NE(lbm_one(p, 2, 3), lbm_two(p, 2, 3));
}

TEST(Seed, ResultsOfAnotherSeedFailTheirVerification) {
  const auto level = gsrb::smoothing_problem<gsrb::SevenPoint>(4, 1);
  EXPECT_FALSE(gsrb::check_sweep<gsrb::SevenPoint>(level, 2).ok);
  const lbm::Grid grid{4, 32};
  EXPECT_FALSE(lbm::check_lattice<lbm::ExpectedMove>(grid, lbm::initial_lattice(grid, 1), 1).ok) << "nothing moved";
}

TEST(Noise, ValuesFillTheirIntervalAndAreExactWherePromised) {
  const Noise noise(3, 0);
  double low = 1, high = -1, sum = 0;
  for (Index i = 0; i < 10000; ++i) {
    low = std::min(low, noise(i)), high = std::max(high, noise(i)), sum += noise(i);
    const double positive = noise.positive(i), scaled = positive * 0x1p21;
    EXPECT_TRUE(0.5 <= positive && positive < 2);
    EXPECT_EQ(scaled, std::floor(scaled));
  }
  EXPECT_LT(low, -0.99);
  EXPECT_GT(high, 0.99);
  EXPECT_NEAR(sum / 10000, 0, 0.03);
  EXPECT_TRUE(-1 <= low && high < 1);
}

}  // namespace
}  // namespace roofline::seed_test
