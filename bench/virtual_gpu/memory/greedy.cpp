#include <algorithm>
#include <bit>
#include <exception>
#include <queue>
#include <span>
#include <stdexcept>
#include <utility>

#include "bench/machine/interrupt.hpp"
#include "bench/virtual_gpu/memory/running_launch.hpp"

namespace roofline {
namespace {

constexpr std::uint64_t ticks_per_cycle = 1024;  // integer time: the same numbers everywhere

// In place of a tick at which a warp is ready:
constexpr std::uint64_t ended = ~std::uint64_t{0};
constexpr std::uint64_t at_barrier = ended - 1;  // it waits for others of its block
constexpr std::uint64_t at_l2 = ended - 2;       // its loads have not been sent yet

/// An SM feels its requests to L2 only after a latency. For this long (a stretch) each SM runs alone, with its warps
/// and its L1 in the caches of the host. Then L2 hears the requests of all SMs in the order of their times, as if all
/// SMs had run together, step by step.
class Greedy {
 public:
  explicit Greedy(RunningLaunch& launch)
      : launch_(launch), device_(launch.device()), memory_(launch.memory()), sms_(launch.sms()) {}

  void run() {
    const auto latency = std::max(1u, std::min(device_.l2.latency, device_.dram_latency));
    while (!launch_.over()) {
      stop_if_interrupted();
      auto begin = ended;
      for (const auto& sm : sms_)
        if (!sm.warps.empty()) begin = std::min(begin, next_step(sm));
      if (begin >= at_l2) throw std::logic_error("device model: no warp can go on");
      end_ = begin + latency * ticks_per_cycle;
      all_go_on();
      send_all();
      for (unsigned number = 0; number < sms_.size(); ++number) {
        sms_[number].issued.clear();
        sms_[number].behind.clear();
        sms_[number].sent = 0;
        retire(number);
      }
    }
  }

 private:
  static std::uint64_t next_step(const Multiprocessor& sm) {
    return std::max(*std::min_element(sm.ready.begin(), sm.ready.end()), sm.busy_until);
  }

  /// All SMs, also on a thread that has nothing else to do.
  void all_go_on() {
    std::vector<std::exception_ptr> failures(launch_.parts());
    for (unsigned part = 0; part < launch_.parts(); ++part) {
#pragma omp task default(shared) firstprivate(part)
      try {
        for (unsigned number = part; number < sms_.size(); number += launch_.parts()) go_on(number);
      } catch (...) {
        failures[part] = std::current_exception();
      }
    }
#pragma omp taskwait
    for (const auto& failure : failures)
      if (failure) std::rethrow_exception(failure);
    for (unsigned number = 0; number < sms_.size(); ++number)
      if (!sms_[number].issued.empty()) sends_next(number);
  }

  /// Lets an SM make its steps up to the end of the stretch, or until a block has ended: there another one may begin.
  void go_on(unsigned number) {
    auto& sm = sms_[number];
    while (!sm.warps.empty()) {
      const auto tick = next_step(sm);
      if (tick >= end_) break;
      issue(number, tick);
      if (sm.issued.back().ends_block) break;
    }
  }

  /// One step of the oldest warp that is ready at `tick`.
  void issue(unsigned number, std::uint64_t tick) {
    auto& sm = sms_[number];
    const auto oldest = static_cast<std::size_t>(
        std::find_if(sm.ready.begin(), sm.ready.end(), [tick](std::uint64_t ready) { return ready <= tick; }) -
        sm.ready.begin());
    auto& warp = sm.warps[oldest];
    const auto done = launch_.step(number, warp);
    const auto asked = asked_for(done.lines);
    const auto instructions = done.instructions + done.divisions * device_.division.instructions();
    sm.busy_until =
        tick + std::max(instructions * instruction_ticks_, (asked.loads + asked.stores) * l1_ticks_) + ticks_per_cycle;
    auto& issued = sm.issued.emplace_back();
    issued.tick = tick;
    issued.warp = oldest;
    issued.asked = asked;
    if (done.waits) {
      sm.ready[oldest] = at_barrier;
    } else {
      ask_l1(number, done.lines, issued);
      sm.ready[oldest] = done.ended ? ended : issued.waits ? at_l2 : issued.ready;
      wake(sm, warp.slot);
    }
    issued.behind_end = sm.behind.size();
    issued.ends_block = done.ended && std::none_of(sm.warps.begin(), sm.warps.end(), [&](const ResidentWarp& other) {
                          return other.slot == warp.slot && !other.ended;
                        });
  }

