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

/// The caches that a virtual machine declares.
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
  const Expected near_l3{L3, 24 * MiB, 40 * MiB, 16, 2}, about_l3{L3, 20 * MiB, 48 * MiB, 16, 2};
  // Levels that nobody has declared: edges between rungs, and the usual numbers of ways.
  const Expected some_l1{L1, 40 * KiB, 56 * KiB, 8}, some_l2{L2, 768 * KiB, 1.25 * MiB, 8};
  const std::vector<Expected> like_zen5{{L1, 40 * KiB, 48 * KiB, 8}, {L2, 640 * KiB, MiB, 8}, near_l3};
  std::vector<Case> all;
  const auto add = [&](const char* name, const std::vector<Rung>& ladder, const std::vector<CacheLevel>& declared,
                       int threads, const std::vector<Expected>& expected) {
    all.push_back({name, ladder, declared, threads, expected});
  };
  add("AMeasuredVirtualMachine", ladders::measured_zen5(), declared_508, 2, {l1, l2, near_l3});
  add("AMeasuredVirtualMachineOfWhichNothingIsTold", ladders::measured_zen5(), {}, 2, like_zen5);
  const std::vector<CacheLevel> zen4{cache(L1, 32 * KiB), cache(L2, MiB), cache(L3, 32 * MiB, 16, 2)};
  for (const auto& [ladder, threads] : {std::pair{ladders::measured_zen4_alone(), 1},
                                        {ladders::measured_zen4(), 2},
                                        {ladders::measured_zen4_busy(), 2}})
    add("L2AndL3ThatAreNearlyAsFast", ladder, zen4, threads, {as(zen4[0]), as(zen4[1]), as(zen4[2])});
  // As a guest without an L3 in its tables: the fall behind L2 is flat and shallow, and less than one behind it.
  const Course sloping{.caches = {{48 * KiB, 850}, {1 * MiB, 300}, {14 * MiB, 205}, {40 * MiB, 90}},
                       .memory = 45,
                       .slope = 3,
                       .noise = 0.15};
  add("ADeclaredCacheWithinASlope", climbed(sloping), {declared_32[0], declared_32[1]}, 2,
      {l1, l2, {L3, 10 * MiB, 64 * MiB, 16, 2}});
  add("HonestFourLevels", climbed(four), declared_32, 2, {l1, l2, l3});
  add("FourLevelsDeclaredAs508", climbed(four), declared_508, 2, {l1, l2, near_l3});
  add("FourLevelsUntold", climbed(four), {}, 2, {some_l1, some_l2, near_l3});
  const auto three = climbed({.caches = {{32 * KiB, 120}, {512 * KiB, 60}}, .memory = 12});
  add("ThreeLevels", three, two_levels, 1, {as(two_levels[0]), as(two_levels[1])});
  add("ThreeLevelsUntold", three, {}, 4, {{L1, 28 * KiB, 40 * KiB, 8}, {L2, 384 * KiB, 640 * KiB, 8}});
  add("OneCacheAndMemory", climbed({.caches = {{64 * KiB, 90}}, .memory = 10}), {}, 1, {{L1, 48 * KiB, 80 * KiB, 8}});
  add("NoL3ThoughOneIsDeclared", climbed(with(four, [](auto& c) { c.caches.pop_back(); })), declared_32, 2, {l1, l2});
  add("L3AsFastAsMemory", climbed(with(four, [](auto& c) { c.caches[2].rate = 53; })), declared_32, 2, {l1, l2});
  add("L2AsFastAsL1", climbed(with(four, [](auto& c) { c.caches[0].rate = 330; })), declared_32, 2,
      {{L1, MiB, MiB, 16}, l3});
  add("L3AsFastAsL2", climbed(with(four, [](auto& c) { c.caches[1].rate = 180; })), declared_32, 2, {l1, l3});
  add("AVictimL3", climbed({.caches = {{32 * KiB, 2000}, {1 * MiB, 900}, {2.375 * MiB, 400}}, .memory = 90}), skylake,
      20, {as(skylake[0]), as(skylake[1]), as(skylake[2])});
  for (const int rung : {5, 14, 24, 32, 40, 46, 58, 64})
    add("OneRungDisturbed", climbed(with(four, [=](auto& c) { c.disturbed = {rung}; })), declared_508, 2,
        {l1, l2, about_l3});
  add("TwoRungsDisturbed",
      climbed(with(four,
                   [](auto& c) {
                     c.disturbed.assign({22, 41});
                   })),
      declared_32, 2, {l1, l2, l3});
  for (const double drift : {0.3, -0.3})
    add("AClockThatMovesBy30Percent", climbed(with(four, [=](auto& c) { c.drift = drift; })), declared_508, 2,
        {l1, l2, near_l3});
  add("LoopsOfFewIterations", climbed(with(four, [](auto& c) { c.late_start = 0.5; })), declared_508, 2,
      {l1, l2, near_l3});
  add("RungsThatScatterBy15Percent", climbed(with(four, [](auto& c) { c.noise = 0.15; })), declared_508, 2,
      {l1, l2, about_l3});
  add("AnL3ThatEndsInALongSlope", climbed(with(four, [](auto& c) { c.slope = 2, c.caches[2].end = 20 * MiB; })),
      declared_508, 2, {l1, l2, {L3, 16 * MiB, 64 * MiB, 16, 2}});
  const auto alone = climbed({.caches = {{48 * KiB, 350}, {1 * MiB, 155}, {32 * MiB, 85}}, .memory = 25});
  add("OneThreadHasTheWholeL3", alone, declared_32, 1, {l1, l2, l3});
  add("OneThreadOfAnL3DeclaredAs508", alone, declared_508, 1, {l1, l2, near_l3});
  const std::vector<CacheLevel> epyc{cache(L1, 32 * KiB), cache(L2, MiB), cache(L3, 32 * MiB, 16, 8)};
  const auto many = climbed({.caches = {{32 * KiB, 14000}, {1 * MiB, 6800}, {4 * MiB, 3500}}, .memory = 380});
  add("SixtyFourThreadsOnEightL3s", many, epyc, 64, {as(epyc[0]), as(epyc[1]), as(epyc[2])});
  add("SixtyFourThreadsOfWhichNothingIsTold", many, {}, 64,
      {{L1, 28 * KiB, 40 * KiB, 8}, some_l2, {L3, 192 * MiB, 320 * MiB, 16, 64}});
  add("AMemoryLimitOf256MiB", climbed(with(four, [](auto& c) { c.most = 32 * MiB; })), declared_508, 2,
      {l1, l2, {L3, 20 * MiB, 40 * MiB, 16, 2}});
  const auto within =
      climbed({.caches = {{48 * KiB, 700}, {1 * MiB, 310}, {64 * MiB, 170}}, .memory = 50, .most = 20 * MiB});
  add("ALadderThatEndsJustBeyondAShareOfL3", within, declared_32, 2, {l1, l2, l3});
  add("AMemoryLimitThatHidesL3", climbed(with(four, [](auto& c) { c.most = 6 * MiB; })), declared_32, 2, {l1, l2, l3});
  add("AMadeUpTopology", ladders::measured_zen5(), {cache(L1, 32 * KiB), cache(L2, 256 * KiB), cache(L3, MiB)}, 2,
      like_zen5);
  const Course five{.caches = {{48 * KiB, 700}, {1 * MiB, 310}, {8 * MiB, 170}, {64 * MiB, 110}}, .memory = 30};
  add("FiveLevelsAreFour", climbed(five), {}, 1, {some_l1, some_l2, {L3, 48 * MiB, 80 * MiB, 16}});
  add("AFlatLadderSaysNothing", climbed({.caches = {}, .memory = 3}), declared_32, 2, {l1, l2, l3});
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
  add(12, 800), add(8, 300), add(3, 400), add(8, 260), add(10, 100);
  const auto levels = plateaus(ladder);
  ASSERT_EQ(levels.size(), 3u) << "260 is less than least_fall below 300";
  EXPECT_EQ(levels[1].to, ladder[30].bytes) << "three faster rungs at the end of a level are no slope behind it";
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

