#include "bench/counters/block_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <queue>
#include <stdexcept>

namespace roofline {
namespace {

constexpr std::uint64_t ticks_per_cycle = 1024;  // integer time: the same numbers everywhere

/// Makes a warp the active one for a scope.
class Activate {
 public:
  explicit Activate(WarpState& warp) : before_(active_warp) { active_warp = &warp; }
  ~Activate() { active_warp = before_; }
  Activate(const Activate&) = delete;
  Activate& operator=(const Activate&) = delete;

 private:
  WarpState* before_;
};

/// Traffic does not depend on values: for a scope, warps do not compute them.
class WithoutValues {
 public:
  WithoutValues() { warp_values = false; }
  ~WithoutValues() { warp_values = true; }
  WithoutValues(const WithoutValues&) = delete;
  WithoutValues& operator=(const WithoutValues&) = delete;
};

/// One resident warp: its state, its program and the slot of the SM that it sits in.
struct ResidentWarp {
  explicit ResidentWarp(const void* origin) : state(origin) {}

  WarpState state;
  WarpProgram program;
  unsigned block_slot = 0;
  std::size_t sent = 0;  ///< lockstep: lines of this step that have gone out

  /// Runs one step; false at the end of the program. The step's accesses are in state.lines().
  bool step() {
    const Activate active(state);
    state.begin_step();
    program.resume();
    return !program.done();
  }
};

struct Slot {
  Index block = 0;
  unsigned warps = 0;  ///< still running
};

struct Sm {
  std::vector<std::unique_ptr<ResidentWarp>> warps;  // oldest first
  std::vector<std::uint64_t> ready;                  // greedy: tick at which the data of each are there
  std::vector<Slot> slots;
  std::uint64_t busy_until = 0;
};

/// The machine while it works through the blocks of a launch, or of a sample of it.
class Simulation {
 public:
  Simulation(const Device& device, const GpuKernel& kernel, const Sampling& sampling, double sectors_per_block)
      : device_(device),
        kernel_(kernel),
        slots_(residency(device, kernel).blocks),
        memory_(device, slots_ * kernel.shared),
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
    return {sample_.start(), sample_.end(), sample_.windows(), now(), counts_, sample_.simulated(), lines_};
  }

 private:
  Meter now() const { return {memory_.traffic(), loads_, stores_}; }

  /// Puts the next block, if there is one, into a slot.
  void dispatch(unsigned sm, unsigned slot, std::uint64_t tick) {
    const auto block = sample_.next(now(), running_);
    if (!block) return;
    ++running_;
    sms_[sm].slots[slot] = {*block, kernel_.warps()};
    for (unsigned warp = 0; warp < kernel_.warps(); ++warp) {
      auto resident = fresh_warp();
      resident->block_slot = slot;
      // Local memory belongs to the place on the SM, not to the block: the next one there uses it again.
      const std::uint64_t place = (std::uint64_t{sm} * slots_ + slot) * kernel_.warps() + warp;
      resident->state.set_local_base(kernel_.memory->used() + place * kernel_.local * warp_lanes);
      resident->program = kernel_.program(*block, warp);
      sms_[sm].warps.push_back(std::move(resident));
      sms_[sm].ready.push_back(tick);
    }
  }

  /// A warp's state is large: those of warps that have ended are used again.
  std::unique_ptr<ResidentWarp> fresh_warp() {
    if (idle_.empty()) return std::make_unique<ResidentWarp>(kernel_.memory->origin());
    auto warp = std::move(idle_.back());
    idle_.pop_back();
    warp->state.restart();
    return warp;
  }

  /// Takes finished warps away; calls free(slot) for every slot whose block has ended.
  template <class Free>
  void retire(unsigned number, Free free) {
    auto& sm = sms_[number];
    for (std::size_t w = 0; w < sm.warps.size();) {
      if (!sm.warps[w]->program.done()) {
        ++w;
        continue;
      }
      const unsigned slot = sm.warps[w]->block_slot;
      counts_ += sm.warps[w]->state.counts();
      idle_.push_back(std::move(sm.warps[w]));
      sm.warps.erase(sm.warps.begin() + static_cast<std::ptrdiff_t>(w));
      sm.ready.erase(sm.ready.begin() + static_cast<std::ptrdiff_t>(w));
      if (--sm.slots[slot].warps == 0) {
        --running_;
        sample_.ended(sm.slots[slot].block);
        free(slot);
      }
    }
  }

  unsigned send(unsigned sm, const LineAccess& access) {
    const auto sectors = static_cast<unsigned>(std::popcount(access.sectors));
    ++lines_;
    (is_store(access.access) ? stores_ : loads_) += sectors;
    memory_.access(sm, access);
    return sectors;
  }

