#include "tests/session_ceilings.hpp"

namespace roofline::in_core_test {
namespace {

/// A row that takes a millisecond, and in the caches of its core what the launches are told to.
class LaunchesInCore : public SessionCeilings {
 protected:
  KernelPoint measure() {
    suite_.add({.name = "k", .family = "k", .make = [this] {
                  Workload work;
                  static_cast<Runnable&>(work) = workload(0);
                  work.in_core = {[this] { return seconds_.at(launches_++ % seconds_.size()); }, chunk_bytes_};
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
  EXPECT_EQ(launches_, 3u) << "once, not in each round";
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
}  // namespace roofline::in_core_test
