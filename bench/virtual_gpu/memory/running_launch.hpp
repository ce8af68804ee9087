#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bench/virtual_gpu/memory/block_schedule.hpp"
#include "bench/virtual_gpu/memory/multiprocessor.hpp"

namespace roofline {

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
    asked_.loads += asked.loads, asked_.stores += asked.stores, asked_.lines += asked.lines;
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

}  // namespace roofline
