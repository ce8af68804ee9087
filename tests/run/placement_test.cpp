#include "bench/run/placement.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "bench/counters/counter_source.hpp"
#include "bench/run/ceiling_phase.hpp"
#include "bench/run/kernel_phase.hpp"
#include "tests/session_ceilings.hpp"

namespace roofline {
namespace {

constexpr double near = 30e-9, far = 150e-9;

class PlacementTest : public testing::Test {
 protected:
  void pass(double seconds, double distance) {
    now_ += std::chrono::duration_cast<Placement::Clock::duration>(std::chrono::duration<double>(seconds));
    placement_.note(distance, now_);
  }

  Placement placement_;
  Placement::Clock::time_point now_ = Placement::Clock::now();
};

TEST_F(PlacementTest, HomeIsWhereMostOfTheTimeWentNotMostOfTheLooks) {
  EXPECT_EQ(placement_.home(), 0);
  EXPECT_FALSE(placement_.summary());
  for (int i = 0; i < 10; ++i) pass(0.001, far);
  EXPECT_NEAR(placement_.home(), far, 1e-12);
  pass(0.1, near);
  EXPECT_NEAR(placement_.home(), near, 1e-12);
  ASSERT_TRUE(placement_.summary());
  EXPECT_NEAR(placement_.summary()->away, far, 1e-12);
  EXPECT_NEAR(placement_.summary()->share_away, 1 - 0.1 / 0.11, 1e-9);
}

TEST_F(PlacementTest, AfterALongPauseALookDoesNotCountForAllOfIt) {
  for (int i = 0; i < 8; ++i) pass(0.1, near);
  pass(60, far);
  EXPECT_NEAR(placement_.home(), near, 1e-12);
}

TEST_F(PlacementTest, TheClockMovesADistanceByALittle) {
  pass(0.1, near), pass(0.1, 1.15 * near), pass(0.1, 0.9 * near);
  EXPECT_EQ(placement_.summary()->share_away, 0);
  EXPECT_TRUE(placement_.at_home(1.3 * near));
  EXPECT_TRUE(placement_.at_home(0)) << "not looked at: nothing speaks against it";
  EXPECT_FALSE(placement_.at_home(2 * near));
}

TEST_F(PlacementTest, WithoutAnythingToAskThereIsNone) {
  EXPECT_EQ(placement_.look(), 0);
  EXPECT_FALSE(placement_.summary());
}

/// Ceilings of two threads at L1 and L3 on a machine whose cores a test moves: L3 is twice as fast where they lie far
/// apart.
class MovedCores : public SessionCeilings {
 protected:
  MovedCores() {
    for (const auto level : {MemoryLevel::L1, MemoryLevel::L3}) {
      CeilingVariant variant;
      variant.ceiling = example::memory(level, "read", 0, 2);
      variant.make = {[this, level] {
        auto work = workload(1e6);
        work.time = [this, level](int batch) { return (level == MemoryLevel::L3 && !far_ ? 2e-3 : 1e-3) * batch; };
        return work;
      }};
      suite_.add_ceiling(std::move(variant));
    }
    for (const auto& variant : suite_.ceilings()) plan_.ceilings.push_back(&variant);
    options_.quick = true;
    run_ = std::make_unique<RunState>(suite_, options_, plan_);
    run_->placement = Placement([this] { return far_ ? far : near; });
    phase_ = std::make_unique<CeilingPhase>(*run_);
  }
  void measure() {
    benchmark::JSONReporter json;
    json.SetOutputStream(&text_), json.SetErrorStream(&text_);
    phase_->measure(json);
  }
  const Ceiling& of(MemoryLevel level) const {
    for (const auto& ceiling : run_->results.roofline.ceilings())
      if (ceiling.level == level) return ceiling;
    throw std::logic_error("no such ceiling");
  }

  /// Ten seconds of looks, beside which those of the ceilings' launches are nothing.
  void stay_near() {
    auto when = Placement::Clock::now();
    for (int i = 0; i < 20; ++i) run_->placement.note(near, when += std::chrono::milliseconds(500));
  }

  bool far_ = false;
  std::unique_ptr<RunState> run_;
  std::unique_ptr<CeilingPhase> phase_;
};

TEST_F(MovedCores, AreKnownOfCeilingsThatTheyShare) {
  measure();
  EXPECT_EQ(of(MemoryLevel::L3).core_distance, near);
  EXPECT_EQ(of(MemoryLevel::L1).core_distance, 0) << "their own caches come along";
}

TEST_F(MovedCores, MakeNoBetterCeilingAtTheEnd) {
  measure();
  stay_near();
  far_ = true;
  phase_->check_drift();
  EXPECT_EQ(of(MemoryLevel::L3).rate, 5e8) << "twice as much elsewhere is not this machine's better value";
}

TEST_F(MovedCores, AreSentHomeWhereAllTheRestOfTheRunWas) {
  far_ = true;
  measure();
  ASSERT_EQ(of(MemoryLevel::L3).rate, 1e9);
  far_ = false;
  stay_near();
  phase_->check_drift();
  EXPECT_EQ(of(MemoryLevel::L3).rate, 5e8) << "the worse value is that of the place where kernels were measured";
  ASSERT_FALSE(run_->results.warnings.empty());
  EXPECT_NE(run_->results.warnings.back().find("had the cores elsewhere"), std::string::npos);
}

/// Two rows whose launches move bytes of L3; the hypervisor has the cores apart while the first of them has its first
/// turn.
class MovedKernels : public SessionCeilings {
 protected:
  MovedKernels() {
    for (const auto* const name : {"k/a", "k/b"})
      suite_.add({.name = name, .family = "k", .make = [this] {
                    far_ = made_++ == 0;
                    Workload work;
                    work.launch = [] {};
                    work.time = [](int batch) {
                      std::this_thread::sleep_for(std::chrono::milliseconds(batch));
                      return 1e-3 * batch;
                    };
                    work.check = [] { return Check{}; };
                    return work;
                  }});
    for (const auto& variant : suite_.variants()) plan_.kernels.push_back(&variant);
  }

  int made_ = 0;
  bool far_ = false;
};

TEST_F(MovedKernels, GetAnotherFirstTurnWhereTheCoresAreBack) {
  RunState run(suite_, options_, plan_);
  run.results.roofline = Roofline({example::memory(MemoryLevel::L3, "read", 1, 1)}, 1);
  run.placement = Placement([this] { return far_ ? far : near; });
  auto when = Placement::Clock::now() - std::chrono::seconds(20);
  for (int i = 0; i < 20; ++i) run.placement.note(near, when += std::chrono::milliseconds(500));
  KernelPhase phase(run, std::make_shared<CounterFunction>([](auto&, auto&) {
                      Counts counts;
                      counts.at(MemoryLevel::L3) = Traffic{1e6, 0};
                      return counts;
                    }));
  benchmark::JSONReporter json;
  json.SetOutputStream(&text_), json.SetErrorStream(&text_);
  phase.measure(json);
  ASSERT_EQ(run.results.points.size(), 2u);
  for (const auto& point : run.results.points) {
    EXPECT_EQ(point.core_distance, near) << point.name;
    EXPECT_TRUE(point.turns) << point.name << " has its two turns in one place";
  }
  EXPECT_EQ(made_, 5) << "two turns of two rows, and one more";
}

}  // namespace
}  // namespace roofline
