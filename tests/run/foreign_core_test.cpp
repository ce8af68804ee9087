#include "bench/run/foreign_core.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/example_results.hpp"

namespace roofline {
namespace {

Machine rocket_lake() {
  Machine machine;
  machine.vendor = "GenuineIntel", machine.family = 6, machine.model = 167;
  return machine;
}

/// GFLOP/s measured, within 1 %, and by the table of units.
Ceiling measured(Operation operation, const char* isa, double rate, double theory) {
  auto ceiling = example::compute(operation, rate, isa);
  ceiling.rate_low = 0.99 * ceiling.rate, ceiling.rate_high = 1.01 * ceiling.rate;
  ceiling.theory = 1e9 * theory, ceiling.samples = 9;
  return ceiling;
}

/// Two units of 512 bits behind the number of a core that has one.
std::vector<Ceiling> of_two_units() {
  return {measured(Operation::fma, "avx512", 229, 115), measured(Operation::mul, "avx512", 122, 61),
          measured(Operation::fma, "avx2", 120, 121)};
}

TEST(ForeignCore, GivesItselfAwayByRatesThatItsTypeDoesNotReach) {
  auto ceilings = of_two_units();
  EXPECT_THAT(withdraw_foreign_theory(ceilings, rocket_lake()),
              testing::HasSubstr("GenuineIntel family 6 model 167, but computes 1.99 to 2.00 times as fast as that can "
                                 "with avx512"));
  for (const auto& ceiling : ceilings) EXPECT_FALSE(ceiling.theory) << ceiling.name;
}

TEST(ForeignCore, IsNotSeenInADisturbedClock) {
  auto ceilings = of_two_units();
  for (auto& ceiling : ceilings) ceiling.theory = ceiling.rate / 1.15;
  EXPECT_EQ(withdraw_foreign_theory(ceilings, rocket_lake()), "");
  for (const auto& ceiling : ceilings) EXPECT_TRUE(ceiling.theory) << ceiling.name;
}

TEST(ForeignCore, TakesEveryCeilingOfAWidthToBeSeen) {
  auto one = of_two_units();
  one[1].theory = one[1].rate;
  EXPECT_EQ(withdraw_foreign_theory(one, rocket_lake()), "") << "the other one is a wrong measurement";
  auto wide = of_two_units();
  wide[1].rate_low = *wide[1].theory;
  EXPECT_EQ(withdraw_foreign_theory(wide, rocket_lake()), "") << "its interval holds theory";
  auto alone = of_two_units();
  alone.erase(alone.begin() + 1);
  EXPECT_EQ(withdraw_foreign_theory(alone, rocket_lake()), "");
  auto described = of_two_units();
  for (auto& ceiling : described) ceiling.samples = 0;
  EXPECT_EQ(withdraw_foreign_theory(described, rocket_lake()), "");
}

/// A chain on a core whose table says so many cycles, and that takes `cycles`.
Ceiling chain(Operation operation, const char* isa, double cycles, double table = 4) {
  auto ceiling = measured(operation, isa, 16 / cycles, 16 / table);
  ceiling.ilp = false;
  return ceiling;
}

TEST(ForeignLatencies, TakeTheTheoryOfTheirChainsAndOfNoOther) {
  std::vector<Ceiling> ceilings{chain(Operation::mul, "avx512", 3.5), chain(Operation::mul, "avx2", 3),
                                chain(Operation::fma, "avx512", 4), chain(Operation::fma, "avx2", 4),
                                measured(Operation::mul, "avx2", 61, 61)};
  EXPECT_THAT(withdraw_foreign_latencies(ceilings), testing::HasSubstr("(mul up to 1.33 times)"));
  for (const auto& ceiling : ceilings)
    EXPECT_EQ(ceiling.theory.has_value(), ceiling.ilp || ceiling.operation == Operation::fma);
}

TEST(ForeignLatencies, TakeEveryChainOfAnOperationToBeSeen) {
  std::vector<Ceiling> one{chain(Operation::mul, "avx512", 4), chain(Operation::mul, "avx2", 3)};
  EXPECT_EQ(withdraw_foreign_latencies(one), "");
  std::vector<Ceiling> alone{chain(Operation::mul, "avx2", 3)};
  EXPECT_EQ(withdraw_foreign_latencies(alone), "");
  std::vector<Ceiling> disturbed{chain(Operation::mul, "avx512", 3.8), chain(Operation::mul, "avx2", 3.8)};
  EXPECT_EQ(withdraw_foreign_latencies(disturbed), "") << "a clock that was measured while disturbed";
  EXPECT_TRUE(one[1].theory && alone[0].theory && disturbed[0].theory);
}

}  // namespace
}  // namespace roofline
