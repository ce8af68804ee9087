#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"
#include "bench/virtual_gpu/devices/device.hpp"
#include "bench/virtual_gpu/memory/block_schedule.hpp"
#include "bench/virtual_gpu/memory/gpu_kernel.hpp"

namespace roofline {

/// The device model's answer for one launch. Counts of the code are exact. Traffic behind L1 depends on unpublished
/// details (scheduling, the earlier content of L2), so it is an interval.
struct GpuCounts {
  WarpCounts exact;     ///< operations, requests and sectors of the whole launch
  Operations executed;  ///< with divisions expanded as on the device, as a FLOP counter reports them
  Residency resident;
  unsigned registers = 0;    ///< per thread; of several kernels the most
  double occupancy = 1;      ///< resident warps, as a share of those that an SM can hold; of several kernels the least
  double sms_with_work = 1;  ///< share of the SMs that get a block

  /// One answer per set of assumptions, in sectors of 32 B.
  struct Scenario {
    Schedule schedule;
    bool dirty;  ///< what L2 held before the kernel had to be written; else L2 was empty and is written at the end
    double l2_read, l2_write, dram_read, dram_write;
    double l2_read_merged;                    ///< where all reads that may be merged are; else as l2_read
    double l1_store_hits = 0, l2_missed = 0;  ///< as in GpuTraffic
    /// For a sampled launch: half of each quantity's 95 % interval, from the spread between the windows; otherwise 0.
    double l2_read_merged_error = 0, l2_read_error = 0, l2_write_error = 0, dram_read_error = 0, dram_write_error = 0;
  };
  /// Adds a later launch, which has an L2 of its own.
  GpuCounts& operator+=(const GpuCounts& other);

  std::vector<Scenario> scenarios;  ///< {round robin, greedy} x {clean, dirty}
  Span over(double Scenario::*quantity) const;
  /// Sectors that L1 asks L2 for: the middle of the schedules, less half of the factor by which reads that share
  /// requests may lower it. How many share one nobody knows; this is wrong by the least factor.
  double l2_reads() const;

  /// The largest relative error of a quantity in a sampled launch. If reads or writes are less than a thousandth of
  /// their level's traffic, the error is relative to that thousandth.
  std::optional<double> sampling_error;
  double sampled_share = 1;  ///< blocks simulated / blocks
  std::string device;        ///< name of the device that was modelled
  std::string note;          ///< "round robin..greedy, clean..dirty L2, 5 blocks per SM (registers)"

  double sectors_per_request(Access access) const;
  double predication() const;  ///< active lanes / lanes of all instructions, 0..1
  /// The figures of a profiler that follow from the machine code and the simulated caches; those with a time do not.
  std::map<std::string, double> profile() const;
  /// As a run's counts: canonical operations, levels L1, L2 and DRAM in bytes, the middle of each interval
  /// (l2_reads()).
  Counts counts() const;
};

/// Keys of the profile among the details of counts.
inline constexpr std::array profile_figures{"registers", "occupancy_theoretical", "hit_rate_L1", "hit_rate_L2"};

/// All of a launch where that takes about a second, else a sample of it: four windows of as many waves as some seconds
/// allow, three windows of one wave at least, and a start of up to 10 s. `effort` scales these times.
Sampling affordable(const Device& device, const GpuKernel& kernel, double effort = 1);

/// The counter source for GPUs that are not there: executes what compiled kernels ask for warp by warp and
/// models the memory of a described device. Deterministic.
class GpuModel {
 public:
  explicit GpuModel(Device device) : device_(std::move(device)) {}

  /// Throws std::invalid_argument when the kernel does not fit the device.
  GpuCounts count(const GpuKernel& kernel, const Sampling& sampling = {}) const;

  const Device& device() const { return device_; }

 private:
  Device device_;
};

/// The operations that a device executes for those of the source: divisions become other instructions.
Operations executed_by(const Device& device, const WarpCounts& counts);

/// The kernels that `launch` launches through the CUDA runtime, whose device must be the virtual one. With `execute`
/// the kernels run; without it only copies and fills are done, so data that no address depends on may be missing from
/// the device's memory. The result refers to the kernels' data, which must outlive it. Throws std::invalid_argument if
/// nothing was launched or the model does not know a feature that a kernel uses.
std::vector<GpuKernel> recorded_kernels(const std::function<void()>& launch, bool execute);

/// The device model's answer for kernels that run one after another, each with an L2 of its own. Large launches are
/// sampled; a smaller `effort` means fewer samples (see affordable()).
GpuCounts count_kernels(const GpuModel& model, const std::vector<GpuKernel>& kernels, double effort = 1);

}  // namespace roofline
