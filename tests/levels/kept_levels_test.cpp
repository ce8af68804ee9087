#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>

#include "bench/levels/levels.hpp"
#include "bench/levels/measured_levels.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/levels/ladders.hpp"

namespace roofline::kept_levels_test {
namespace {

using ladders::KiB, ladders::MiB;

/// A folder for what is kept, and a machine whose ladder a test makes up.
class KeptLevelsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    machine_.fingerprint = "Test 1/2/3, 2 cores";
    machine_.memory_bytes = 8e9;
    machine_.caches = machine_.declared_caches = {
        {.level = MemoryLevel::L1, .size = 48 << 10, .ways = 12},
        {.level = MemoryLevel::L2, .size = 1 << 20, .ways = 16},
        {.level = MemoryLevel::L3, .size = std::uint64_t{508} << 20, .ways = 16, .shared_by = 2}};
  }

  /// Measures with an L3 of so many bytes per thread; counts the samples.
  std::vector<std::string> measure(double l3, double memory_rate = 50) {
    age_kept(std::chrono::hours(1));
    return measure_at_once(l3, memory_rate);
  }
  void age_kept(std::chrono::minutes age) const {
    const auto file = *kept_levels_file(machine_, 2);
    if (std::filesystem::exists(file))
      std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
  }
  std::vector<std::string> measure_at_once(double l3, double memory_rate = 50) {
    machine_.caches = machine_.declared_caches;
    samples_ = 0;
    return measure_levels(machine_, 2, [&, l3, memory_rate](int, double most) -> ReadProbe {
      memory_ = most;
      return [&, l3, memory_rate](double bytes, double) {
        ++samples_;
        return 1e9 * (bytes < 50 * KiB ? 700 : bytes < 1.05 * MiB ? 310 : bytes <= l3 ? 170 : memory_rate);
      };
    });
  }

  const testing::CacheFolder cache_;
  const std::filesystem::path folder_ = cache_.path();
  Machine machine_;
  int samples_ = 0;
  double memory_ = 0;  ///< bytes per thread that the last ladder asked for
};

TEST_F(KeptLevelsTest, AreTheSameInTheNextRunForFewSamples) {
  EXPECT_EQ(measure(14 * MiB), std::vector<std::string>{});
  const auto first = machine_.caches;
  const int all = samples_;
  EXPECT_EQ(machine_.levels, "measured");
  EXPECT_EQ(first[2].size, 28 * MiB);
  EXPECT_EQ(measure(15 * MiB), std::vector<std::string>{});
  EXPECT_EQ(machine_.caches[2].size, first[2].size) << "an edge that is hardly elsewhere changes no byte";
  EXPECT_NE(machine_.levels.find("short ladder"), std::string::npos);
  EXPECT_LT(2 * samples_, all);
  EXPECT_EQ(memory_, 4 * 14 * MiB) << "pages that a short ladder never reads take most of its time";
  machine_.caches = machine_.declared_caches;
  recall_levels(machine_, 2);
  EXPECT_EQ(machine_.caches[2].size, 28 * MiB);
  EXPECT_EQ(machine_.largest_llc, 28 * MiB);
}

TEST_F(KeptLevelsTest, OfAFewMinutesAgoAreNotMeasuredAgain) {
  measure(14 * MiB);
  age_kept(std::chrono::minutes(9));
  EXPECT_EQ(measure_at_once(6 * MiB), std::vector<std::string>{});
  EXPECT_EQ(samples_, 0);
  EXPECT_EQ(machine_.caches[2].size, 28 * MiB);
  age_kept(std::chrono::minutes(11));
  measure_at_once(14 * MiB);
  EXPECT_GT(samples_, 0);
  measure_at_once(14 * MiB);
  EXPECT_EQ(samples_, 0) << "a ladder that confirms is one of a moment ago";
  age_kept(-std::chrono::hours(1));  // a clock that was set back
  measure_at_once(14 * MiB);
  EXPECT_GT(samples_, 0);
}

TEST_F(KeptLevelsTest, ThatAreDeniedAreMeasuredAgainAndSaid) {
  measure(14 * MiB);
  const auto notes = measure(6 * MiB);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("L3 12 MiB now, L1 48 KiB, L2 1 MiB, L3 28 MiB then"), std::string::npos) << notes[0];
  EXPECT_EQ(machine_.caches[2].size, 12 * MiB);
  // Back on two core complexes: the smaller one counts, sets of DRAM are larger than both.
  EXPECT_EQ(measure(14 * MiB), std::vector<std::string>{});
  EXPECT_EQ(machine_.caches[2].size, 12 * MiB);
}

TEST_F(KeptLevelsTest, OfAnotherHostOrNumberOfThreadsDoNotCount) {
  measure(14 * MiB);
  EXPECT_TRUE(read_kept_levels(machine_, 2));
  EXPECT_FALSE(read_kept_levels(machine_, 1));
  const auto mine = *kept_levels_file(machine_, 2);
  std::filesystem::copy(mine, *kept_levels_file(machine_, 1));
  EXPECT_FALSE(read_kept_levels(machine_, 1)) << "the file says of how many threads it is";
  machine_.fingerprint = "Test 1/2/4, 2 cores";
  EXPECT_FALSE(read_kept_levels(machine_, 2));
  std::filesystem::copy(mine, *kept_levels_file(machine_, 2));
  EXPECT_FALSE(read_kept_levels(machine_, 2)) << "the file says whose it is";
}

