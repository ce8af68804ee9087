#pragma once
#include <vector>

#include "tools/mpi/link.hpp"
#include "tools/mpi/world.hpp"

namespace roofline::mpi {

/// So many messages of a size between two synchronisations.
struct MessagePoint {
  int messages = 1;
  double bytes = 0;  ///< of one
  Interval seconds;  ///< of all of them
  double rate() const { return messages * bytes / seconds.median; }
};

/// Roofline of messages (Ding, Haseeb, Groves, Williams, P3HPC at SC 2023): the rate over the size, for 1, 4 and 16
/// messages per synchronisation, below bytes x messages / latency and the bandwidth: the latency of the fit, and the
/// best rate of one message per synchronisation.
struct MessageRoofline {
  int a = 0, b = 0;  ///< ranks
  LinkFit roof;
  std::vector<MessagePoint> points;
  double attainable(const MessagePoint& point) const;
};

/// Between rank 0 and the first rank of another node, or rank 1. All ranks call it; needs two.
MessageRoofline measure_messages(World& world, double largest, double seconds);

}  // namespace roofline::mpi
