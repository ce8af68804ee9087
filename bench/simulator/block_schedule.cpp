#include "bench/simulator/block_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <queue>
#include <stdexcept>
#include <utility>

#include "bench/machine/interrupt.hpp"
#include "bench/simulator/multiprocessor.hpp"

namespace roofline {
namespace {

constexpr std::uint64_t ticks_per_cycle = 1024;  // integer time: the same numbers everywhere

/// The machine while it works through the blocks of a launch, or of a sample of it.
class BlockSimulation {
 public:
  BlockSimulation(const Device& device, const GpuKernel& kernel, const Sampling& sampling, double sectors_per_block)
      : device_(device),
        kernel_(kernel),
        slots_(residency(device, kernel).blocks),
        memory_(device, slots_ * kernel.shared),
        feed_(kernel.feed()),
        sms_(device.sms),
        sample_(kernel.blocks, Index{slots_} * device.sms, sampling, device.l2.size / sector_bytes, sectors_per_block) {
    for (auto& sm : sms_) sm.slots.resize(slots_);
    for (unsigned slot = 0; slot < slots_; ++slot)
      for (unsigned sm = 0; sm < device.sms; ++sm) dispatch(sm, slot, 0);
  }

  SimulatedTraffic run(Schedule schedule) {
    if (schedule == Schedule::lockstep)
      lockstep();
    else
      greedy();
    sample_.finish(now());
    return {sample_.start(), sample_.end(), sample_.windows(), now(), sample_.simulated(), lines_};
  }

 private:
  Meter now() const { return {memory_.traffic(), loads_, stores_}; }

  /// Puts the next block, if there is one, into a slot.
  void dispatch(unsigned sm, unsigned slot, std::uint64_t tick) {
    const auto block = sample_.next(now(), running_);
    if (const Index distance = sample_.jumped(); distance > 0) exchange(distance);
    if (!block) return;
    ++running_;
    sms_[sm].slots[slot] = {*block, kernel_.warps()};
    feed_->begin(place_of(sm, slot), *block);
    for (unsigned number = 0; number < kernel_.warps(); ++number) {
      sms_[sm].warps.push_back({slot, number});
      sms_[sm].ready.push_back(tick);
    }
  }

  std::size_t place_of(unsigned sm, unsigned slot) const { return std::size_t{sm} * slots_ + slot; }

  /// Lets a warp make a step, whose accesses are put into `lines`.
  WarpStep step(unsigned sm, ResidentWarp& warp, std::vector<LineAccess>& lines) {
    const auto step = feed_->step(place_of(sm, warp.slot), warp.number, lines);
    if (!step.waits) ++warp.steps;
    warp.ended = step.ended;
    return step;
  }

  /// Every resident block makes way for the one `distance` further on, whose warps have made as many steps: what they
  /// asked for before is not simulated.
  void exchange(Index distance) {
    std::vector<LineAccess> ignored;
    for (unsigned sm = 0; sm < device_.sms; ++sm) {
      for (unsigned slot = 0; slot < slots_; ++slot) {
        auto& of = sms_[sm].slots[slot];
        if (of.warps > 0) feed_->begin(place_of(sm, slot), of.block += distance);
      }
      // In turns: a warp may have to wait for others of its block.
      auto& warps = sms_[sm].warps;
      std::vector<std::uint64_t> missing;
      for (auto& warp : warps) missing.push_back(std::exchange(warp.steps, 0));
      for (bool progress = true; progress;) {
        stop_if_interrupted();
        progress = false;
        for (std::size_t w = 0; w < warps.size(); ++w)
          while (missing[w] > 0 && !step(sm, warps[w], ignored).waits) --missing[w], progress = true;
      }
    }
  }

  /// Takes finished warps away; calls free(slot) for every slot whose block has ended.
  template <class Free>
  void retire(unsigned number, Free free) {
    auto& sm = sms_[number];
    for (std::size_t w = 0; w < sm.warps.size();) {
      if (!sm.warps[w].ended) {
        ++w;
        continue;
      }
      const unsigned slot = sm.warps[w].slot;
      sm.warps.erase(sm.warps.begin() + static_cast<std::ptrdiff_t>(w));
      sm.ready.erase(sm.ready.begin() + static_cast<std::ptrdiff_t>(w));
      if (--sm.slots[slot].warps == 0) {
        --running_;
        free(slot);
      }
    }
  }

