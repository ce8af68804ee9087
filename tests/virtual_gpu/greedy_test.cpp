#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <queue>
#include <span>
#include <tuple>

#include "bench/virtual_gpu/memory/running_launch.hpp"

namespace roofline::greedy_test {
namespace {

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
  return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 8;
}

/// Blocks of three warps that wait for each other behind their second step, and end after two to six: loads of lines
/// that are often in L1, seldom, or never, stores and atomics, and steps that only calculate.
class ScatteredFeed final : public BlockFeed {
 public:
  static constexpr unsigned warps = 3;

  void begin(std::size_t place, Index block) override {
    if (places_.size() <= place) places_.resize(place + 1);
    places_[place].block = static_cast<std::uint64_t>(block);
    places_[place].steps = {};
  }

  WarpStep step(std::size_t place, unsigned warp) override {
    auto& [block, steps, of_warps] = places_[place];
    auto& done = steps[warp];
    auto& lines = of_warps[warp];
    lines.clear();
    if (done == 2 && *std::min_element(steps.begin(), steps.end()) < 2) return {.waits = true};
    const auto random = scrambled((block * warps + warp) * 16 + done);
    const auto near = random % 64 * 128, far = (1 << 16) + random % 4096 * 96, own = (1 << 24) + block * 4096;
    if (random % 5 > 0) coalesce_run(near, 256, Access::global_load, 0, lines);
    if (random % 3 == 0) coalesce_run(far, 160, Access::global_load, 1, lines);
    if (random % 4 == 0) coalesce_run(own + done * 256, 200, Access::global_store, 2, lines);
    if (random % 7 == 0) coalesce_run(near, 8, Access::atomic, 3, lines);
    return {.ended = ++done >= 2 + scrambled(block) % 5,
            .instructions = static_cast<unsigned>(random % 90),
            .lines = lines};
  }

 private:
  struct Place {
    std::uint64_t block;
    std::array<std::uint64_t, warps> steps;
    std::array<std::vector<LineAccess>, warps> lines;
  };
  std::vector<Place> places_;
};

Device seven_sms(unsigned latency) {
  auto device = read_device(std::string(ROOFLINE_TEST_DATA) + "/../../bench/virtual_gpu/devices/v100.json");
  device.sms = 7, device.l1.size = 4096, device.l1.ways = 8, device.shared_options = {0};
  device.l2.size = 1 << 15, device.l2.latency = latency, device.dram_latency = 2 * latency;
  device.blocks_per_sm = 5;
  return device;
}

/// All SMs together, one step after another in the order of time: the schedule without its stretches.
class StepByStep {
 public:
  explicit StepByStep(RunningLaunch& launch) : launch_(launch), device_(launch.device()) {}

  void run() {
    using Event = std::pair<std::uint64_t, unsigned>;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
    const auto again = [&](unsigned number) {
      const auto& sm = launch_.sms()[number];
      if (!sm.warps.empty())
        events.emplace(std::max(sm.busy_until, *std::min_element(sm.ready.begin(), sm.ready.end())), number);
    };
    for (unsigned number = 0; number < device_.sms; ++number) again(number);
    for (; !events.empty(); again(number_)) {
      std::tie(tick_, number_) = events.top();
      events.pop();
      step();
    }
  }

 private:
  static constexpr std::uint64_t cycle = 1024, never = ~std::uint64_t{0};

  std::uint64_t ticks(MemoryLevel level) const {
    return static_cast<std::uint64_t>(1024.0 * sector_bytes * device_.clock / device_.bandwidth(level) + 0.5);
  }

