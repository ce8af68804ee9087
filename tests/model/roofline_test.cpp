#include "bench/model/roofline.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace roofline::roofline_test {
namespace {

constexpr auto L1 = MemoryLevel::L1, L2 = MemoryLevel::L2, L3 = MemoryLevel::L3, DRAM = MemoryLevel::DRAM;

// Empirical ceilings of a V100 in GFLOP/s and GB/s (NERSC talk).
constexpr double v100_fma = 7068.86, v100_nofma = 3535.79, v100_l1 = 14336, v100_l2 = 2996.82, v100_hbm = 828.758;

Ceiling compute(Operation operation, double rate, int threads = 1) {
  Ceiling ceiling;
  ceiling.kind = Ceiling::Kind::compute;
  ceiling.operation = operation;
  ceiling.rate = rate;
  ceiling.threads = threads;
  return ceiling;
}

Ceiling bandwidth(MemoryLevel level, const char* mix, double rate, int threads = 1) {
  Ceiling ceiling;
  ceiling.kind = Ceiling::Kind::bandwidth;
  ceiling.level = level;
  ceiling.mix = mix_of(mix).value();
  ceiling.rate = rate;
  ceiling.threads = threads;
  return ceiling;
}

Roofline v100() {
  return Roofline({compute(Operation::fma, v100_fma), compute(Operation::nofma, v100_nofma),
                   bandwidth(L1, "read", v100_l1), bandwidth(L2, "read", v100_l2), bandwidth(DRAM, "triad", v100_hbm)},
                  1);
}

/// 10^9 FLOPs (all FMA) that move the bytes of the given intensities.
Counts counts(std::initializer_list<std::pair<MemoryLevel, double>> intensities) {
  Counts result;
  result.operations.fma = 500'000'000;
  for (const auto& [level, intensity] : intensities) result.at(level) = Traffic{1e9 / intensity, 0};
  return result;
}

TEST(Roofline, UnknownPrecisionHasABoundWhereItIsThatOfBoth) {
  auto all = v100().ceilings();
  for (const auto operation : {Operation::fma, Operation::nofma})
    all.push_back(compute(operation, 2 * v100_fma)), all.back().precision = "fp32";
  const Roofline roofline(all, 1);
  auto computing = counts({{DRAM, 1000}}), moving = counts({{DRAM, 0.1}});
  computing.precision = moving.precision = "unknown";
  EXPECT_FALSE(roofline.attainable(computing, true)) << "twice as high for single precision";
  ASSERT_TRUE(roofline.attainable(moving, true));
  EXPECT_DOUBLE_EQ(roofline.attainable(moving, true)->rate, 0.1 * v100_hbm);
}

TEST(Roofline, EachPartOfTheMachineHasItsOwnMoment) {
  const auto fma = compute(Operation::fma, 100), l1 = bandwidth(L1, "read", 50),
             far = bandwidth(MemoryLevel::L3, "read", 20), dram = bandwidth(DRAM, "read", 10);
  const Moment slow{.dram = 0.5, .l3 = 0.25, .core = 0.75};
  EXPECT_DOUBLE_EQ(rate_at(fma, slow), 75);
  EXPECT_DOUBLE_EQ(rate_at(l1, slow), 37.5);
  EXPECT_DOUBLE_EQ(rate_at(far, slow), 5);
  EXPECT_DOUBLE_EQ(rate_at(dram, slow), 5);
  EXPECT_DOUBLE_EQ(rate_at(fma, {}), 100);

  const Roofline roofline({fma, l1}, 1);
  EXPECT_DOUBLE_EQ(roofline.attainable(counts({{L1, 1000}}), true, slow)->rate, 75);
  EXPECT_DOUBLE_EQ(roofline.attainable(counts({{L1, 0.5}}), true, slow)->rate, 18.75);
  EXPECT_DOUBLE_EQ(roofline.attainable_mix(counts({{L1, 0.5}}), slow)->rate, 18.75);
  EXPECT_DOUBLE_EQ(roofline.attainable_mix(counts({{L1, 1000}}), slow)->rate, 75);
}

TEST(Roofline, NamesTheCeilingsThatCouldBindALaunch) {
  const Roofline roofline({compute(Operation::fma, 100), bandwidth(L1, "read", 1000), bandwidth(DRAM, "read", 10)}, 1);
  const auto names = [&](const Counts& launch) {
    std::vector<std::string> all;
    for (const auto* ceiling : roofline.binding(launch, true)) all.push_back(ceiling->name);
    return all;
  };
  const std::string fma = compute(Operation::fma, 100).name, dram = bandwidth(DRAM, "read", 10).name;
  EXPECT_EQ(names(counts({{L1, 1}, {DRAM, 1}})), (std::vector{dram}));
  EXPECT_EQ(names(counts({{L1, 1}, {DRAM, 1000}})), (std::vector{fma})) << "L1 and arithmetic are one part: the core";
  EXPECT_EQ(names(counts({{L1, 1}, {DRAM, 9}})), (std::vector{dram, fma}))
      << "the second needs 0.9 of the first's time";
  EXPECT_EQ(names(counts({{L1, 1}, {DRAM, 7}})), (std::vector{dram}));
  EXPECT_TRUE(names(Counts{}).empty());
}

TEST(Roofline, TheFrontEndBoundsWhereInstructionsWereCounted) {
  auto ceilings = v100().ceilings();
  ceilings.emplace_back().kind = Ceiling::Kind::instructions;
  ceilings.back().rate = 20e3;
  const Roofline roofline(ceilings, 1);
  auto launch = counts({{DRAM, 1000}});
  EXPECT_EQ(name(roofline.attainable_mix(launch)->resource), "fma");
  launch.instructions = 4e9;  // four for each FLOP
  EXPECT_EQ(name(roofline.attainable_mix(launch)->resource), "front end");
  EXPECT_DOUBLE_EQ(roofline.attainable_mix(launch)->rate, 5e3);
  EXPECT_EQ(name(v100().attainable_mix(launch)->resource), "fma") << "without that ceiling nothing is known of it";
}

// ---- Which ceiling

TEST(Roofline, TakesTheBestInstructionSetOfFullIlpOnAllThreads) {
  auto wide = compute(Operation::fma, 300, 2), narrow = compute(Operation::fma, 40, 2);
  auto chain = compute(Operation::fma, 900, 2), one_thread = compute(Operation::fma, 800, 1);
  auto single = compute(Operation::fma, 700, 2);
  chain.ilp = false;
  single.precision = "fp32";
  const Roofline roofline({narrow, chain, wide, one_thread, single}, 2);
  EXPECT_EQ(roofline.compute(Operation::fma)->rate, 300);
  EXPECT_EQ(roofline.compute(Operation::fma, "fp32")->rate, 700);
  EXPECT_EQ(roofline.compute(Operation::div), nullptr);
}

TEST(Roofline, CeilingsUnderSustainedLoadAreNoRoofs) {
  auto flops = compute(Operation::fma, 900), bytes = bandwidth(DRAM, "read", 90);
  flops.sustained = bytes.sustained = true;
  const Roofline roofline({flops, compute(Operation::fma, 800), bytes, bandwidth(DRAM, "read", 80)}, 1);
  EXPECT_EQ(roofline.compute(Operation::fma)->rate, 800);
  EXPECT_EQ(roofline.bandwidth(DRAM)->rate, 80);
  EXPECT_EQ(roofline.bandwidth(DRAM, Mix::read)->rate, 80);
  EXPECT_EQ(roofline.matching_mix(DRAM, 0)->rate, 80);
}

TEST(Roofline, SharedMemoryBoundsAKernelThatUsesIt) {
  const Roofline roofline(
      {compute(Operation::fma, 100), bandwidth(DRAM, "read", 1e9), bandwidth(MemoryLevel::shared, "copy", 10)}, 1);
  const auto bound = roofline.attainable(counts({{DRAM, 4}, {MemoryLevel::shared, 0.5}}), true);
  EXPECT_EQ(name(bound->resource), "shared");
  EXPECT_EQ(bound->rate, 5);
}

TEST(Roofline, RoofOfALevelIsItsBestPlainMix) {
  const Roofline roofline({bandwidth(DRAM, "copy", 50), bandwidth(DRAM, "read", 60), bandwidth(DRAM, "stride:8", 90),
                           bandwidth(DRAM, "random", 80), bandwidth(DRAM, "write_nt", 70), bandwidth(L2, "read", 500),
                           bandwidth(DRAM, "read", 400, 2)},
                          1);
  EXPECT_EQ(roofline.bandwidth(DRAM)->mix, Mix::read);
  EXPECT_EQ(roofline.bandwidth(DRAM)->rate, 60);
  EXPECT_EQ(roofline.bandwidth(DRAM, Mix::random)->rate, 80);
  EXPECT_EQ(roofline.bandwidth(DRAM, Mix::triad), nullptr);
  EXPECT_EQ(roofline.bandwidth(L3), nullptr);
}

// Written shares with write-allocate: read 0, triad 1/4, copy 1/3, write and update 1/2; more for explicit bytes (L1).
TEST(Roofline, MatchingMixHasTheNearestShareOfWrittenBytes) {
  std::vector<Ceiling> ceilings;
  for (const auto level : {L1, DRAM})
    for (const auto& [mix, allocating] :
         {std::pair{"read", 1.0}, {"triad", 4.0 / 3}, {"copy", 3.0 / 2}, {"write", 2.0}, {"update", 1.0}}) {
      ceilings.push_back(bandwidth(level, mix, mix == std::string("update") ? 11 : 10));
      if (level != L1) ceilings.back().bytes_per_explicit_byte = allocating;
    }
  ceilings.push_back(bandwidth(DRAM, "stride:2", 99));
  const Roofline roofline(ceilings, 1);
  EXPECT_EQ(roofline.matching_mix(DRAM, 0)->mix, Mix::read);
  EXPECT_EQ(roofline.matching_mix(DRAM, 8.0 / 32)->mix, Mix::triad);
  EXPECT_EQ(roofline.matching_mix(DRAM, 8.063 / (16.253 + 8.063))->mix, Mix::copy);  // the 7-point stencil
  EXPECT_EQ(roofline.matching_mix(DRAM, 0.5)->mix, Mix::update);                     // of two equal shares the faster
  EXPECT_EQ(roofline.matching_mix(L1, 8.0 / 24)->mix, Mix::triad);
  EXPECT_EQ(roofline.matching_mix(L1, 0.48)->mix, Mix::update);
  EXPECT_EQ(roofline.matching_mix(L1, 1)->mix, Mix::write);
  EXPECT_EQ(roofline.matching_mix(L3, 0.5), nullptr);
}

// ---- Known answers, derived from the published ceilings

TEST(Roofline, RidgesOfTheV100) {
  const auto roofline = v100();
  EXPECT_NEAR(*roofline.ridge(DRAM), 8.5295, 5e-5);
  EXPECT_NEAR(*roofline.ridge(L2), 2.3588, 5e-5);
  EXPECT_NEAR(*roofline.ridge(L1), 0.49308, 5e-6);
  EXPECT_NEAR(roofline.compute(Operation::nofma)->rate / roofline.bandwidth(DRAM)->rate, 4.2664, 5e-5);
  EXPECT_FALSE(roofline.ridge(L3));
  EXPECT_FALSE(Roofline({compute(Operation::nofma, 1), bandwidth(DRAM, "read", 1)}, 1).ridge(DRAM));
}

TEST(Roofline, LowestBoundNamesTheResource) {
  const auto roofline = v100();
  const auto at = [&](double l1, double l2, double hbm, bool fma) {
    return *roofline.attainable(counts({{L1, l1}, {L2, l2}, {DRAM, hbm}}), fma);
  };
  EXPECT_EQ(name(at(16, 16, 16, true).resource), "fma");
  EXPECT_EQ(at(16, 16, 16, true).rate, v100_fma);
  EXPECT_FALSE(at(16, 16, 16, true).level);
  EXPECT_EQ(name(at(16, 16, 16, false).resource), "nofma");  // a contraction-free build has its own roof
  EXPECT_EQ(at(16, 16, 16, false).rate, v100_nofma);
  EXPECT_EQ(name(at(0.1, 16, 16, true).resource), "L1");
  EXPECT_EQ(name(at(16, 1, 16, true).resource), "L2");
  EXPECT_NEAR(at(1. / 12, 1. / 12, 1. / 12, true).rate, 69.1, 0.05);  // triad
  EXPECT_NEAR(at(7. / 16, 7. / 16, 7. / 16, true).rate, 362.6, 0.05);
}

TEST(Roofline, UnknownLevelsAndCeilingsBoundNothing) {
  EXPECT_EQ(name(v100().attainable(counts({}), true)->resource), "fma");
  EXPECT_EQ(name(v100().attainable(counts({{L3, 1e-9}}), true)->resource), "fma");  // the V100 has no L3 roof
  EXPECT_FALSE(Roofline().attainable(counts({{DRAM, 1}}), true));
  EXPECT_FALSE(Roofline().attainable_mix(counts({{DRAM, 1}})));
  EXPECT_TRUE(Roofline().empty());
  Counts idle;
  idle.at(DRAM) = Traffic{};  // a level that moves nothing has no intensity
  EXPECT_FALSE(idle.intensity(DRAM));
  EXPECT_FALSE(idle.intensity(L2));
}

}  // namespace
}  // namespace roofline::roofline_test
