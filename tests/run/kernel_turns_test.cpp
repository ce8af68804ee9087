#include <cmath>
#include <thread>

#include "bench/run/kernel_phase.hpp"
#include "tests/session_ceilings.hpp"

namespace roofline {
namespace {

/// Twelve rows; what a launch of a row takes is told by its name and its turn.
class TurnsOfKernels : public SessionCeilings {
 protected:
  using Seconds = std::function<double(int row, int turn)>;

  const Results& measure(const Seconds& seconds, double time_limit = 0) {
    for (int row = 0; row < rows; ++row)
      suite_.add({.name = "k/" + std::string(1, static_cast<char>('a' + row)), .family = "k", .make = [=, this] {
                    const double launch = seconds(row, turn_[row]++);
                    Workload work;
                    work.launch = [] {};
                    work.time = [launch](int batch) { return launch * batch; };
                    work.check = [] { return Check{}; };
                    return work;
                  }});
    for (const auto& variant : suite_.variants()) plan_.kernels.push_back(&variant);
    run_ = std::make_unique<RunState>(suite_, options_, plan_);
    if (time_limit > 0) run_->time = TimeKeeper(time_limit);
    run_->results.roofline = Roofline({example::memory(MemoryLevel::L3, "read", 1, 1)}, 1);
    run_->placement = Placement([] { return 50e-9; });
    KernelPhase phase(*run_, std::make_shared<CounterFunction>([this](const std::string& row, auto&) {
      Counts counts;
      if (row == in_its_cache_) return counts;
      counts.at(MemoryLevel::L3) = Traffic{1e6, 0};
      return counts;
    }));
    benchmark::JSONReporter json;
    json.SetOutputStream(&text_), json.SetErrorStream(&text_);
    phase.measure(json);
    return run_->results;
  }

  static constexpr int rows = 12;
  std::string in_its_cache_;  ///< the row that moves no bytes of L3
  int turn_[rows] = {};
  std::unique_ptr<RunState> run_;
};

TEST_F(TurnsOfKernels, WhatMostRowsMovedWidensTheIntervalsOfAll) {
  const auto& results = measure([](int row, int turn) { return row > 0 && turn > 0 ? 2.2e-3 : 2e-3; });
  ASSERT_EQ(results.points.size(), static_cast<std::size_t>(rows));
  // The tenth of twelve |ln(second / first)| is at the quantile 10 / 13, 1.198 sqrt(2) deviations of one turn; 1.96 /
  // sqrt(2) of these are the half.
  const double half = std::log(1.1) * 1.96 / 1.19838 / 2;
  for (const auto& point : results.points) {
    EXPECT_TRUE(point.turns) << point.name;
    EXPECT_LE(point.time.low, point.time.median * std::exp(-half) * 1.0001) << point.name;
    EXPECT_GE(point.time.high, point.time.median * std::exp(half) * 0.9999) << point.name;
    EXPECT_FALSE(point.converged) << point.name;
  }
  EXPECT_NEAR(results.points[0].time.low, 2e-3 * std::exp(-half), 1e-9) << "it did not move itself";
  ASSERT_FALSE(results.warnings.empty());
  EXPECT_NE(results.warnings.back().find("that depend on L3 or DRAM moved by 5.6 %"), std::string::npos)
      << results.warnings.back();
}

TEST_F(TurnsOfKernels, WhatIsSharedDoesNotWidenTheIntervalsOfWhatIsNot) {
  in_its_cache_ = "k/a";
  const auto& results = measure([](int row, int turn) { return row > 0 && turn > 0 ? 2.2e-3 : 2e-3; });
  ASSERT_EQ(results.points.size(), static_cast<std::size_t>(rows));
  EXPECT_EQ(results.points[0].time.low, 2e-3);
  EXPECT_EQ(results.points[0].time.high, 2e-3);
  EXPECT_LT(results.points[1].time.low, 0.95 * results.points[1].time.median);
}

TEST_F(TurnsOfKernels, RowsThatDoNotMoveKeepTheirIntervals) {
  const auto& results = measure([](int, int) { return 2e-3; });
  for (const auto& point : results.points) {
    EXPECT_EQ(point.time.low, 2e-3);
    EXPECT_TRUE(point.converged);
  }
  for (const auto& line : results.warnings) EXPECT_EQ(line.find("to the next times"), std::string::npos) << line;
}

TEST_F(TurnsOfKernels, SecondOnesAreSpreadOverTheRowsWhereThereIsNoTimeForAll) {
  // First turns take 0.7 s, and 0.6 s are left.
  const auto& results = measure(
      [](int, int turn) {
        if (turn == 0) std::this_thread::sleep_for(std::chrono::milliseconds(60));
        return 2e-3;
      },
      1.5);
  ASSERT_EQ(results.points.size(), static_cast<std::size_t>(rows));
  int second = 0, of_the_last = 0;
  for (int row = 0; row < rows; ++row) second += turn_[row] == 2, of_the_last += row >= rows / 2 && turn_[row] == 2;
  if (second == 0) GTEST_SKIP() << "the machine was too busy for any";
  EXPECT_LT(second, rows);
  EXPECT_GT(of_the_last, 0);
  EXPECT_EQ(turn_[0], 1);
  EXPECT_EQ(results.points[0].given_up, "time is short: no second turn");
}

}  // namespace
}  // namespace roofline
