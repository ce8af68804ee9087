#include "bench/counters/block_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// One resident warp: its state, its program and the slot of the SM that it sits in.
struct ResidentWarp {
  WarpState state;
  WarpProgram program;
  unsigned block_slot = 0;
  std::uint64_t ready = 0;  ///< greedy: tick at which its data are there
  std::size_t sent = 0;     ///< lockstep: lines of this step that have gone out

  /// Runs one step; false at the end of the program. The step's accesses are in state.lines().
  bool step() {
    const Activate active(state);
    state.begin_step();
    program.resume();
    return !program.done();
  }
};

struct Sm {
  std::vector<ResidentWarp> warps;      // oldest first
  std::vector<unsigned> warps_of_slot;  // still running
  std::uint64_t busy_until = 0;
};

/// The machine while it works through a window of blocks.
class Simulation {
 public:
  Simulation(const Device& device, const GpuKernel& kernel, const BlockWindow& window)
      : device_(device),
        kernel_(kernel),
        window_(window),
        slots_(residency(device, kernel).blocks),
        memory_(device, slots_ * kernel.shared),
        sms_(device.sms),
        next_(window.first) {
    for (auto& sm : sms_) sm.warps_of_slot.assign(slots_, 0);
    for (unsigned slot = 0; slot < slots_; ++slot)
      for (unsigned sm = 0; sm < device.sms; ++sm) dispatch(sm, slot, 0);
  }

  SimulatedTraffic run(Schedule schedule) {
    if (schedule == Schedule::lockstep)
      lockstep();
    else
      greedy();
    if (!measured_) end_part();
    result_.left = memory_.left_in_l2();
    return result_;
  }

 private:
  /// Puts the next block, if there is one, into a slot. The window's ends are seen here.
  void dispatch(unsigned sm, unsigned slot, std::uint64_t now) {
    if (next_ == window_.measure) result_.warm_up = before_ = memory_.traffic();
    const bool at_end = next_ == window_.end && window_.end < kernel_.blocks;
    const bool at_part = window_.part > 0 && next_ > window_.measure && (next_ - window_.measure) % window_.part == 0;
    if (!measured_ && (at_end || (at_part && next_ < window_.end))) end_part();
    measured_ |= at_end;
    if (next_ == window_.end) return;
    const Index block = next_++;
    sms_[sm].warps_of_slot[slot] = kernel_.warps();
    for (unsigned warp = 0; warp < kernel_.warps(); ++warp) {
      ResidentWarp resident{WarpState(kernel_.memory->origin()), {}, slot, now, 0};
      // Local memory belongs to the place on the SM, not to the block: the next one there uses it again.
      const std::uint64_t place = (std::uint64_t{sm} * slots_ + slot) * kernel_.warps() + warp;
      resident.state.set_local_base(kernel_.memory->used() + place * kernel_.local * warp_lanes);
      resident.program = kernel_.program(block, warp);
      sms_[sm].warps.push_back(std::move(resident));
    }
  }

  void end_part() {
    result_.parts.push_back(memory_.traffic() - before_);
    before_ = memory_.traffic();
  }

  /// Takes finished warps away; calls free(slot) for every slot whose block has ended.
  template <class Free>
  void retire(unsigned sm, Free free) {
    auto& warps = sms_[sm].warps;
    for (std::size_t w = 0; w < warps.size();) {
      if (!warps[w].program.done()) {
        ++w;
        continue;
      }
      const unsigned slot = warps[w].block_slot;
      result_.counts += warps[w].state.counts();
      warps.erase(warps.begin() + static_cast<std::ptrdiff_t>(w));
      if (--sms_[sm].warps_of_slot[slot] == 0) free(slot);
    }
  }

  void send(unsigned sm, const LineAccess& access) {
    ++result_.lines;
    memory_.access(sm, access);
  }

  /// The k-th requests of all resident warps go out before the (k+1)-th of any.
  void lockstep() {
    bool running = true;
    while (running && !measured_) {
      running = false;
      std::size_t most = 0;
      for (auto& sm : sms_) {
        for (auto& warp : sm.warps) {
          running = true;
          warp.step();
          warp.sent = 0;
          if (!warp.state.lines().empty()) most = std::max<std::size_t>(most, warp.state.lines().back().request + 1u);
        }
      }
      for (std::size_t request = 0; request < most; ++request)
        for (unsigned sm = 0; sm < device_.sms; ++sm)
          for (auto& warp : sms_[sm].warps) {
            const auto& lines = warp.state.lines();
            for (; warp.sent < lines.size() && lines[warp.sent].request == request; ++warp.sent)
              send(sm, lines[warp.sent]);
          }
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
    while (!events.empty() && !measured_) {
      const auto [now, number] = events.top();
      events.pop();
      auto& sm = sms_[number];
      const auto oldest = std::find_if(sm.warps.begin(), sm.warps.end(),
                                       [now = now](const ResidentWarp& warp) { return warp.ready <= now; });
      if (oldest != sm.warps.end()) {
        const bool goes_on = oldest->step();
        std::uint64_t arrival = now, sectors = 0;
        for (const auto& access : oldest->state.lines()) {
          const auto before = memory_.traffic();
          send(number, access);
          const auto moved = memory_.traffic() - before;
          sectors += static_cast<unsigned>(std::popcount(access.sectors));
          l2_free = std::max(l2_free, now) + (moved.l2_read + moved.l2_write) * l2_ticks;
          dram_free = std::max(dram_free, now) + (moved.dram_read + moved.dram_write) * dram_ticks;
          if (is_store(access.access)) continue;
          const auto latency = moved.dram_read ? device_.dram_latency
                               : moved.l2_read ? device_.l2.latency
                                               : device_.l1.latency;
          arrival = std::max(arrival, now + latency * ticks_per_cycle);
          if (moved.l2_read) arrival = std::max(arrival, l2_free);
          if (moved.dram_read) arrival = std::max(arrival, dram_free);
        }
        const auto instructions =
            oldest->state.arithmetic() + oldest->state.divisions() * (device_.division.instructions() - 1);
        const auto issue = std::max(instructions * issue_ticks, sectors * l1_ticks) + ticks_per_cycle;
        sm.busy_until = now + issue;
        oldest->ready = std::max(arrival, sm.busy_until);
        if (!goes_on) retire(number, [&, number = number](unsigned slot) { dispatch(number, slot, sm.busy_until); });
      }
      if (sm.warps.empty()) continue;
      std::uint64_t next = ~std::uint64_t{0};
      for (const auto& warp : sm.warps) next = std::min(next, warp.ready);
      events.emplace(std::max(next, sm.busy_until), number);
    }
  }

  const Device& device_;
  const GpuKernel& kernel_;
  BlockWindow window_;
  unsigned slots_;
  GpuMemory memory_;
  std::vector<Sm> sms_;
  Index next_;
  GpuTraffic before_;
  bool measured_ = false;
  SimulatedTraffic result_;
};

}  // namespace

GpuTraffic SimulatedTraffic::traffic() const {
  GpuTraffic sum;
  for (const auto& part : parts) sum = sum + part;
  return sum;
}

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

SimulatedTraffic simulate(const Device& device, const GpuKernel& kernel, Schedule schedule, const BlockWindow& window) {
  return Simulation(device, kernel, window).run(schedule);
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