  /// Lines that a warp has asked for in a step; returns their sectors.
  unsigned count(const std::vector<LineAccess>& lines) {
    unsigned loads = 0, stores = 0;
    for (const auto& access : lines)
      (is_store(access.access) ? stores : loads) += static_cast<unsigned>(std::popcount(access.sectors));
    lines_ += lines.size(), loads_ += loads, stores_ += stores;
    return loads + stores;
  }

  /// What a warp asks for in a step, and how much of it has gone out.
  struct Asked {
    std::vector<LineAccess> lines;
    std::size_t sent = 0;
  };

  /// One step of all warps of an SM: the k-th requests of all go through L1 before the (k+1)-th of any. What has to go
  /// on is appended to the list of its request in `behind`.
  void step_together(unsigned number, std::vector<Asked>& asked, std::vector<std::vector<LineAccess>>& behind) {
    auto& warps = sms_[number].warps;
    if (asked.size() < warps.size()) asked.resize(warps.size());
    std::size_t requests = 0;
    for (std::size_t w = 0; w < warps.size(); ++w) {
      step(number, warps[w], asked[w].lines);
      asked[w].sent = 0;
      count(asked[w].lines);
      memory_.prefetch_l1(number, asked[w].lines);
      if (!asked[w].lines.empty()) requests = std::max<std::size_t>(requests, asked[w].lines.back().request + 1u);
    }
    if (behind.size() < requests) behind.resize(requests);
    for (std::size_t request = 0; request < requests; ++request)
      for (std::size_t w = 0; w < warps.size(); ++w) {
        auto& [lines, sent] = asked[w];
        for (; sent < lines.size() && lines[sent].request == request; ++sent)
          memory_.access_l1(number, lines[sent], behind[request]);
      }
  }

  /// The k-th requests of all resident warps go out before the (k+1)-th of any. L1s know nothing of each other, so each
  /// is done with a step before the next begins; L2 then sees the requests in their order.
  void lockstep() {
    std::vector<Asked> asked;                     // by the warps of an SM
    std::vector<std::vector<LineAccess>> behind;  // of each request
    while (running_ > 0 && !sample_.over()) {
      stop_if_interrupted();
      for (unsigned sm = 0; sm < device_.sms; ++sm) step_together(sm, asked, behind);
      for (auto& request : behind) {
        memory_.access_l2(request, [](const LineAccess&, DramSectors) {});
        request.clear();
      }
      if (sample_.warming()) sample_.watch(now());
      // Many blocks end at once: as at the start, the next ones go to the SMs in turn.
      std::vector<std::vector<unsigned>> free(device_.sms);
      std::size_t turns = 0;
      for (unsigned sm = 0; sm < device_.sms; ++sm) {
        retire(sm, [&](unsigned slot) { free[sm].push_back(slot); });
        turns = std::max(turns, free[sm].size());
      }
      for (std::size_t turn = 0; turn < turns; ++turn)
        for (unsigned sm = 0; sm < device_.sms; ++sm)
          if (turn < free[sm].size()) dispatch(sm, free[sm][turn], 0);
    }
  }

  std::uint64_t ticks_per_sector(MemoryLevel level) const {
    return static_cast<std::uint64_t>(
        double{ticks_per_cycle} * sector_bytes * device_.clock / device_.bandwidth(level) + 0.5);
  }

  /// Sends what a warp asks for at `tick` through the memory. Returns when the slowest of its loads is there: after the
  /// latency of the level that had it, or later where L2 or DRAM are saturated.
  std::uint64_t arrival(unsigned sm, const std::vector<LineAccess>& lines, std::uint64_t tick) {
    behind_.clear();
    memory_.prefetch_l1(sm, lines);
    auto last = tick;
    for (const auto& access : lines) {
      if (!is_store(access.access)) last = tick + device_.l1.latency * ticks_per_cycle;
      memory_.access_l1(sm, access, behind_);
    }
    memory_.access_l2(behind_, [&](const LineAccess& access, DramSectors moved) {
      l2_.take(tick, static_cast<unsigned>(std::popcount(access.sectors)));
      dram_.take(tick, moved.read + moved.written);
      if (is_store(access.access)) return;
      const auto latency = moved.read > 0 ? device_.dram_latency : device_.l2.latency;
      last = std::max({last, tick + latency * ticks_per_cycle, l2_.free});
      if (moved.read > 0) last = std::max(last, dram_.free);
    });
    return last;
  }

