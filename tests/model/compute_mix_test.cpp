#include <gtest/gtest.h>

#include "bench/model/roofline.hpp"

namespace roofline::compute_mix_test {
namespace {

constexpr double v100_fma = 7068.86;  // GFLOP/s of a V100 (NERSC talk)

Ceiling compute(Operation operation, double rate) {
  Ceiling ceiling;
  ceiling.kind = Ceiling::Kind::compute;
  ceiling.operation = operation;
  ceiling.rate = rate;
  ceiling.threads = 1;
  return ceiling;
}

/// General weighted ceiling (1 + alpha) / (2 alpha / F_fma + (1 - alpha) / F_nofma): convention A of the talks, for
/// published two-ceiling machines. alpha = FMA instructions / all (FMA, MUL, ADD) instructions, 0..1.
double weighted_ceiling(double alpha, double fma_rate, double nofma_rate) {
  return (1 + alpha) / (2 * alpha / fma_rate + (1 - alpha) / nofma_rate);
}

Operations mix(std::uint64_t add, std::uint64_t mul, std::uint64_t fma, std::uint64_t div = 0) {
  return {.add = add, .mul = mul, .fma = fma, .div = div};
}

// Every instruction on the same pipes, one FLOP or two: the weighted ceiling (convention A) comes out.
TEST(ComputeMix, OnSharedPipesIsTheWeightedCeiling) {
  const Roofline shared({compute(Operation::fma, v100_fma), compute(Operation::mul, v100_fma / 2),
                         compute(Operation::add, v100_fma / 2), compute(Operation::nofma, v100_fma / 2)},
                        1);
  const auto gpp = shared.compute_mix(mix(6, 52, 86), "fp64");
  ASSERT_TRUE(gpp);
  EXPECT_NEAR(gpp->rate, 5645.27, 0.005);
  EXPECT_EQ(name(gpp->resource), "issue");
  for (const auto& operations : {mix(1, 2, 3), mix(10, 10, 80), mix(30, 20, 50), mix(1, 1, 0)})
    EXPECT_NEAR(shared.compute_mix(operations, "fp64")->rate,
                weighted_ceiling(operations.fma_fraction(), v100_fma, v100_fma / 2), 1e-9);
  EXPECT_NEAR(shared.compute_mix(mix(0, 0, 1), "fp64")->rate, v100_fma, 1e-9);
}

// Two FMA/multiply pipes and two adders next to them (Zen 5), rates in instructions per cycle.
TEST(ComputeMix, OnSeparatePipesAdditionsAreFree) {
  const Roofline separate({compute(Operation::fma, 4), compute(Operation::mul, 2), compute(Operation::add, 2),
                           compute(Operation::nofma, 4)},
                          1);
  EXPECT_DOUBLE_EQ(separate.compute_mix(mix(1, 0, 1), "fp64")->rate, 6);  // one FMA and one add, half a cycle each
  EXPECT_DOUBLE_EQ(separate.compute_mix(mix(1, 1, 0), "fp64")->rate, 4);
  EXPECT_EQ(name(separate.compute_mix(mix(0, 1, 1), "fp64")->resource), "fma+mul");
  EXPECT_DOUBLE_EQ(separate.compute_mix(mix(0, 1, 1), "fp64")->rate, 3);
  EXPECT_EQ(name(separate.compute_mix(mix(3, 1, 0), "fp64")->resource), "add");
  EXPECT_DOUBLE_EQ(separate.compute_mix(mix(3, 1, 0), "fp64")->rate, 4 / 1.5);
}

TEST(ComputeMix, DivisionsHaveTheirOwnUnit) {
  const Roofline roofline({compute(Operation::fma, 4), compute(Operation::div, 0.25)}, 1);
  const auto bound = roofline.compute_mix(mix(0, 0, 8, 1), "fp64");  // 17 FLOP: 4 cycles of FMA, 4 of division
  EXPECT_DOUBLE_EQ(bound->rate, 17.0 / 4);
  EXPECT_EQ(name(roofline.compute_mix(mix(0, 0, 8, 2), "fp64")->resource), "div");
  EXPECT_DOUBLE_EQ(roofline.compute_mix(mix(0, 0, 8, 2), "fp64")->rate, 18.0 / 8);
}

// In cycles of one core: 2 FLOP of an FMA in one, a division in 9; 48 FMAs and a division in 52.
Roofline dividing_core(double seconds_of_both = 52) {
  const auto both = compute(Operation::fma48div, 97 / seconds_of_both);
  const auto fma = compute(Operation::fma, 2), div = compute(Operation::div, 1.0 / 9);
  return Roofline({fma, div, both}, 1);
}

TEST(ComputeMix, DivisionsTakeSlotsOfTheirNeighboursAsMeasured) {
  EXPECT_DOUBLE_EQ(*dividing_core().division_slots(), 4);
  const auto bound = dividing_core().compute_mix(mix(0, 0, 16, 1), "fp64");
  EXPECT_EQ(name(bound->resource), "fma+mul+div");
  EXPECT_DOUBLE_EQ(bound->rate, 33.0 / 20);
  EXPECT_DOUBLE_EQ(dividing_core().compute_mix(mix(0, 0, 4, 1), "fp64")->rate, 9.0 / 9) << "the divider itself";
  EXPECT_EQ(name(dividing_core().compute_mix(mix(0, 0, 1600, 1), "fp64")->resource), "fma") << "too few to name";
}

TEST(ComputeMix, SlotsOfDivisionsAreUnknownWhereTheDividerIsWhatFmasWaitFor) {
  const auto slow = Roofline(
      {compute(Operation::fma, 2), compute(Operation::div, 1.0 / 56), compute(Operation::fma48div, 97 / 56.0)}, 1);
  EXPECT_FALSE(slow.division_slots());
  EXPECT_FALSE(Roofline({compute(Operation::fma, 2), compute(Operation::div, 1)}, 1).division_slots());
  EXPECT_EQ(dividing_core(47).division_slots(), 0) << "faster than the FMAs alone: within the noise";
  EXPECT_EQ(dividing_core(104).division_slots(), 9) << "slower than one after the other: measured on half of a core";
}

TEST(ComputeMix, SlotsOfDivisionsAreOfRatesInTurns) {
  auto both = compute(Operation::fma48div, 40), fma = compute(Operation::fma, 100);  // threads shared a core, then not
  both.of_fma = 0.97;
  EXPECT_NEAR(*Roofline({fma, both}, 1).division_slots(), 2, 1e-9);
}

TEST(ComputeMix, NothingToBoundWithoutOperationsOrCeilings) {
  EXPECT_FALSE(Roofline({compute(Operation::fma, v100_fma)}, 1).compute_mix({}, "fp64"));
  EXPECT_FALSE(Roofline().compute_mix(mix(1, 1, 1), "fp64"));
}

}  // namespace
}  // namespace roofline::compute_mix_test
