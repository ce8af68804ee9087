#pragma once
#include "bench/cuda/device_buffer.hpp"

namespace roofline::cuda {

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

}  // namespace roofline::cuda