  /// An SM's time goes by with what it issues: FP64 instructions beside sectors of L1. A warp is ready again when the
  /// slowest of its loads is there.
  void greedy() {
    const auto l1_ticks = ticks_per_sector(MemoryLevel::L1) * device_.sms;
    const auto issue_ticks = ticks_per_cycle * warp_lanes / device_.fp64_lanes;
    std::vector<LineAccess> lines;

    using Event = std::pair<std::uint64_t, unsigned>;  // tick, SM
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
    for (unsigned sm = 0; sm < device_.sms; ++sm)
      if (!sms_[sm].warps.empty()) events.emplace(0, sm);
    while (!events.empty() && !sample_.over()) {
      stop_if_interrupted();
      const auto [tick, number] = events.top();
      events.pop();
      auto& sm = sms_[number];
      const auto oldest = static_cast<std::size_t>(
          std::find_if(sm.ready.begin(), sm.ready.end(), [t = tick](std::uint64_t ready) { return ready <= t; }) -
          sm.ready.begin());
      if (oldest < sm.warps.size()) {
        const auto done = step(number, sm.warps[oldest], lines);
        const auto instructions = done.instructions + done.divisions * device_.division.instructions();
        const auto issue = std::max(instructions * issue_ticks, count(lines) * l1_ticks) + ticks_per_cycle;
        sm.busy_until = tick + issue;
        sm.ready[oldest] = done.waits ? never : std::max(arrival(number, lines, tick), sm.busy_until);
        if (!done.waits) wake(sm, sm.warps[oldest].slot);
        if (sample_.warming()) sample_.watch(now());
        if (done.ended) retire(number, [&, number = number](unsigned slot) { dispatch(number, slot, sm.busy_until); });
      }
      if (sm.warps.empty()) continue;
      const auto next = *std::min_element(sm.ready.begin(), sm.ready.end());
      events.emplace(std::max(next, sm.busy_until), number);
    }
  }

  /// Others of the block may have come to the barrier that warps wait at: they look again.
  static void wake(Multiprocessor& sm, unsigned slot) {
    for (std::size_t w = 0; w < sm.warps.size(); ++w)
      if (sm.ready[w] == never && sm.warps[w].slot == slot) sm.ready[w] = sm.busy_until;
  }

  static constexpr std::uint64_t never = ~std::uint64_t{0};
  const Device& device_;
  const GpuKernel& kernel_;
  unsigned slots_;
  GpuMemory memory_;
  std::unique_ptr<BlockFeed> feed_;
  std::vector<Multiprocessor> sms_;
  LaunchSample sample_;
  Index running_ = 0;  ///< blocks
  Pipe l2_{ticks_per_sector(MemoryLevel::L2)}, dram_{ticks_per_sector(MemoryLevel::DRAM)};
  std::vector<LineAccess> behind_;  ///< L1, of a step
  std::uint64_t lines_ = 0, loads_ = 0, stores_ = 0;
};

}  // namespace

Residency residency(const Device& device, const GpuKernel& kernel) {
  const unsigned warps = kernel.warps();
  const unsigned per_warp =
      (kernel.registers * warp_lanes + device.register_unit - 1) / device.register_unit * device.register_unit;
  Residency result{device.blocks_per_sm, "blocks"};
  const auto limit = [&](std::uint64_t blocks, std::string_view what) {
    if (blocks < result.blocks) result = {static_cast<unsigned>(blocks), what};
  };
  limit(device.warps_per_sm / warps, "warps");
  limit(device.registers_per_sm / (per_warp * warps), "registers");
  if (kernel.shared > 0) limit(device.shared_options.back() / kernel.shared, "shared memory");
  if (result.blocks == 0)
    throw std::invalid_argument(fmt::format("{}: a block of {} threads does not fit an SM of {} ({})", kernel.name,
                                            kernel.threads, device.name, result.limit));
  return result;
}

SimulatedTraffic simulate(const Device& device, const GpuKernel& kernel, Schedule schedule, const Sampling& sampling,
                          double sectors_per_block) {
  return BlockSimulation(device, kernel, sampling, sectors_per_block).run(schedule);
}

}  // namespace roofline
