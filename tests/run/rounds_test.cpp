#include "bench/run/rounds.hpp"

#include "bench/model/assessment.hpp"
#include "tests/session_ceilings.hpp"

namespace roofline::rounds_test {
namespace {

/// A machine whose memory changes its speed: `speed` by the number of samples so far.
class KernelsInRounds : public SessionCeilings {
 protected:
  Timer at_speed(double seconds) {
    return [this, seconds](int batch) { return seconds * batch / speed_(samples_++); };
  }
  void add_dram(const std::string& mix = "read", double bytes = 2e6) {
    CeilingVariant variant;
    variant.ceiling = example::memory(MemoryLevel::DRAM, mix, 0, 1);
    variant.make = {[this, bytes] {
      auto work = workload(bytes);
      work.time = at_speed(1e-3);
      return work;
    }};
    suite_.add_ceiling(std::move(variant));
  }
  /// A row that reads at `share` of what memory gives.
  void add_row(double share) {
    Workload kernel;
    static_cast<Runnable&>(kernel) = workload(0);
    kernel.time = at_speed(1e-3 / share);
    kernel.check = [this] { return check_; };
    suite_.add({.name = "kernel", .family = "kernel", .make = [this, kernel] { return ++made_, kernel; }});
    plan_.kernels = {&suite_.variants()[0]};
    counter_ = std::make_shared<CounterFunction>([](auto&, auto&) { return std::optional(read_from_dram(2e6)); });
  }

  std::function<double(int)> speed_ = [](int) { return 1.0; };
  int samples_ = 0, made_ = 0;
  Check check_;
};

TEST_F(KernelsInRounds, FollowTheirRoofWhereMemorySlowsWithinTheRun) {
  add_dram(), add_row(0.8);
  speed_ = [](int n) { return n < 30 ? 1.0 : 0.8; };
  const auto& results = run();
  EXPECT_EQ(results.rounds, 36);
  ASSERT_EQ(results.points.size(), 1u);
  const auto& point = results.points[0];
  EXPECT_EQ(point.rounds(), 36);
  EXPECT_EQ(point.samples.size(), 72u) << "two between three of the roof";
  ASSERT_EQ(point.probes.size(), 1u);
  EXPECT_EQ(point.probes[0].rates.size(), 36u);
  const auto mix = assess(results.roofline, point).mix;
  ASSERT_TRUE(mix && mix->range);
  EXPECT_NEAR(mix->efficiency, 0.8, 1e-9) << "whatever memory gave";
  EXPECT_EQ(point.probes[0].samples.at(11).size(), 3u);
  EXPECT_GT(results.roofline.ceilings()[0].rate_high, 1.99e9) << "the best visit";
  EXPECT_LT(results.roofline.ceilings()[0].rate, 1.61e9) << "the median of the visits, most of them slow";
  EXPECT_GT(results.timer.shortest_sample, 2e-3) << "of launches that are timed together";
  EXPECT_GT(results.timer.sampled_seconds, 36 * (2 + 3) * 2e-3) << "of kernels and their roofs";
}

TEST_F(KernelsInRounds, AreFewerWhereSomebodyWaitsForAFewRows) {
  add_dram(), add_row(0.8);
  options_.filter = "kernel";
  EXPECT_EQ(run().rounds, 24);
}

TEST_F(KernelsInRounds, AreSetUpOnceAndVerifiedOnTheBuffersThatAreTimed) {
  add_dram(), add_row(0.8);
  run();
  EXPECT_EQ(made_, 1);
  check_ = {false, "element 3: got 1, expected 2"};
  suite_ = Suite(cpu_target(machine(), 1)), plan_ = {}, made_ = 0;
  add_dram(), add_row(0.8);
  const auto& results = run();
  EXPECT_TRUE(results.points.empty());
  ASSERT_EQ(results.failures.size(), 1u);
  EXPECT_EQ(results.failures[0].first, "kernel");
  EXPECT_NE(results.failures[0].second.find("element 3"), std::string::npos);
}

TEST_F(KernelsInRounds, GoOnWithTheRoundsThatAJournalKnows) {
  add_dram(), add_row(0.8);
  std::vector<std::string> lines;
  journal_ = Records({}, [&](const std::string& line) { lines.push_back(line); });
  const auto first = run().points.at(0);
  const int samples = samples_;
  journal_ = Records(lines);
  made_ = 0;
  plan_.ceilings.clear();
  const auto& again = run();
  EXPECT_EQ(made_, 0) << "nothing of it is left to do";
  ASSERT_EQ(again.points.size(), 1u);
  EXPECT_EQ(again.points[0].time.median, first.time.median);
  EXPECT_EQ(again.points[0].samples.size(), first.samples.size());
  EXPECT_EQ(again.points[0].counts.at(MemoryLevel::DRAM), first.counts.at(MemoryLevel::DRAM));
  EXPECT_LT(samples_ - samples, 40) << "but that the ceiling is set up";
}

TEST_F(KernelsInRounds, GoOnWithTheProbesOfTheRoundsBefore) {
  add_dram(), add_row(0.8);
  counter_ = std::make_shared<CounterFunction>([](auto&, auto&) {
    Counts counts;
    counts.at(MemoryLevel::DRAM) = Traffic{1e6, 1e6};
    return std::optional(counts);
  });
  std::vector<std::string> lines;
  journal_ = Records({}, [&](const std::string& line) { lines.push_back(line); });
  run();
  const auto fourth = std::find_if(lines.begin(), lines.end(),
                                   [](const auto& line) { return line.find("\"round\":3") != std::string::npos; });
  ASSERT_NE(fourth, lines.end());
  journal_ = Records({lines.begin(), fourth});
  plan_.ceilings.clear();
  add_dram("copy", 2e6);  // nearer to what the row does
  const auto& point = run().points.at(0);
  ASSERT_EQ(point.probes.size(), 1u) << "of which every round has a rate";
  EXPECT_EQ(point.probes[0].ceiling, suite_.ceilings()[0].ceiling.name);
  EXPECT_EQ(point.probes[0].rates.size(), 36u);
}

/// `seconds` of a busy core.
void keep_busy(double seconds) {
  const auto begin = Clock::now();
  while (seconds_since(begin) < seconds) continue;
}

TEST_F(KernelsInRounds, SampleALongLaunchInPartsAndVerifyAWholeOne) {
  constexpr double launch = 20e-3;
  bool last_was_whole = false;
  Workload kernel;
  kernel.launch = [&] { keep_busy(launch), last_was_whole = true; };
  kernel.divided = [&](Index parts) {
    return [&, parts] {
      keep_busy(launch / static_cast<double>(parts)), last_was_whole = false;
      return 1 / static_cast<double>(parts);
    };
  };
  kernel.check = [&] { return Check{last_was_whole, "a part was verified"}; };
  suite_.add({.name = "kernel", .family = "kernel", .make = [=] { return kernel; }});
  plan_.kernels = {&suite_.variants()[0]};
  add_dram();
  counter_ = std::make_shared<CounterFunction>([](auto&, auto&) { return std::optional(read_from_dram(2e6)); });
  options_.time_limit = 1e-9;
  ASSERT_EQ(run().points.size(), 1u);
  const auto& point = results_.points[0];
  EXPECT_GT(point.samples.size(), 3u) << "two in a round, because none of them is long";
  EXPECT_LT(point.samples[0].launches, 0.5);
  EXPECT_GE(point.time.median, launch) << "of a whole launch";
  EXPECT_LT(point.samples[0].timed(), 0.9 * launch);
}

TEST_F(KernelsInRounds, AreThreeWhereTheTimeIsOverBeforeTheFirst) {
  add_dram(), add_row(0.8);
  options_.time_limit = 1e-9;
  EXPECT_EQ(run().rounds, 3);
}

TEST_F(KernelsInRounds, ThatNeedMoreMemoryThanIsLeftAreLeftOutUnlessSomebodyChoseTheirSize) {
  add_dram();
  suite_.add({.name = "huge", .family = "huge", .make = []() -> Workload { throw TooLarge("huge needs 9 GB"); }});
  plan_.kernels = {&suite_.variants()[0]};
  EXPECT_TRUE(run().failures.empty());
  ASSERT_EQ(results_.skipped.size(), 1u);
  EXPECT_NE(results_.skipped[0].find("huge needs 9 GB"), std::string::npos);
  suite_.fix_size("huge");
  plan_.ceilings.clear();
  EXPECT_EQ(run().failures.size(), 1u);
}

/// A row that takes a millisecond, and in the caches of its core what the launches are told to.
class LaunchesInCore : public SessionCeilings {
 protected:
  KernelPoint measure() {
    suite_.add({.name = "k", .family = "k", .make = [this] {
                  Workload work;
                  static_cast<Runnable&>(work) = workload(0);
                  work.in_core = {[this](Index) { return seconds_.at(launches_++ % seconds_.size()); }, chunk_bytes_};
                  return work;
                }});
    plan_.kernels = {&suite_.variants()[0]};
    counter_ = std::make_shared<CounterFunction>([this](auto&, auto&) {
      Counts counts;
      counts.at(level_) = Traffic{1e6, 0};
      return counts;
    });
    return run().points.at(0);
  }

