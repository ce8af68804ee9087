#include "bench/levels/levels.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/levels/ladder.hpp"
#include "tests/levels/ladders.hpp"

namespace roofline::levels_test {
namespace {

using ladders::climbed, ladders::Course, ladders::KiB, ladders::MiB;

CacheLevel cache(MemoryLevel level, double size, unsigned ways = 8, unsigned shared_by = 1) {
  return {.level = level, .size = static_cast<std::uint64_t>(size), .ways = ways, .line = 64, .shared_by = shared_by};
}
constexpr auto L1 = MemoryLevel::L1, L2 = MemoryLevel::L2, L3 = MemoryLevel::L3;

/// What a virtual machine declares.
const std::vector<CacheLevel> declared_508{cache(L1, 48 * KiB, 12), cache(L2, MiB, 16), cache(L3, 508 * MiB, 16, 2)};
const std::vector<CacheLevel> declared_32{cache(L1, 48 * KiB, 12), cache(L2, MiB, 16), cache(L3, 32 * MiB, 16, 2)};
const std::vector<CacheLevel> skylake{cache(L1, 32 * KiB), cache(L2, MiB, 16), cache(L3, 20 * 1408 * KiB, 11, 20)};
const std::vector<CacheLevel> two_levels{cache(L1, 32 * KiB, 8), cache(L2, 512 * KiB, 8)};

struct Expected {
  MemoryLevel level;
  double least, most;  ///< bytes of the cache
  unsigned ways;       ///< of the declared geometry, or of none
  unsigned shared_by = 1;
};

struct Case {
  const char* name;
  std::vector<Rung> ladder;
  std::vector<CacheLevel> declared;
  int threads;
  std::vector<Expected> expected;
};
std::ostream& operator<<(std::ostream& out, const Case& which) { return out << which.name; }

Expected as(const CacheLevel& c) {
  return {c.level, static_cast<double>(c.size), static_cast<double>(c.size), c.ways, c.shared_by};
}

const Course four{.caches = {{48 * KiB, 700}, {1 * MiB, 310}, {16 * MiB, 170}}, .memory = 50};

Course with(Course course, auto change) {
  change(course);
  return course;
}

std::vector<Case> cases() {
  const Expected l1 = as(declared_32[0]), l2 = as(declared_32[1]), l3 = as(declared_32[2]);
  std::vector<Case> all;
  all.push_back({"AMeasuredVirtualMachine",
                 ladders::measured_zen5(),
                 declared_508,
                 2,
                 {l1, l2, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  all.push_back({"AMeasuredVirtualMachineOfWhichNothingIsTold",
                 ladders::measured_zen5(),
                 {},
                 2,
                 {{L1, 40 * KiB, 48 * KiB, 8}, {L2, 640 * KiB, MiB, 8}, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  const std::vector<CacheLevel> zen4{cache(L1, 32 * KiB), cache(L2, MiB), cache(L3, 32 * MiB, 16, 2)};
  for (const auto& [ladder, threads] : {std::pair{ladders::measured_zen4_alone(), 1},
                                        {ladders::measured_zen4(), 2},
                                        {ladders::measured_zen4_busy(), 2},
                                        {ladders::measured_zen4_busier(), 2}})
    all.push_back({"L2AndL3ThatAreNearlyAsFast", ladder, zen4, threads, {as(zen4[0]), as(zen4[1]), as(zen4[2])}});
  // As a guest without an L3 in its tables: the fall behind L2 is flat and shallow, and less than one behind it.
  all.push_back({"ADeclaredCacheWithinASlope",
                 climbed({.caches = {{48 * KiB, 850}, {1 * MiB, 300}, {14 * MiB, 205}, {40 * MiB, 90}},
                          .memory = 45,
                          .slope = 3,
                          .noise = 0.15}),
                 {declared_32[0], declared_32[1]},
                 2,
                 {l1, l2, {L3, 10 * MiB, 64 * MiB, 16, 2}}});
  all.push_back({"HonestFourLevels", climbed(four), declared_32, 2, {l1, l2, l3}});
  all.push_back({"FourLevelsDeclaredAs508", climbed(four), declared_508, 2, {l1, l2, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  all.push_back({"FourLevelsUntold",
                 climbed(four),
                 {},
                 2,
                 {{L1, 40 * KiB, 56 * KiB, 8}, {L2, 768 * KiB, 1.25 * MiB, 8}, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  all.push_back({"ThreeLevels",
                 climbed({.caches = {{32 * KiB, 120}, {512 * KiB, 60}}, .memory = 12}),
                 two_levels,
                 1,
                 {as(two_levels[0]), as(two_levels[1])}});
  all.push_back({"ThreeLevelsUntold",
                 climbed({.caches = {{32 * KiB, 120}, {512 * KiB, 60}}, .memory = 12}),
                 {},
                 4,
                 {{L1, 28 * KiB, 40 * KiB, 8}, {L2, 384 * KiB, 640 * KiB, 8}}});
  all.push_back(
      {"OneCacheAndMemory", climbed({.caches = {{64 * KiB, 90}}, .memory = 10}), {}, 1, {{L1, 48 * KiB, 80 * KiB, 8}}});
  all.push_back({"NoL3ThoughOneIsDeclared",
                 climbed({.caches = {{48 * KiB, 700}, {1 * MiB, 310}}, .memory = 50}),
                 declared_32,
                 2,
                 {l1, l2}});
  all.push_back({"L3AsFastAsMemory",
                 climbed({.caches = {{48 * KiB, 700}, {1 * MiB, 310}, {16 * MiB, 53}}, .memory = 50}),
                 declared_32,
                 2,
                 {l1, l2}});
  all.push_back({"L2AsFastAsL1",
                 climbed({.caches = {{48 * KiB, 330}, {1 * MiB, 310}, {16 * MiB, 170}}, .memory = 50}),
                 declared_32,
                 2,
                 {{L1, MiB, MiB, 16}, l3}});
  all.push_back({"L3AsFastAsL2",
                 climbed({.caches = {{48 * KiB, 700}, {1 * MiB, 180}, {16 * MiB, 170}}, .memory = 50}),
                 declared_32,
                 2,
                 {l1, l3}});
  all.push_back({"AVictimL3",
                 climbed({.caches = {{32 * KiB, 2000}, {1 * MiB, 900}, {2.375 * MiB, 400}}, .memory = 90}),
                 skylake,
                 20,
                 {as(skylake[0]), as(skylake[1]), as(skylake[2])}});
  for (const int rung : {5, 14, 24, 32, 40, 46, 58, 64})
    all.push_back({"OneRungDisturbed",
                   climbed(with(four, [=](auto& c) { c.disturbed = {rung}; })),
                   declared_508,
                   2,
                   {l1, l2, {L3, 20 * MiB, 48 * MiB, 16, 2}}});
  all.push_back({"TwoRungsDisturbed",
                 climbed(with(four,
                              [](auto& c) {
                                c.disturbed = {22, 41};
                              })),
                 declared_32,
                 2,
                 {l1, l2, l3}});
  all.push_back({"AClockThatFallsBy30Percent",
                 climbed(with(four, [](auto& c) { c.drift = 0.3; })),
                 declared_508,
                 2,
                 {l1, l2, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  all.push_back({"AClockThatRisesBy30Percent",
                 climbed(with(four, [](auto& c) { c.drift = -0.3; })),
                 declared_508,
                 2,
                 {l1, l2, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  all.push_back({"LoopsOfFewIterations",
                 climbed(with(four, [](auto& c) { c.late_start = 0.5; })),
                 declared_508,
                 2,
                 {l1, l2, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  all.push_back({"RungsThatScatterBy15Percent",
                 climbed(with(four, [](auto& c) { c.noise = 0.15; })),
                 declared_508,
                 2,
                 {l1, l2, {L3, 20 * MiB, 48 * MiB, 16, 2}}});
  all.push_back({"AnL3ThatEndsInALongSlope",
                 climbed(with(four,
                              [](auto& c) {
                                c.slope = 2;
                                c.caches[2].end = 20 * MiB;
                              })),
                 declared_508,
                 2,
                 {l1, l2, {L3, 16 * MiB, 64 * MiB, 16, 2}}});
  all.push_back({"OneThreadHasTheWholeL3",
                 climbed({.caches = {{48 * KiB, 350}, {1 * MiB, 155}, {32 * MiB, 85}}, .memory = 25}),
                 declared_32,
                 1,
                 {l1, l2, l3}});
  all.push_back({"OneThreadOfAnL3DeclaredAs508",
                 climbed({.caches = {{48 * KiB, 350}, {1 * MiB, 155}, {32 * MiB, 85}}, .memory = 25}),
                 declared_508,
                 1,
                 {l1, l2, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  const std::vector<CacheLevel> epyc{cache(L1, 32 * KiB), cache(L2, MiB), cache(L3, 32 * MiB, 16, 8)};
  all.push_back({"SixtyFourThreadsOnEightL3s",
                 climbed({.caches = {{32 * KiB, 14000}, {1 * MiB, 6800}, {4 * MiB, 3500}}, .memory = 380}),
                 epyc,
                 64,
                 {as(epyc[0]), as(epyc[1]), as(epyc[2])}});
  all.push_back({"SixtyFourThreadsOfWhichNothingIsTold",
                 climbed({.caches = {{32 * KiB, 14000}, {1 * MiB, 6800}, {4 * MiB, 3500}}, .memory = 380}),
                 {},
                 64,
                 {{L1, 28 * KiB, 40 * KiB, 8}, {L2, 768 * KiB, 1.25 * MiB, 8}, {L3, 192 * MiB, 320 * MiB, 16, 64}}});
  all.push_back({"AMemoryLimitOf256MiB",
                 climbed(with(four, [](auto& c) { c.most = 32 * MiB; })),
                 declared_508,
                 2,
                 {l1, l2, {L3, 20 * MiB, 40 * MiB, 16, 2}}});
  all.push_back({"AMemoryLimitThatHidesL3",
                 climbed(with(four, [](auto& c) { c.most = 6 * MiB; })),
                 declared_32,
                 2,
                 {l1, l2, l3}});
  all.push_back({"AMadeUpTopology",
                 ladders::measured_zen5(),
                 {cache(L1, 32 * KiB), cache(L2, 256 * KiB), cache(L3, MiB)},
                 2,
                 {{L1, 40 * KiB, 48 * KiB, 8}, {L2, 640 * KiB, MiB, 8}, {L3, 24 * MiB, 40 * MiB, 16, 2}}});
  all.push_back({"FiveLevelsAreFour",
                 climbed({.caches = {{48 * KiB, 700}, {1 * MiB, 310}, {8 * MiB, 170}, {64 * MiB, 110}}, .memory = 30}),
                 {},
                 1,
                 {{L1, 40 * KiB, 56 * KiB, 8}, {L2, 768 * KiB, 1.25 * MiB, 8}, {L3, 48 * MiB, 80 * MiB, 16}}});
  all.push_back({"AFlatLadderSaysNothing", climbed({.caches = {}, .memory = 3}), declared_32, 2, {l1, l2, l3}});
  return all;
}

class Ladder : public ::testing::TestWithParam<Case> {};

TEST_P(Ladder, ShowsItsCaches) {
  const auto& [name, ladder, declared, threads, expected] = GetParam();
  const auto found = caches_of(ladder, declared, threads);
  std::string seen;
  for (const auto& p : plateaus(ladder))
    seen += fmt::format("{:.0f} GB/s {:.0f} .. {:.0f} KiB, ", 1e-9 * p.rate, p.from / 1024, p.to / 1024);
  ASSERT_EQ(found.size(), expected.size()) << seen << disagreement(found, declared);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].level, expected[i].level) << i << ": " << seen;
    EXPECT_GE(static_cast<double>(found[i].size), expected[i].least) << i << ": " << seen;
    EXPECT_LE(static_cast<double>(found[i].size), expected[i].most) << i << ": " << seen;
    EXPECT_EQ(found[i].ways, expected[i].ways) << i;
    EXPECT_EQ(found[i].shared_by, expected[i].shared_by) << i;
  }
  EXPECT_NO_THROW(CacheHierarchy{found});
}

INSTANTIATE_TEST_SUITE_P(Levels, Ladder, ::testing::ValuesIn(cases()),
                         [](const auto& which) { return which.param.name + std::to_string(which.index); });

TEST(Plateaus, TakeInRisesAndSmallFalls) {
  std::vector<Rung> ladder;
  const auto add = [&](int rungs, double rate) {
    while (rungs-- > 0) ladder.push_back({least_rung * std::exp2(static_cast<double>(ladder.size()) / 4), rate});
  };
  add(12, 800), add(8, 300), add(3, 400), add(10, 100);
  const auto levels = plateaus(ladder);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[1].to, ladder[22].bytes) << "three faster rungs at the end of a level are no slope behind it";
  EXPECT_EQ(levels[1].rate, 300);
  EXPECT_EQ(levels[0].to, ladder[11].bytes);
  EXPECT_TRUE(plateaus({}).empty());
}

TEST(Edges, AreRoundedByRatio) {
  EXPECT_EQ(rounded_edge(49.35 * KiB), 48 * KiB);
  EXPECT_EQ(rounded_edge(14.9 * MiB), 14 * MiB);
  EXPECT_EQ(rounded_edge(15.5 * MiB), 16 * MiB);
  EXPECT_EQ(rounded_edge(1024), 1024);
}

TEST(Levels, AreConfirmedByWhatIsNear) {
  auto kept = declared_32;
  EXPECT_TRUE(confirms(declared_32, kept, 2));
  kept[2].size = static_cast<std::uint64_t>(24 * MiB);
  EXPECT_TRUE(confirms(declared_32, kept, 2)) << "the last cache may be larger now";
  kept[2].size = static_cast<std::uint64_t>(64 * MiB);
  EXPECT_FALSE(confirms(declared_32, kept, 2)) << "and not smaller: sets of it would not fit";
  kept = declared_32, kept[1].size *= 2;
  EXPECT_FALSE(confirms(declared_32, kept, 2));
  kept.pop_back();
  EXPECT_FALSE(confirms(declared_32, kept, 2));
}

TEST(Levels, BecomeThoseOfTheMachine) {
  Machine machine;
  machine.caches = machine.declared_caches = declared_508;
  set_levels(machine, caches_of(ladders::measured_zen5(), declared_508, 2), 2, "measured");
  EXPECT_EQ(machine.largest_llc, machine.caches[2].size);
  EXPECT_EQ(machine.cache_note, "L3 24 MiB measured; the machine says 508 MiB");
  EXPECT_EQ(machine.levels, "measured");
  // Private caches of two threads are both filled.
  set_levels(machine, {declared_32[0], declared_32[1]}, 2, "measured");
  EXPECT_EQ(machine.largest_llc, 2 * MiB);
  EXPECT_EQ(machine.cache_note, "no L3 measured; the machine says 508 MiB");
}

}  // namespace
}  // namespace roofline::levels_test