TEST_F(KeptLevelsTest, OfAnotherNodeOfTheSameKindDoNotCount) {
  ::setenv("ROOFLINE_NODE", "n1", 1);
  measure(14 * MiB);
  const auto of_n1 = *kept_levels_file(machine_, 2);
  EXPECT_TRUE(read_kept_levels(machine_, 2));
  ::setenv("ROOFLINE_NODE", "n2", 1);
  EXPECT_NE(*kept_levels_file(machine_, 2), of_n1);
  EXPECT_FALSE(read_kept_levels(machine_, 2));
  std::filesystem::copy(of_n1, *kept_levels_file(machine_, 2));
  EXPECT_FALSE(read_kept_levels(machine_, 2)) << "the file says of which node it is";
  ::unsetenv("ROOFLINE_NODE");
}

TEST_F(KeptLevelsTest, ThatAreDamagedAreAsIfThereWereNone) {
  measure(14 * MiB);
  const auto file = *kept_levels_file(machine_, 2);
  const auto text = read_file(file);
  const auto with = [&](const std::string& from, const std::string& to) {
    auto damaged = text;
    damaged.replace(damaged.find(from), from.size(), to);
    write_file(file, damaged);
    return read_kept_levels(machine_, 2).has_value();
  };
  EXPECT_TRUE(with("29360128", "29360128"));
  EXPECT_FALSE(with("29360128", "1024")) << "smaller than a set";
  EXPECT_FALSE(with("29360128", "-5"));
  EXPECT_FALSE(with("29360128", "\"28M\""));
  EXPECT_FALSE(with("\"level\": 3", "\"level\": 2"));
  EXPECT_FALSE(with("\"level\": 3", "\"level\": 9"));
  EXPECT_FALSE(with("\"caches\"", "\"cashes\""));
  write_file(file, text.substr(0, text.size() / 2));
  EXPECT_FALSE(read_kept_levels(machine_, 2));
}

TEST_F(KeptLevelsTest, ThatCannotBeWrittenCostALine) {
  write_file(folder_, "a file where a folder is needed");
  const auto notes = measure(14 * MiB);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].find("the levels are not kept for the next run: "), 0u) << notes[0];
  EXPECT_EQ(machine_.caches[2].size, 28 * MiB) << "they count all the same";
}

TEST_F(KeptLevelsTest, WithoutAProbeTheMachineIsBelieved) {
  const auto notes = measure_levels(machine_, 2, [](int, double) -> ReadProbe { throw std::bad_alloc(); });
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("not measured"), std::string::npos) << notes[0];
  EXPECT_EQ(machine_.caches[2].size, 508 * MiB);
  // An earlier run knows better.
  measure(14 * MiB);
  age_kept(std::chrono::hours(1));
  machine_.caches = machine_.declared_caches;
  const auto again = measure_levels(machine_, 2, [](int, double) -> ReadProbe { throw std::bad_alloc(); });
  EXPECT_NE(again.at(0).find("the levels of an earlier run, not measured now"), std::string::npos) << again.at(0);
  EXPECT_EQ(machine_.caches[2].size, 28 * MiB);
}

TEST(LargestRung, FitsIntoAQuarterOfTheMemory) {
  EXPECT_EQ(largest_rung(0, 2), 256 * MiB);
  EXPECT_EQ(largest_rung(64e9, 2), 256 * MiB);
  EXPECT_EQ(largest_rung(256 * MiB, 2), 32 * MiB);
}

TEST(Climbing, TakesTheBestOfItsRoundsAtEverySize) {
  int calls = 0;
  const auto ladder = climb([&](double, double) { return ++calls % 7 == 0 ? 1.0 : 3.0; }, {.most = 64 * KiB});
  ASSERT_EQ(ladder.size(), 17u);
  EXPECT_EQ(calls, 4 * 17);
  for (const auto& rung : ladder) EXPECT_EQ(rung.rate, 3);
  EXPECT_EQ(ladder[16].bytes, 64 * KiB);
  EXPECT_EQ(ladder[1].bytes, 4608) << "whole iterations";
}

TEST(Climbing, OfLessThanOneRoundShowsNothing) {
  EXPECT_THROW(climb([](double, double) { return 1.0; }, {.most = 64 * KiB, .time_limit = -1}), std::runtime_error);
}

TEST_F(KeptLevelsTest, AreOfTheCpusThatTheThreadsRunOn) {
  machine_.cpus = {0, 1, 2, 3};
  EXPECT_EQ(measure(14 * MiB), std::vector<std::string>{});
  machine_.cpus = {0, 1, 6, 7};
  EXPECT_TRUE(read_kept_levels(machine_, 2)) << "two threads run on the first two";
  machine_.cpus = {1, 2, 3, 4};
  EXPECT_FALSE(read_kept_levels(machine_, 2)) << "these may share another cache";
}

}  // namespace
}  // namespace roofline::kept_levels_test