  static Machine with_caches() {
    Machine machine;
    machine.fingerprint = "ours";
    machine.caches = {{.level = MemoryLevel::L2, .size = 1 << 20, .shared_by = 1},
                      {.level = MemoryLevel::L3, .size = 32 << 20, .shared_by = 2}};
    return machine;
  }
  LaunchesInCore() { suite_ = Suite(cpu_target(with_caches(), 1)), quick_ = false; }

  std::vector<double> seconds_{0.7e-3, 0.5e-3, 0.6e-3};
  std::size_t launches_ = 0;
  double chunk_bytes_ = 1 << 20;
  MemoryLevel level_ = MemoryLevel::DRAM;
};

TEST_F(LaunchesInCore, AreMadeOfARowThatMemoryServes) {
  EXPECT_DOUBLE_EQ(measure().in_core, 0.5e-3) << "the shortest";
  EXPECT_EQ(launches_, 3u) << "one in each of the first rounds";
}

TEST_F(LaunchesInCore, AreMadeOfARowThatL3Serves) {
  level_ = MemoryLevel::L3;
  EXPECT_DOUBLE_EQ(measure().in_core, 0.5e-3);
}

TEST_F(LaunchesInCore, WouldSayNothingOfARowThatIsThereAnyhow) {
  level_ = MemoryLevel::L2;
  EXPECT_EQ(measure().in_core, 0);
  EXPECT_EQ(launches_, 0u);
}

TEST_F(LaunchesInCore, NeedAChunkThatFitsTheCacheThatACoreHasAlone) {
  chunk_bytes_ = (1 << 20) + 1;
  EXPECT_EQ(measure().in_core, 0);
}

TEST_F(LaunchesInCore, TakeTimeThatAQuickRunHasNot) {
  quick_ = true;
  EXPECT_EQ(measure().in_core, 0);
}

}  // namespace
}  // namespace roofline::rounds_test
