#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/block_schedule.hpp"
#include "bench/counters/device.hpp"
#include "bench/counters/gpu_kernel.hpp"
#include "bench/model/counts.hpp"

namespace roofline {

/// What the device model says of one launch. Counts of the code are exact; traffic behind L1 depends on what is not
/// published (scheduling, what L2 held before) and is an interval.
struct GpuCounts {
  WarpCounts exact;     ///< operations, requests and sectors of the whole launch
  Operations executed;  ///< divisions expanded as the device does it: what a FLOP counter reports
  Residency resident;
  std::uint64_t l1_bytes_per_sm = 0;

  /// One answer per set of assumptions, in sectors of 32 B.
  struct Scenario {
    Schedule schedule;
    bool dirty;  ///< what L2 held before the kernel had to be written; else L2 was empty and is written at the end
    double l2_read, l2_write, dram_read, dram_write;
  };
  std::vector<Scenario> scenarios;  ///< {lockstep, greedy} x {clean, dirty}
  Span over(double Scenario::*quantity) const;

  /// Of a launch of which several waves were sampled: the largest relative deviation of a wave's L2 or DRAM reads from
  /// their mean.
  std::optional<double> sampling_error;
  std::string device;  ///< name of the device that was modelled
  std::string note;    ///< "lockstep..greedy, clean..dirty L2, 5 blocks per SM (registers)"

  double sectors_per_request(Access access) const;
  double predication() const;  ///< active lanes / lanes of all instructions, 0..1
  /// As a run's counts: canonical operations, levels L1, L2 and DRAM in bytes, the middle of each interval.
  Counts counts() const;
};

/// How much of a launch is simulated. A wave is the blocks that the device holds at once.
struct Sampling {
  Index waves = 0;    ///< to measure, in the middle of the launch; 0: all of it is run
  Index warm_up = 1;  ///< waves before that
  Index period = 1;   ///< blocks after which the counts of blocks repeat; exact counts are those of one period, scaled
};

/// A window of `waves` waves after a warm-up that moves one and a quarter L2, when each block moves `bytes` of its own
/// through L2. A launch shorter than twice that is simulated completely.
Sampling window_of(const Device& device, const GpuKernel& kernel, double bytes, Index waves = 2, Index period = 1);

/// The counter source for GPUs that are not there: executes a kernel's own source warp by warp and models the memory of
/// a described device. Deterministic.
class GpuModel {
 public:
  explicit GpuModel(Device device) : device_(std::move(device)) {}

  /// Throws std::invalid_argument when the kernel does not fit the device, std::logic_error when the blocks of a
  /// sampled kernel do not repeat with the declared period.
  GpuCounts count(const GpuKernel& kernel, const Sampling& sampling = {}) const;

  const Device& device() const { return device_; }

 private:
  Device device_;
};

}  // namespace roofline
