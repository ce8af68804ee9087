#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bench/virtual_gpu/memory/block_schedule.hpp"
#include "bench/virtual_gpu/memory/gpu_kernel.hpp"

namespace roofline {

/// One resident warp: where it sits.
struct ResidentWarp {
  unsigned slot = 0, number = 0;  ///< of its block on the SM, of the warp in its block
  std::uint64_t steps = 0;        ///< made so far
  bool ended = false;
};

struct Slot {
  Index block = 0;
  unsigned warps = 0;  ///< still running
};

/// The requests of warps.
struct Asked {
  std::uint64_t loads = 0, stores = 0, lines = 0;  ///< sectors, sectors, lines
};

/// A step that a warp has made, and what it needs of L2, which has not heard of it yet.
struct Issued {
  std::uint64_t tick = 0;
  std::size_t warp = 0;        ///< of Multiprocessor::warps
  std::uint64_t ready = 0;     ///< tick at which the warp goes on, if it waits for nothing of L2
  std::size_t behind_end = 0;  ///< in Multiprocessor::behind, where the step after it begins
  Asked asked;                 ///< L1 for
  bool waits = false;          ///< for loads that L1 does not have
  bool ends_block = false;
};

struct Multiprocessor {
  std::vector<ResidentWarp> warps;  // oldest first
  std::vector<Slot> slots;
  // The greedy schedule's state:
  std::vector<std::uint64_t> ready;  // tick at which the data of each warp are there
  std::uint64_t busy_until = 0;
  std::vector<Issued> issued;      // by tick
  std::size_t sent = 0;            // of these: L2 has heard of them
  std::vector<LineAccess> behind;  // requests that L1 passes on to L2
};

/// A level that all SMs share. It serves requests one after another.
struct Pipe {
  std::uint64_t ticks;     ///< per sector
  std::uint64_t free = 0;  ///< tick from which on it has nothing to do

  // Not std::max: g++ makes a vector instruction of it, which waits for the number that was stored just before.
  void take(std::uint64_t tick, std::uint64_t sectors) {
    if (free < tick) free = tick;
    free += sectors * ticks;
  }
};

/// Sectors and lines of what a warp asks for.
Asked asked_for(std::span<const LineAccess> lines);

/// A launch, or a sample of it, on a simulated GPU: which blocks its SMs hold, and the memory behind them. When a warp
/// makes a step is for a schedule to say.
class RunningLaunch {
 public:
  /// Fills the SMs in turn.
  RunningLaunch(const Device& device, const GpuKernel& kernel, const Sampling& sampling, double sectors_per_block);

  const Device& device() const { return device_; }
  GpuMemory& memory() { return memory_; }
  std::vector<Multiprocessor>& sms() { return sms_; }
  /// Whether nothing is left to do, or to measure.
  bool over() const { return running_ == 0 || sample_.over(); }

  /// SMs of different parts may make steps at the same time, on several threads; SM s is in part s mod parts().
  unsigned parts() const { return static_cast<unsigned>(feeds_.size()); }
  /// Lets a warp of an SM make a step.
  WarpStep step(unsigned sm, ResidentWarp& warp);
  /// To be told when what a warp has asked for goes out, and asked then whether it is time to measure.
  void count(const Asked& asked) {
    asked_.loads += asked.loads;
    asked_.stores += asked.stores;
    asked_.lines += asked.lines;
  }
  void watch() {
    if (sample_.warming()) sample_.watch(now());
  }
  /// Takes finished warps of an SM away; calls free(slot) for every slot whose block has ended.
  void retire(unsigned sm, const std::function<void(unsigned slot)>& free);
  /// Puts the next block, if there is one, into a slot; its warps may begin at `tick`.
  void dispatch(unsigned sm, unsigned slot, std::uint64_t tick);
  /// Ends it; to be asked once.
  SimulatedTraffic finish();

 private:
  Meter now() const { return {memory_.traffic(), asked_.loads, asked_.stores}; }
  std::size_t place_of(unsigned sm, unsigned slot) const { return std::size_t{sm} * slots_ + slot; }
  BlockFeed& feed_of(unsigned sm) { return *feeds_[sm % feeds_.size()]; }
  void exchange(Index distance);
  /// Lets the warps of blocks that have just begun make the steps that those before them had made.
  void catch_up(unsigned sm);
  void take_back_retired(Multiprocessor& sm) const;

  const Device& device_;
  const GpuKernel& kernel_;
  unsigned slots_;
  GpuMemory memory_;
  std::vector<std::unique_ptr<BlockFeed>> feeds_;  ///< of each part
  std::vector<Multiprocessor> sms_;
  LaunchSample sample_;
  Index running_ = 0;  ///< blocks
  Asked asked_;
};

/// Runs a launch to its end: an SM's time goes by with what it issues, FP64 instructions next to sectors of L1, and it
/// runs its oldest warp whose loads are there: after the latency of the level that had the slowest, or later where L2
/// or DRAM are saturated.
void run_greedily(RunningLaunch& launch);

/// Runs a launch to its end: the k-th requests of all resident warps go out before the (k+1)-th of any.
void run_round_robin(RunningLaunch& launch);

}  // namespace roofline
