#pragma once
#include "bench/machine/clock.hpp"
#include "tools/mpi/world.hpp"

namespace roofline::mpi {

/// Seconds on this rank's own clock.
inline double own_time() { return seconds_of(CLOCK_MONOTONIC); }

/// What this rank's clock must be put forward by to show rank 0's. By ping-pong: of many round trips the shortest one
/// tells most (Cristian, Distributed Computing 3, 1989). Measured again when it is older than 10 s: clocks drift apart.
class Clocks {
 public:
  explicit Clocks(World& world) : world_(world) {}

  /// All ranks call it at the same place.
  void keep_right();
  /// Seconds on rank 0's clock.
  double now() const;
  /// Half of the shortest round trip to rank 0: the offset is known to that.
  double doubt() const { return doubt_; }

 private:
  void measure();

  World& world_;
  double offset_ = 0, doubt_ = 0, measured_ = -1e9;
};

}  // namespace roofline::mpi