  /// The k-th requests of all resident warps go out before the (k+1)-th of any.
  void lockstep() {
    bool running = true;
    while (running && !sample_.over()) {
      running = false;
      std::size_t most = 0;
      for (auto& sm : sms_) {
        for (auto& warp : sm.warps) {
          running = true;
          warp->step();
          warp->sent = 0;
          if (!warp->state.lines().empty()) most = std::max<std::size_t>(most, warp->state.lines().back().request + 1u);
        }
      }
      for (std::size_t request = 0; request < most; ++request)
        for (unsigned sm = 0; sm < device_.sms; ++sm)
          for (auto& warp : sms_[sm].warps) {
            const auto& lines = warp->state.lines();
            for (; warp->sent < lines.size() && lines[warp->sent].request == request; ++warp->sent)
              send(sm, lines[warp->sent]);
          }
      sample_.watch(now());
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

  /// An SM's time goes by with what it issues: FP64 instructions beside sectors of L1. A warp is ready again when the
  /// slowest of its loads is there: latency of the level that had it, or later where L2 or DRAM are saturated.
  void greedy() {
    const double per_cycle = ticks_per_cycle;
    const auto ticks_per_sector = [&](MemoryLevel level) {
      return static_cast<std::uint64_t>(per_cycle * sector_bytes * device_.clock / device_.bandwidth(level) + 0.5);
    };
    const auto l1_ticks = ticks_per_sector(MemoryLevel::L1) * device_.sms;
    const auto l2_ticks = ticks_per_sector(MemoryLevel::L2), dram_ticks = ticks_per_sector(MemoryLevel::DRAM);
    const auto issue_ticks = ticks_per_cycle * warp_lanes / device_.fp64_lanes;
    std::uint64_t l2_free = 0, dram_free = 0;

    using Event = std::pair<std::uint64_t, unsigned>;  // tick, SM
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
    for (unsigned sm = 0; sm < device_.sms; ++sm)
      if (!sms_[sm].warps.empty()) events.emplace(0, sm);
    while (!events.empty() && !sample_.over()) {
      const auto [tick, number] = events.top();
      events.pop();
      auto& sm = sms_[number];
      const auto oldest = static_cast<std::size_t>(
          std::find_if(sm.ready.begin(), sm.ready.end(), [t = tick](std::uint64_t ready) { return ready <= t; }) -
          sm.ready.begin());
      if (oldest < sm.warps.size()) {
        auto& warp = *sm.warps[oldest];
        const bool goes_on = warp.step();
        std::uint64_t arrival = tick, sectors = 0;
        for (const auto& access : warp.state.lines()) {
          const auto before = memory_.traffic();
          sectors += send(number, access);
          const auto moved = memory_.traffic() - before;
          l2_free = std::max(l2_free, tick) + (moved.l2_read + moved.l2_write) * l2_ticks;
          dram_free = std::max(dram_free, tick) + (moved.dram_read + moved.dram_write) * dram_ticks;
          if (is_store(access.access)) continue;
          const auto latency = moved.dram_read ? device_.dram_latency
                               : moved.l2_read ? device_.l2.latency
                                               : device_.l1.latency;
          arrival = std::max(arrival, tick + latency * ticks_per_cycle);
          if (moved.l2_read) arrival = std::max(arrival, l2_free);
          if (moved.dram_read) arrival = std::max(arrival, dram_free);
        }
        const auto instructions =
            warp.state.arithmetic() + warp.state.divisions() * (device_.division.instructions() - 1);
        const auto issue = std::max(instructions * issue_ticks, sectors * l1_ticks) + ticks_per_cycle;
        sm.busy_until = tick + issue;
        sm.ready[oldest] = std::max(arrival, sm.busy_until);
        sample_.watch(now());
        if (!goes_on) retire(number, [&, number = number](unsigned slot) { dispatch(number, slot, sm.busy_until); });
      }
      if (sm.warps.empty()) continue;
      const auto next = *std::min_element(sm.ready.begin(), sm.ready.end());
      events.emplace(std::max(next, sm.busy_until), number);
    }
  }

  const Device& device_;
  const GpuKernel& kernel_;
  unsigned slots_;
  GpuMemory memory_;
  std::vector<Sm> sms_;
  LaunchSample sample_;
  Index running_ = 0;  ///< blocks
  std::vector<std::unique_ptr<ResidentWarp>> idle_;
  WarpCounts counts_;
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
  const WithoutValues scope;
  return Simulation(device, kernel, sampling, sectors_per_block).run(schedule);
}

WarpCounts record_block(const GpuKernel& kernel, Index block) {
  WarpCounts counts;
  for (unsigned warp = 0; warp < kernel.warps(); ++warp) {
    WarpState state(kernel.memory->origin());
    const Activate active(state);
    auto program = kernel.program(block, warp);
    do state.begin_step();
    while (program.resume());
    counts += state.counts();
  }
  return counts;
}

}  // namespace roofline
