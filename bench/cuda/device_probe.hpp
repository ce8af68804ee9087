#pragma once
#include <optional>

#include "bench/cuda/device_buffer.hpp"

namespace roofline::cuda {

/// Loads the device until two consecutive readings of its SM clock agree within 1 %, for half a second at most, and
/// returns the last one in Hz. An idle device has a low clock and takes some time to raise it, so results from that
/// time would not belong to a fixed clock. Throws Error.
double settled_clock();

/// The clock of the SMs between two points of the default stream: one SM notes its cycles and the time of the device at
/// the first, all do at the second. Cycles of different SMs have nothing in common, so only the SM of the first counts.
class IntervalClock {
 public:
  IntervalClock();
  /// Keeps the device busy for so many cycles, then notes the first point. Throws Error where that cannot be launched.
  void begin(long long busy_cycles) const;
  /// Notes the second point.
  void end() const;
  /// Cycles per second, in Hz, from begin() to end(); waits for both. 0 where the time between them is short against
  /// the steps of the device's timer (1 us on older devices), or no block of end() came to that SM.
  double hz() const;

 private:
  DeviceBuffer<int> words_;
  int blocks_ = 0;
};

/// The code that the device runs of this build, as cudaFuncAttributes has it: 90 is 9.0.
struct RunningCode {
  int binary = 0, ptx = 0;
};
/// Absent where the build has none for it. It clears the resulting error.
std::optional<RunningCode> running_code();

}  // namespace roofline::cuda
