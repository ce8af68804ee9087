// Work with ceilings of its own: streaming stores, unpaired lines, parallel regions, costly loads.
#include <gtest/gtest.h>

#include "bench/model/assessment.hpp"
#include "bench/model/roofline.hpp"
#include "tests/example_results.hpp"

namespace roofline::level_time_test {
namespace {

constexpr auto DRAM = MemoryLevel::DRAM, L1 = MemoryLevel::L1;
using example::memory;

std::vector<Ceiling> plain() {
  return {memory(DRAM, "read", 50),   memory(DRAM, "write", 20), memory(DRAM, "copy", 40), memory(DRAM, "triad", 44),
          memory(DRAM, "update", 21), memory(L1, "read", 400),   memory(L1, "triad", 600)};
}

Roofline with(std::vector<Ceiling> more) {
  auto all = plain();
  all.insert(all.end(), more.begin(), more.end());
  return Roofline(std::move(all), 2);
}

Roofline with_streaming() {
  return with({memory(DRAM, "write_nt", 30), memory(DRAM, "copy_nt", 35), memory(DRAM, "triad_nt", 38)});
}

Roofline with_skipping(double gbytes) { return with({memory(DRAM, "stride:16", gbytes)}); }

Ceiling fork_join(double regions_per_second) {
  Ceiling c;
  c.kind = Ceiling::Kind::overhead, c.threads = 2, c.rate = regions_per_second, c.name = ceiling_name(c);
  return c;
}

Counts counts(double read, double written, double streamed = 0) {
  Counts c;
  c.operations.fma = 1'000'000'000;
  c.at(DRAM) = Traffic{read, written};
  c.streamed = streamed;
  return c;
}

std::string mix_of(const Roofline& roofline, const Counts& counts) {
  return std::string(name(roofline.level_time(DRAM, counts)->resource.mix.value()));
}

// ---- Streaming stores

TEST(StreamingMixes, AreThoseOfKernelsWithStreamingStores) {
  const auto roofline = with_streaming();
  EXPECT_EQ(mix_of(roofline, counts(8e9, 8e9, 8e9)), "copy_nt");
  EXPECT_EQ(mix_of(roofline, counts(16e9, 8e9, 8e9)), "triad_nt");
  EXPECT_EQ(mix_of(roofline, counts(0, 8e9, 8e9)), "write_nt");
  EXPECT_DOUBLE_EQ(roofline.level_time(DRAM, counts(8e9, 8e9, 8e9))->seconds, 16.0 / 35);
  EXPECT_EQ(name(roofline.attainable_mix(counts(8e9, 8e9, 8e9))->resource), "DRAM copy_nt");
}

TEST(StreamingMixes, LeaveEveryoneElseWhereTheyWere) {
  const auto roofline = with_streaming();
  for (const auto& [read, written, mix] : {std::tuple{8e9, 8e9, "update"},
                                           {16e9, 8e9, "copy"},
                                           {24e9, 8e9, "triad"},
                                           {1e9, 0.0, "read"},
                                           {0.0, 8e9, "update"}})
    EXPECT_EQ(mix_of(roofline, counts(read, written)), mix) << read;
  auto unknown = counts(8e9, 8e9, 8e9);
  unknown.streamed.reset();
  EXPECT_EQ(mix_of(roofline, unknown), "update");
  EXPECT_EQ(mix_of(roofline, counts(24e9, 8e9, 1e9)), "triad") << "an eighth of its stores";
}

TEST(StreamingMixes, AreForNobodyElseWhereFewPlainOnesWereMeasured) {
  EXPECT_EQ(mix_of(Roofline({memory(DRAM, "read", 20), memory(DRAM, "write_nt", 30)}, 2), counts(0, 8e9)), "read");
  EXPECT_FALSE(Roofline({memory(DRAM, "copy_nt", 35)}, 2).level_time(DRAM, counts(8e9, 8e9)));
}

TEST(StreamingMixes, TheNearestPlainOneServesWhereTheirsWasNotMeasured) {
  EXPECT_EQ(mix_of(with({}), counts(8e9, 8e9, 8e9)), "update");
  EXPECT_EQ(mix_of(with({memory(DRAM, "write_nt", 30)}), counts(8e9, 8e9, 8e9)), "update");
  EXPECT_EQ(mix_of(with({memory(DRAM, "write_nt", 30)}), counts(1e9, 8e9, 8e9)), "write_nt");
}

// ---- Unpaired lines

TEST(UnpairedLineTime, IsThatOfReadsThatSkipEverySecondLine) {
  const auto roofline = with_skipping(20);
  auto half = counts(20e9, 0);
  half.unpaired = 10e9;
  const auto time = roofline.level_time(DRAM, half);
  EXPECT_DOUBLE_EQ(time->seconds, 10.0 / 50 + 10.0 / 20);
  EXPECT_DOUBLE_EQ(time->unpaired, 10.0 / 20);
  EXPECT_EQ(time->resource.kind, Resource::Kind::unpaired_lines);
  half.unpaired = 1e9;
  EXPECT_EQ(mix_of(roofline, half), "read");
  EXPECT_DOUBLE_EQ(roofline.level_time(DRAM, half)->seconds, 19.0 / 50 + 1.0 / 20);
  half.unpaired = 0;
  EXPECT_DOUBLE_EQ(roofline.level_time(DRAM, half)->seconds, 20.0 / 50);
}

TEST(UnpairedLineTime, LeavesTheOthersTheirMix) {
  auto triad = counts(24e9 + 16e9, 8e9);
  triad.unpaired = 16e9;
  EXPECT_EQ(with_skipping(20).matching_dram(triad)->mix, Mix::triad);
  EXPECT_DOUBLE_EQ(with_skipping(20).level_time(DRAM, triad)->seconds, 32.0 / 44 + 16.0 / 20);
  EXPECT_EQ(with({}).matching_dram(triad)->mix, Mix::triad) << "8 / 48 of all";
  EXPECT_DOUBLE_EQ(with({}).level_time(DRAM, triad)->seconds, 48.0 / 44) << "nothing is known of unpaired lines";
}

TEST(UnpairedLineTime, FollowsAProbeOfItsOwnAndNotThatOfStreams) {
  const auto roofline = with_skipping(20);
  auto half = counts(20e9, 0);
  half.unpaired = 10e9;
  EXPECT_DOUBLE_EQ(roofline.level_time(DRAM, half, {.dram = 0.8})->seconds, 10.0 / 40 + 10.0 / 20);
  const auto probed = roofline.level_time(DRAM, half, {.unpaired = 1.5});
  EXPECT_DOUBLE_EQ(probed->unpaired, 10.0 / 30);
  EXPECT_DOUBLE_EQ(probed->seconds, 10.0 / 50 + 10.0 / 30);
  EXPECT_DOUBLE_EQ(roofline.level_time(DRAM, half, {.unpaired = 3})->unpaired, 10.0 / 60) << "whatever streams have";
}

TEST(UnpairedLineTime, IsNoShorterThanThatOfAPairWhereLinesComeOneByOne) {
  auto all = counts(10e9, 0);
  all.unpaired = 10e9;
  EXPECT_DOUBLE_EQ(with_skipping(60).level_time(DRAM, all)->seconds, 10.0 / 50);
  EXPECT_DOUBLE_EQ(with_skipping(60).level_time(DRAM, all, {.dram = 0.5})->seconds, 10.0 / 25);
  EXPECT_DOUBLE_EQ(with_skipping(20).level_time(DRAM, all, {.dram = 0.5})->seconds, 10.0 / 20)
      << "unpaired lines do not follow streams";
}

TEST(UnpairedLineTime, CanBeTheBoundOfARow) {
  auto launch = counts(10e9, 0);
  launch.unpaired = 9e9;
  const auto bound = with_skipping(20).attainable_mix(launch);
  EXPECT_EQ(name(bound->resource), "DRAM unpaired lines");
  EXPECT_EQ(bound->level, DRAM);
  EXPECT_DOUBLE_EQ(bound->rate, 2e9 / (9.0 / 20 + 1.0 / 50));
  EXPECT_DOUBLE_EQ(least_time(with_skipping(20), launch, {})->seconds, 9.0 / 20 + 1.0 / 50);
  KernelPoint copy;
  copy.counts = launch, copy.counts.operations = {}, copy.time.median = 1, copy.threads = 2;
  const auto assessment = assess(with_skipping(20), copy);
  EXPECT_EQ(name(assessment.mix->bound), "DRAM unpaired lines") << "of a kernel without FLOPs too";
  EXPECT_DOUBLE_EQ(assessment.mix->efficiency, 9.0 / 20 + 1.0 / 50);
  EXPECT_EQ(name(assessment.roof->bound), "DRAM");
}

// ---- Fork-join

TEST(ForkJoin, BoundsARowOfManyShortRegions) {
  const auto roofline = with({fork_join(1e6)});
  auto launch = counts(1e9, 0);
  EXPECT_FALSE(roofline.region_time(launch)) << "not counted";
  launch.regions = 10;
  EXPECT_DOUBLE_EQ(*roofline.region_time(launch), 10e-6);
  EXPECT_EQ(name(roofline.attainable_mix(launch)->resource), "DRAM read");
  launch.regions = 1e5;
  EXPECT_EQ(name(roofline.attainable_mix(launch)->resource), "fork-join");
  EXPECT_DOUBLE_EQ(roofline.attainable_mix(launch)->rate, 2e9 / 0.1);
  EXPECT_EQ(name(least_time(roofline, launch, {})->bound), "fork-join");
  EXPECT_FALSE(with({}).region_time(launch)) << "no ceiling";
  KernelPoint copy;
  copy.counts = launch, copy.counts.operations = {}, copy.time.median = 0.2, copy.threads = 2;
  EXPECT_EQ(name(assess(roofline, copy).mix->bound), "fork-join");
  EXPECT_DOUBLE_EQ(assess(roofline, copy).mix->efficiency, 0.5);
}

// ---- Costly loads: L1 has rates of their own for vectors that cross the end of a line and for gathered numbers

Roofline with_both() { return with({memory(L1, "read_split", 200), memory(L1, "gather", 100)}); }

/// 40 GB read, nothing written.
Counts reads(std::optional<double> split, std::optional<double> gathered) {
  Counts c;
  c.operations.fma = 1'000'000'000;
  c.at(L1) = Traffic{40e9, 0};
  c.split = split, c.gathered = gathered;
  return c;
}

TEST(CostlyLoads, AreHeldAgainstTheirOwnCeilings) {
  const auto time = with_both().level_time(L1, reads(10e9, 20e9));
  EXPECT_DOUBLE_EQ(time->split, 10.0 / 200);
  EXPECT_DOUBLE_EQ(time->gathered, 20.0 / 100);
  EXPECT_DOUBLE_EQ(time->seconds, 10.0 / 200 + 20.0 / 100 + 10.0 / 400);
  EXPECT_EQ(name(time->resource), "L1 gathers");
  EXPECT_EQ(name(with_both().level_time(L1, reads(39e9, 1e9))->resource), "L1 split loads");
  EXPECT_EQ(name(with_both().level_time(L1, reads(1e9, 0))->resource), "L1 read");
}

TEST(CostlyLoads, LeaveTheMixOfTheOthersWhatItIs) {
  auto counts = reads(0, 10e9);
  counts.at(L1) = Traffic{30e9, 10e9};  // a triad next to the gathers
  EXPECT_DOUBLE_EQ(with_both().level_time(L1, counts)->seconds, 10.0 / 100 + 30.0 / 600);
}

TEST(CostlyLoads, AreLikeOthersWhereTheyAreNotKnownOrHaveNoCeiling) {
  EXPECT_DOUBLE_EQ(with_both().level_time(L1, reads({}, {}))->seconds, 40.0 / 400);
  EXPECT_DOUBLE_EQ(with({}).level_time(L1, reads(10e9, 20e9))->seconds, 40.0 / 400);
  EXPECT_EQ(with({}).level_time(L1, reads(10e9, 20e9))->split, 0);
}

TEST(CostlyLoads, GatheredByInstructionsAreHeldAgainstThese) {
  auto counts = reads(0, 20e9);
  const auto both = with({memory(L1, "gather", 100), memory(L1, "gather_instructions", 40)});
  EXPECT_DOUBLE_EQ(both.level_time(L1, counts)->gathered, 20.0 / 100);
  counts.gathers_by_instructions = true;
  EXPECT_DOUBLE_EQ(both.level_time(L1, counts)->gathered, 20.0 / 40);
  EXPECT_DOUBLE_EQ(with_both().level_time(L1, counts)->gathered, 20.0 / 100) << "no slower than the fastest way";
}

TEST(CostlyLoads, AreNoMoreThanWhatIsRead) {
  EXPECT_DOUBLE_EQ(with_both().level_time(L1, reads(30e9, 30e9))->seconds, 30.0 / 200 + 10.0 / 100);
}

TEST(CostlyLoads, AreTheBoundThatTablesName) {
  KernelPoint point;
  point.counts = reads(0, 40e9), point.time = {1, 1, 1}, point.threads = 2;
  auto assessment = assess(with_both(), point);
  EXPECT_EQ(name(assessment.mix->bound), "L1 gathers");
  EXPECT_EQ(what_bounds(assessment), "gathers");
  EXPECT_NEAR(assessment.mix->efficiency, 0.4, 1e-12);
  point.counts = reads(40e9, 0);
  assessment = assess(with_both(), point);
  EXPECT_EQ(what_bounds(assessment), "split loads");
  EXPECT_EQ(name(assessment.roof->bound), "L1") << "the roof is that of the best mix";
}

// ---- The least time of a launch

/// 100 GFLOP/s with FMA, 50 without; 1000, 200 and 10 GB/s.
Roofline machine() {
  return Roofline({example::compute(Operation::fma, 100), example::compute(Operation::nofma, 50),
                   memory(MemoryLevel::L1, "read", 1000), memory(MemoryLevel::L2, "read", 200),
                   memory(MemoryLevel::DRAM, "read", 10)},
                  2);
}

Counts moving(Operations operations, double l2, double dram) {
  Counts c;
  c.operations = operations;
  c.at(MemoryLevel::L2) = Traffic{l2, 0};
  c.at(MemoryLevel::DRAM) = Traffic{dram / 2, dram / 2};
  return c;
}

TEST(LeastTime, IsThatOfTheSlowestResource) {
  const Operations fma{.fma = 1'000'000'000};
  const auto dram = least_time(machine(), moving(fma, 4e9, 1e9), fma);
  EXPECT_DOUBLE_EQ(dram->seconds, 0.1);
  EXPECT_EQ(name(dram->bound), "DRAM");
  const auto l2 = least_time(machine(), moving(fma, 40e9, 1e9), fma);
  EXPECT_DOUBLE_EQ(l2->seconds, 0.2);
  EXPECT_EQ(name(l2->bound), "L2");
  EXPECT_DOUBLE_EQ(least_time(machine(), moving(fma, 0, 1e6), fma)->seconds, 0.02);
}

TEST(LeastTime, InstructionsCountNotFlops) {
  const Operations mixed{.add = 500'000'000, .fma = 500'000'000};
  EXPECT_DOUBLE_EQ(least_time(machine(), moving(mixed, 0, 0), mixed)->seconds, 0.02);
  // A division that the device expands into six instructions.
  const Operations canonical{.fma = 1'000'000'000, .div = 100'000'000},
      executed{.mul = 100'000'000, .fma = 1'500'000'000};
  EXPECT_DOUBLE_EQ(least_time(machine(), moving(canonical, 0, 0), executed)->seconds, 0.032);
}

TEST(LeastTime, WithoutFlopsBytesBoundAndWithoutCeilingsNothingDoes) {
  EXPECT_DOUBLE_EQ(least_time(machine(), moving({}, 2e9, 1e9), {})->seconds, 0.1);
  EXPECT_FALSE(least_time(Roofline(), moving({.fma = 1}, 2e9, 1e9), {.fma = 1}));
}

TEST(LeastTime, EndsOfIntervalsScaleReadsAndWrites) {
  auto c = moving({}, 100, 40);
  c.range[static_cast<std::size_t>(MemoryLevel::DRAM)] = Span{20, 80};
  EXPECT_EQ(at_end(c, &Span::low).at(MemoryLevel::DRAM), (Traffic{10, 10}));
  EXPECT_EQ(at_end(c, &Span::high).at(MemoryLevel::DRAM), (Traffic{40, 40}));
  EXPECT_EQ(at_end(c, &Span::high).at(MemoryLevel::L2), (Traffic{100, 0}));
}

}  // namespace
}  // namespace roofline::level_time_test
