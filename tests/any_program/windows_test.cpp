#include "bench/any_program/counter/windows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "bench/any_program/count/bytes.hpp"

namespace roofline::windows_test {
namespace {

using namespace ::roofline::any_program;
using State = Windows::State;

/// Words in each state of a run of so many, and how often a window began.
struct Seen {
  std::map<State, std::uint64_t> words;
  int windows = 0;
  std::set<std::uint64_t> skipped;  ///< lengths of what lies between windows
};

Seen run(std::uint64_t words, std::uint64_t turnover) {
  constexpr std::uint64_t part = 1u << 14;
  Windows windows{};
  windows.turnover = turnover;
  Seen seen;
  std::uint64_t length = 0;
  for (std::uint64_t done = 0; done < words; done += part) {
    const auto before = windows.state;
    length = before == State::skips ? length + part : 0;
    seen.words[before] += part;
    windows.pass(part);
    if (before == State::skips && windows.state != before) seen.skipped.insert(length);
    if (before == State::warms) {
      EXPECT_TRUE(windows.state == State::warms || windows.state == State::counts) << "nothing lies between";
    }
    if (windows.state == State::counts && before != State::counts) ++seen.windows;
  }
  return seen;
}

TEST(Windows, AShortRunIsSeenAsAWhole) {
  const auto all = run(Windows::first, 0);
  EXPECT_EQ(all.words.size(), 1u);
  EXPECT_EQ(all.words.at(State::whole), Windows::first);
}

TEST(Windows, EachIsAsLongAsItsWarmingAndMoreIsSkippedLater) {
  const auto early = run(Windows::first * 2, 0), late = run(Windows::first * 200, 0);
  for (const auto* all : {&early, &late}) {
    const auto& words = all->words;
    const auto counts = static_cast<double>(words.at(State::counts));
    EXPECT_NEAR(counts, static_cast<double>(words.at(State::warms)), 1.1 * Windows::shortest);
    EXPECT_NEAR(counts, static_cast<double>(all->windows) * Windows::shortest, 1.1 * Windows::shortest);
  }
  EXPECT_GT(late.skipped.size(), 10u) << "at random places";
  const auto skipped = [](const Seen& all) {
    return static_cast<double>(all.words.at(State::skips)) / static_cast<double>(all.words.at(State::counts));
  };
  EXPECT_LT(skipped(early), 6);
  EXPECT_NEAR(skipped(late), 18, 3) << "nine times the two, but for the first ones";
}

TEST(Windows, WarmUntilTheLastCacheHasOtherLines) {
  constexpr std::uint64_t turnover = 20 * Windows::shortest;
  const auto all = run(Windows::first * 100, turnover);
  EXPECT_GE(all.words.at(State::warms), static_cast<std::uint64_t>(all.windows) * turnover);
  EXPECT_GE(all.words.at(State::whole), turnover);
  const auto endless = run(12 * Windows::longest, ~std::uint64_t{0});
  EXPECT_GT(endless.windows, 0) << "not longer than the longest";
}

Accessed accessed(std::uint64_t bytes) { return {.loaded = bytes}; }

Moved moved(double bytes) {
  Moved all;
  all.levels[1].read = bytes;
  return all;
}

TEST(WindowedBytes, AreExactWhereNothingWasLeftOut) {
  WindowedBytes its;
  its.add(accessed(800), accessed(800)), its.add_whole(accessed(800), accessed(800), moved(64));
  EXPECT_EQ(its.all().moved.levels[1].read, 64);
  EXPECT_EQ(its.estimate(accessed(800)).moved.levels[1].read, 64);
  EXPECT_EQ(its.estimate(accessed(800)).variances[1], 0);
}

TEST(WindowedBytes, HaveTheRatioOfTheWindowsToWhatWasAccessed) {
  WindowedBytes its;
  its.add(accessed(800), accessed(800)), its.add_whole(accessed(800), accessed(800), moved(640));
  for (const double bytes : {10.0, 20.0, 30.0}) {
    its.add(accessed(100), accessed(100));
    EXPECT_TRUE(its.add_to_window(accessed(60), moved(bytes / 2)));
    EXPECT_FALSE(its.add_to_window(accessed(40), moved(bytes / 2))) << "not the first of its window";
    its.close_window();
  }
  // Later 3000 bytes were accessed, of which windows saw 300 that moved 60.
  const auto all = its.estimate(accessed(3800));
  EXPECT_EQ(all.accessed.loaded, 3800u);
  EXPECT_DOUBLE_EQ(all.moved.levels[1].read, 640 + 600);
  // Cochran: 3000^2 (1 - 0.1) / 3 x 100 / 100^2; t is 4.30 for two degrees of freedom, over the 2 of many.
  EXPECT_NEAR(all.variances[1], 3000.0 * 2700 / 3 * 100 / 1e4 * std::pow(4.30265 / 2, 2), 1);
  EXPECT_NEAR(all.biases[1], 0.02 * 540, 1e-9) << "of what was left out, for the caches' state";
}

TEST(WindowedBytes, OfOneWindowOrNoneMayBeALineForEachAccess) {
  WindowedBytes its;
  EXPECT_DOUBLE_EQ(its.estimate(accessed(1000)).biases[1], 16 * 1000);
  its.add(accessed(100), accessed(100)), its.add_to_window(accessed(100), moved(10)), its.close_window();
  EXPECT_DOUBLE_EQ(its.estimate(accessed(1000)).moved.levels[1].read, 100);
  EXPECT_DOUBLE_EQ(its.estimate(accessed(1000)).biases[1], 16 * 900);
}

TEST(WindowedBytes, OfMaskedAccessesAreScaledAsTheOthersAre) {
  WindowedBytes its;  // with half of their bytes more than the numbers of instructions tell
  its.add(accessed(300), accessed(200)), its.add_whole(accessed(300), accessed(200), moved(0));
  EXPECT_EQ(its.estimate(accessed(400)).accessed.loaded, 300u + 200) << "as many as these tell, where none was seen";
  its.add(accessed(75), accessed(50)), its.add_to_window(accessed(75), moved(0)), its.close_window();
  EXPECT_EQ(its.estimate(accessed(400)).accessed.loaded, 600u);
}

TEST(Trail, TellsALineFromAStratum) {
  const auto places = [](std::uintptr_t step) {
    Trail trail;
    for (std::uintptr_t i = 0; i < 4; ++i) trail.add(0x10000 + i * step);
    return trail.places();
  };
  EXPECT_EQ(places(0), Places::one_line);
  EXPECT_EQ(places(8), Places::one_line);
  EXPECT_EQ(places(64), Places::any);
  EXPECT_EQ(places(32), Places::any) << "two lines side by side";
  EXPECT_EQ(places(4096), Places::one_stratum);
  EXPECT_EQ(places(4096 + 256), Places::any);
}

}  // namespace
}  // namespace roofline::windows_test