  void step() {
    auto& sm = launch_.sms()[number_];
    std::size_t oldest = 0;
    while (sm.ready[oldest] > tick_) ++oldest;
    const auto slot = sm.warps[oldest].slot;
    const auto done = launch_.step(number_, sm.warps[oldest]);
    const auto asked = asked_for(done.lines);
    launch_.count(asked);
    sm.busy_until = tick_ + cycle +
                    std::max(done.instructions * cycle * warp_lanes / device_.fp64_lanes,
                             (asked.loads + asked.stores) * ticks(MemoryLevel::L1) * device_.sms);
    sm.ready[oldest] = done.waits ? never : std::max(sm.busy_until, arrival(done.lines));
    for (std::size_t w = 0; w < sm.warps.size() && !done.waits; ++w)
      if (sm.ready[w] == never && sm.warps[w].slot == slot) sm.ready[w] = sm.busy_until;
    launch_.retire(number_, [&](unsigned free) { launch_.dispatch(number_, free, sm.busy_until); });
  }

  std::uint64_t arrival(std::span<const LineAccess> lines) {
    auto last = tick_;
    std::vector<LineAccess> behind;
    for (const auto& access : lines) {
      if (!is_store(access.access)) last = tick_ + device_.l1.latency * cycle;
      launch_.memory().access_l1(number_, access, behind);
    }
    launch_.memory().access_l2(behind, [&](const LineAccess& access, DramSectors moved) {
      const auto sectors = static_cast<unsigned>(std::popcount(access.sectors));
      l2_ = std::max(l2_, tick_) + sectors * ticks(MemoryLevel::L2);
      dram_ = std::max(dram_, tick_) + (moved.read + moved.written) * ticks(MemoryLevel::DRAM);
      if (is_store(access.access)) return;
      last = std::max({last, l2_, tick_ + (moved.read ? device_.dram_latency : device_.l2.latency) * cycle});
      if (moved.read) last = std::max(last, dram_);
    });
    return last;
  }

  RunningLaunch& launch_;
  const Device& device_;
  std::uint64_t tick_ = 0, l2_ = 0, dram_ = 0;
  unsigned number_ = 0;
};

class OfLatency : public ::testing::TestWithParam<unsigned> {};

TEST_P(OfLatency, IsTheSameAsStepByStep) {
  GpuKernel kernel;
  kernel.name = "scattered", kernel.blocks = 2000, kernel.threads = ScatteredFeed::warps * warp_lanes;
  kernel.feed = [] { return std::make_unique<ScatteredFeed>(); };
  const auto device = seven_sms(GetParam());
  RunningLaunch greedy(device, kernel, {}, 0), slow(device, kernel, {}, 0);
  run_greedily(greedy);
  StepByStep(slow).run();
  const auto a = greedy.finish(), b = slow.finish();
  EXPECT_EQ(a.all.traffic, b.all.traffic);
  EXPECT_EQ(a.all.loads, b.all.loads);
  EXPECT_EQ(a.all.stores, b.all.stores);
  EXPECT_EQ(a.lines, b.lines);
  EXPECT_EQ(a.blocks, b.blocks);
  // The last step of all: the same only if each of them was.
  for (unsigned sm = 0; sm < device.sms; ++sm) EXPECT_EQ(greedy.sms()[sm].busy_until, slow.sms()[sm].busy_until) << sm;
  EXPECT_GT(b.all.traffic.dram_read, 0u);
  EXPECT_GT(b.all.traffic.displaced, 0u);
}
TEST_P(OfLatency, BlocksThatAJumpBringsGoOnWhateverTheirLength) {
  GpuKernel kernel;
  kernel.name = "scattered", kernel.blocks = 4000, kernel.threads = ScatteredFeed::warps * warp_lanes;
  kernel.feed = [] { return std::make_unique<ScatteredFeed>(); };
  const auto device = seven_sms(GetParam());
  for (const auto run : {run_greedily, run_round_robin}) {
    RunningLaunch launch(device, kernel, {.windows = 4, .waves = 3, .start = 4}, 100);
    run(launch);
    const auto simulated = launch.finish();
    EXPECT_EQ(simulated.windows.size(), 4u);
    EXPECT_LT(simulated.blocks, kernel.blocks);
  }
}

// With a latency of 1 cycle each stretch is a step; with 3000 most blocks end within a stretch.
INSTANTIATE_TEST_SUITE_P(Greedy, OfLatency, ::testing::Values(1, 30, 193, 3000));

}  // namespace
}  // namespace roofline::greedy_test
