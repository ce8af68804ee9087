#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/model/counts.hpp"
#include "bench/virtual_gpu/devices/device.hpp"
#include "bench/virtual_gpu/memory/block_schedule.hpp"
#include "bench/virtual_gpu/memory/gpu_kernel.hpp"

namespace roofline {

/// What the device model says of one launch. Counts of the code are exact; traffic behind L1 depends on what is not
/// published (scheduling, what L2 held before) and is an interval.
struct GpuCounts {
  WarpCounts exact;     ///< operations, requests and sectors of the whole launch
  Operations executed;  ///< divisions expanded as the device does it: what a FLOP counter reports
  Residency resident;

  /// One answer per set of assumptions, in sectors of 32 B.
  struct Scenario {
    Schedule schedule;
    bool dirty;  ///< what L2 held before the kernel had to be written; else L2 was empty and is written at the end
    double l2_read, l2_write, dram_read, dram_write;
    /// Of a sample: half of a 95 % interval of each quantity, from the spread between its windows; else 0.
    double l2_read_error = 0, l2_write_error = 0, dram_read_error = 0, dram_write_error = 0;
  };
  /// Of launches one after another, each with an L2 of its own.
  GpuCounts& operator+=(const GpuCounts& other);

  std::vector<Scenario> scenarios;  ///< {round robin, greedy} x {clean, dirty}
  Span over(double Scenario::*quantity) const;

  /// Of a sampled launch: the largest error of a quantity relative to it, or to a thousand times as much as it where
  /// reads or writes are less than that part of their level's traffic.
  std::optional<double> sampling_error;
  double sampled_share = 1;  ///< blocks simulated / blocks
  std::string device;        ///< name of the device that was modelled
  std::string note;          ///< "round robin..greedy, clean..dirty L2, 5 blocks per SM (registers)"

  double sectors_per_request(Access access) const;
  double predication() const;  ///< active lanes / lanes of all instructions, 0..1
  /// As a run's counts: canonical operations, levels L1, L2 and DRAM in bytes, the middle of each interval.
  Counts counts() const;
};

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

/// Counts a launch on a described GPU that is not there.
class DeviceModel final : public CounterSource {
 public:
  explicit DeviceModel(Device device) : model_(std::move(device)) {}
  std::optional<Counts> count(const std::string& row, const Workload& work) override;

 private:
  GpuModel model_;
};

/// The kernels that `launch` launches through the CUDA runtime, whose device has to be the virtual one. With `execute`
/// they are executed as well, else nothing but copies and fills is done: what no address depends on need not be in the
/// device's memory. Throws std::invalid_argument where nothing was launched or the model does not know what a kernel
/// does. What they work on has to outlive them.
std::vector<GpuKernel> recorded_kernels(const std::function<void()>& launch, bool execute);

/// What the device model says of kernels, one after another, each with an L2 of its own. Sampled where they are large,
/// the less the smaller `effort` is: see affordable().
GpuCounts count_kernels(const GpuModel& model, const std::vector<GpuKernel>& kernels, double effort = 1);

}  // namespace roofline