TEST(Levels, ThreadsThatOutnumberTheCoresShareThem) {
  Machine machine;
  machine.cores = machine.usable_cores = 2;
  machine.caches = declared_32;
  const auto on_each = [&](int threads) {
    share_cores(machine, threads);
    return machine.caches[0].threads_per_core;
  };
  EXPECT_EQ(on_each(1), 1u);
  EXPECT_EQ(on_each(2), 1u);
  EXPECT_EQ(on_each(3), 2u) << "one of the cores has two";
  EXPECT_EQ(on_each(4), 2u);
  EXPECT_EQ(on_each(5), 3u);
}

TEST(Levels, ALadderLeavesRoomForTheOtherThreads) {
  EXPECT_EQ(largest_rung(8 * 64 * MiB, 1), 128 * MiB);
  EXPECT_EQ(largest_rung(8 * 64 * MiB, 8), 16 * MiB) << "all threads together take a quarter";
  EXPECT_EQ(largest_rung(0, 8), 256 * MiB);
}

TEST(Levels, BecomeThoseOfTheMachine) {
  Machine machine;
  machine.cores = 2;
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

TEST(Levels, AreSharedByTheThreadsOfOneCore) {
  Machine machine;
  machine.cores = 2;
  machine.declared_caches = declared_508;
  set_levels(machine, declared_32, 4, "measured");
  EXPECT_EQ(cache_share(machine.caches[0], 4), 24 * KiB);
  EXPECT_EQ(cache_share(machine.caches[0], 1), 48 * KiB);
  EXPECT_EQ(cache_share(machine.declared_caches[2], 4), 127 * MiB);
  // The ladder of four threads ends where each has half of a core's caches: these are the declared ones.
  const Course halves{.caches = {{24 * KiB, 700}, {512 * KiB, 310}, {8 * MiB, 170}}, .memory = 50};
  auto declared = declared_32;
  for (auto& one : declared) one.threads_per_core = 2;
  const auto caches = caches_of(climbed(halves), declared, 4);
  ASSERT_EQ(caches.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(caches[i].size, declared_32[i].size);
}

}  // namespace
}  // namespace roofline::levels_test
