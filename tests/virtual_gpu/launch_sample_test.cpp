#include "bench/virtual_gpu/memory/launch_sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "bench/text/output.hpp"
#include "bench/virtual_gpu/memory/gpu_model.hpp"

namespace roofline::launch_sample_test {
namespace {

/// The requests of a machine whose blocks all do the same: it asks for 10 sectors and reads `misses` of them from DRAM,
/// or, in its first waves, as many as the number of the wave.
struct FakeMachine {
  LaunchSample sample;
  Index wave;
  std::uint64_t misses;
  std::uint64_t ended = 0;
  Meter now{};
  std::vector<Index> blocks{};
  std::deque<Index> running{};

  void run() {
    while (true) {
      while (static_cast<Index>(running.size()) < wave) {
        const auto block = sample.next(now, static_cast<Index>(running.size()));
        for (const auto distance = sample.jumped(); auto& other : running) other += distance;
        if (!block) break;
        blocks.push_back(*block), running.push_back(*block);
      }
      if (running.empty()) break;
      now.loads += 10, now.traffic.dram_read += std::min(misses, 1 + ended++ / static_cast<std::uint64_t>(wave));
      sample.watch(now);
      running.pop_front();
    }
    sample.finish(now);
  }
};

TEST(LaunchSample, RunsAllOfALaunchByDefault) {
  FakeMachine machine{LaunchSample(100, 8, {}, 16, 10), 8, 1};
  machine.run();
  ASSERT_EQ(machine.blocks.size(), 100u);
  for (Index block = 0; block < 100; ++block) EXPECT_EQ(machine.blocks[static_cast<std::size_t>(block)], block);
  EXPECT_EQ(machine.sample.start().sectors(), 1000u);
  EXPECT_EQ(machine.sample.end().sectors(), 0u);
  EXPECT_TRUE(machine.sample.windows().empty());
}

TEST(LaunchSample, TakesTheStartWindowsAndTheEnd) {
  FakeMachine machine{LaunchSample(1500, 8, {.windows = 3, .waves = 2}, 4, 10), 8, 1};
  machine.run();
  EXPECT_EQ(machine.blocks.front(), 0);
  EXPECT_EQ(machine.blocks.back(), 1499);
  EXPECT_TRUE(std::is_sorted(machine.blocks.begin(), machine.blocks.end()));
  std::vector<Index> jumps_to;
  for (std::size_t i = 1; i < machine.blocks.size(); ++i)
    if (machine.blocks[i] != machine.blocks[i - 1] + 1) jumps_to.push_back(machine.blocks[i]);
  ASSERT_EQ(jumps_to.size(), 4u);
  const double third = 1500 / 3.0;
  for (int window = 0; window < 3; ++window)
    EXPECT_NEAR(static_cast<double>(jumps_to[static_cast<std::size_t>(window)]), third * (window + 0.5), 5 * 8);
  EXPECT_GE(jumps_to[3], 1500 - 4 * 8);
  EXPECT_EQ(machine.sample.simulated(), static_cast<Index>(machine.blocks.size()));
  ASSERT_EQ(machine.sample.windows().size(), 3u);
  for (const auto& window : machine.sample.windows()) EXPECT_NEAR(static_cast<double>(window.sectors()), 160, 10);
  EXPECT_NEAR(static_cast<double>(machine.sample.start().sectors()), 3 * 80, 20);  // alike from the first wave on
}

TEST(LaunchSample, TheStartGoesOnUntilTheTrafficIsSteady) {
  for (const auto& [most, waves] : {std::pair<Index, double>{16, 7}, {5, 5}}) {
    FakeMachine machine{LaunchSample(1500, 8, {.windows = 3, .waves = 2, .start = most}, 16, 10), 8, 5};
    machine.run();  // steady from the fifth wave on: three alike at the end of the seventh
    EXPECT_NEAR(static_cast<double>(machine.sample.start().sectors()), waves * 80, 20) << most;
  }
}

TEST(LaunchSample, WhatRunsFollowsAJump) {
  FakeMachine machine{LaunchSample(1500, 8, {.windows = 3, .waves = 2}, 16, 10), 8, 1};
  Index jumps = 0, block = -1;
  for (bool goes_on = true; goes_on;) {
    const auto next = machine.sample.next(machine.now, 7);
    const auto distance = machine.sample.jumped();
    EXPECT_EQ(machine.sample.jumped(), 0);  // told once
    goes_on = next.has_value();
    if (!next) break;
    EXPECT_EQ(*next, block + 1 + distance);
    jumps += distance > 0;
    block = *next;
    machine.now.loads += 10, machine.now.traffic.dram_read += 1;
    machine.sample.watch(machine.now);
  }
  EXPECT_EQ(jumps, 4);
}

TEST(LaunchSample, MeasuresNothingBeforeL2IsFullOfNewData) {
  for (const auto& [l2, unmeasured] : {std::pair{80u, 100.0}, {4u, 5.0}}) {
    FakeMachine machine{LaunchSample(1500, 8, {.windows = 1, .waves = 4}, l2, 10), 8, 1};
    machine.run();
    Meter measured = machine.sample.start() + machine.sample.end();
    for (const auto& window : machine.sample.windows()) measured = measured + window;
    const double rest = static_cast<double>((machine.now - measured).sectors()) / 10;
    EXPECT_NEAR(rest, 2 * unmeasured, 2) << l2;
  }
}

TEST(LaunchSample, ALaunchThatNeverFillsL2IsRunCompletely) {
  FakeMachine machine{LaunchSample(1000, 8, {.windows = 3, .waves = 2}, 1 << 20, 10), 8, 1};
  machine.run();
  EXPECT_EQ(machine.blocks.size(), 1000u);
  EXPECT_EQ(machine.sample.start().sectors(), 10000u);
  EXPECT_TRUE(machine.sample.windows().empty());
}

/// V100's policies on four SMs with an L2 of 16 KiB.
Device small_device() {
  auto device = read_device(std::string(ROOFLINE_TEST_DATA) + "/../../bench/virtual_gpu/devices/v100.json");
  device.sms = 4, device.l1.size = 4096, device.l1.ways = 8, device.shared_options = {0};
  device.l2.size = 1 << 14;
  device.blocks_per_sm = 4;
  return device;
}

/// Blocks of one warp, in eight steps: each reads 256 B of its own and as much of 4 KiB that 8 blocks share, and writes
/// three quarters of the last sector of 256 B. It ends with 8 B that all blocks write.
class MixedFeed final : public BlockFeed {
 public:
  explicit MixedFeed(Index blocks) : blocks_(static_cast<std::uint64_t>(blocks)) {}