  void ask_l1(unsigned number, std::span<const LineAccess> lines, Issued& issued) {
    auto& sm = sms_[number];
    issued.ready = sm.busy_until;
    const auto first = static_cast<std::ptrdiff_t>(sm.behind.size());
    for (const auto& access : lines) memory_.access_l1(number, access, sm.behind);
    if (issued.asked.loads > 0)
      issued.ready = std::max(issued.ready, issued.tick + device_.l1.latency * ticks_per_cycle);
    issued.waits = std::any_of(sm.behind.begin() + first, sm.behind.end(),
                               [](const LineAccess& access) { return !is_store(access.access); });
  }

  /// Others of the block may have come to the barrier that warps wait at: they look again.
  static void wake(Multiprocessor& sm, unsigned slot) {
    for (std::size_t w = 0; w < sm.warps.size(); ++w)
      if (sm.ready[w] == at_barrier && sm.warps[w].slot == slot) sm.ready[w] = sm.busy_until;
  }

  /// L2 hears of the steps of all SMs; where a block has ended, the next one begins and makes its steps.
  void send_all() {
    while (!senders_.empty() && !launch_.over()) {
      const auto number = senders_.top().second;
      senders_.pop();
      auto& sm = sms_[number];
      send(sm);
      if (sm.sent < sm.issued.size()) {
        sends_next(number);
      } else if (sm.issued.back().ends_block) {
        retire(number);
        go_on(number);
        if (sm.sent < sm.issued.size()) sends_next(number);
      }
    }
  }

  /// The L2 requests of an SM's next step.
  static std::span<const LineAccess> next_behind(const Multiprocessor& sm) {
    const auto first = sm.sent == 0 ? 0 : sm.issued[sm.sent - 1].behind_end;
    return std::span(sm.behind).subspan(first, sm.issued[sm.sent].behind_end - first);
  }

  /// An SM waits for its turn to send its next step; others come before.
  void sends_next(unsigned number) {
    const auto& sm = sms_[number];
    senders_.emplace(sm.issued[sm.sent].tick, number);
    memory_.prefetch_l2(next_behind(sm));
  }

  /// L2 hears of a step: its warp goes on when the slowest of its loads is there.
  void send(Multiprocessor& sm) {
    const auto behind = next_behind(sm);
    const auto& step = sm.issued[sm.sent++];
    launch_.count(step.asked);
    auto ready = step.ready;
    memory_.access_l2(behind, [&](const LineAccess& access, DramSectors moved) {
      l2_.take(step.tick, static_cast<unsigned>(std::popcount(access.sectors)));
      dram_.take(step.tick, moved.read + moved.written);
      if (is_store(access.access)) return;
      const auto latency = moved.read > 0 ? device_.dram_latency : device_.l2.latency;
      memory_.in_flight(access, step.tick, step.tick + latency * ticks_per_cycle);
      ready = std::max({ready, step.tick + latency * ticks_per_cycle, l2_.free});
      if (moved.read > 0) ready = std::max(ready, dram_.free);
    });
    if (step.waits && sm.ready[step.warp] == at_l2) sm.ready[step.warp] = ready;
    launch_.watch();
  }

  void retire(unsigned number) {
    launch_.retire(number, [&](unsigned slot) { launch_.dispatch(number, slot, sms_[number].busy_until); });
  }

  std::uint64_t ticks_per_sector(MemoryLevel level) const {
    return static_cast<std::uint64_t>(
        double{ticks_per_cycle} * sector_bytes * device_.clock / device_.bandwidth(level) + 0.5);
  }

  RunningLaunch& launch_;
  const Device& device_;
  GpuMemory& memory_;
  std::vector<Multiprocessor>& sms_;
  const std::uint64_t instruction_ticks_ = ticks_per_cycle * warp_lanes / device_.fp64_lanes;  ///< of an SM
  const std::uint64_t l1_ticks_ = ticks_per_sector(MemoryLevel::L1) * device_.sms;             ///< of an SM, a sector
  Pipe l2_{ticks_per_sector(MemoryLevel::L2)}, dram_{ticks_per_sector(MemoryLevel::DRAM)};
  std::uint64_t end_ = 0;                                                     ///< of the stretch
  using Sender = std::pair<std::uint64_t, unsigned>;                          ///< tick of its next step, SM
  std::priority_queue<Sender, std::vector<Sender>, std::greater<>> senders_;  ///< SMs with steps to send
};

}  // namespace

void run_greedily(RunningLaunch& launch) { Greedy(launch).run(); }

}  // namespace roofline