  void begin(std::size_t place, Index block) override {
    if (places_.size() <= place) places_.resize(place + 1);
    places_[place].block = static_cast<std::uint64_t>(block);
    places_[place].step = 0;
  }

  WarpStep step(std::size_t place, unsigned) override {
    auto& [block, x, lines] = places_[place];
    lines.clear();
    if (x == steps) {
      coalesce_run(rare(), 8, Access::atomic, 0, lines);
      return {.ended = true, .lines = lines};
    }
    std::uint16_t request = 0;
    coalesce_run((block * steps + x) * row, row, Access::global_load, request++, lines);
    coalesce_run(shared() + (block / 8 * 16 + (x + block) % 16) * row, row, Access::global_load, request++, lines);
    coalesce_run(partial() + (block * steps + x) * row, row - 8, Access::global_store, request, lines);
    ++x;
    return {.instructions = 1, .lines = lines};
  }

 private:
  static constexpr std::uint64_t steps = 8, row = 256;
  std::uint64_t partial() const { return blocks_ * steps * row; }
  std::uint64_t shared() const { return 2 * partial(); }
  std::uint64_t rare() const { return 3 * partial(); }

  struct Place {
    std::uint64_t block, step;
    std::vector<LineAccess> lines;
  };
  std::uint64_t blocks_;
  std::vector<Place> places_;
};

GpuKernel mixed_kernel(Index blocks) {
  GpuKernel kernel;
  kernel.name = "mixed";
  kernel.blocks = blocks;
  kernel.feed = [=] { return std::make_unique<MixedFeed>(blocks); };
  kernel.count = [=](Index, Index n) {
    WarpCounts counts;
    counts.instructions = 1;
    counts.of(Access::global_load) = {.requests = 16, .sectors = 128};
    counts.of(Access::global_store) = {.requests = 8, .sectors = 64};
    counts.of(Access::atomic) = {.requests = 1, .sectors = 1};
    return repeated(counts, static_cast<std::uint64_t>(n));
  };
  return kernel;
}

using Scenario = GpuCounts::Scenario;

TEST(SampledLaunch, IsWithinAPercentOfTheWholeOneAndWithinItsOwnError) {
  const auto kernel = mixed_kernel(4000);
  const GpuModel model(small_device());
  const auto whole = model.count(kernel), sampled = model.count(kernel, {.windows = 4, .waves = 12});
  EXPECT_EQ(whole.exact, sampled.exact);
  EXPECT_FALSE(whole.sampling_error.has_value());
  ASSERT_TRUE(sampled.sampling_error.has_value());
  EXPECT_LT(*sampled.sampling_error, 0.05);
  for (std::size_t i = 0; i < whole.scenarios.size(); ++i) {
    const auto &a = sampled.scenarios[i], &b = whole.scenarios[i];
    const auto expect = [&](double Scenario::*quantity, double Scenario::*error) {
      EXPECT_NEAR(a.*quantity / (b.*quantity), 1, 0.01) << name(a.schedule) << a.dirty;
      EXPECT_LE(std::abs(a.*quantity - b.*quantity), a.*error + 2e-3 * (b.*quantity)) << name(a.schedule) << a.dirty;
    };
    expect(&Scenario::l2_read, &Scenario::l2_read_error);
    expect(&Scenario::l2_write, &Scenario::l2_write_error);
    expect(&Scenario::dram_read, &Scenario::dram_read_error);
    expect(&Scenario::dram_write, &Scenario::dram_write_error);
  }
  EXPECT_NE(sampled.note.find(", sampled: start, 4 windows and end, "), std::string::npos) << sampled.note;
}

TEST(SampledLaunch, SmallLaunchesAreRunCompletely) {
  const auto device = small_device();
  EXPECT_EQ(affordable(device, mixed_kernel(1000)).windows, 0);
  const auto sampling = affordable(device, mixed_kernel(Index{1} << 20));
  EXPECT_GE(sampling.windows, 2);
  EXPECT_GE(sampling.waves, 1);
}

}  // namespace
}  // namespace roofline::launch_sample_test
