#pragma once
#include <vector>

#include "tools/mpi/link.hpp"
#include "tools/mpi/world.hpp"

namespace roofline::mpi {

struct LinkOptions {
  double largest = 16 << 20;  ///< bytes of the largest message; sizes are 1, 4, 16, ...
  double seconds = 0.3;       ///< for each size of a pair, if that takes at least `fewest` round trips
  int fewest = 3;
};

/// All links, between one rank of each node, or between all ranks where there is one node.
struct LinkReport {
  std::vector<int> ends;    ///< ranks
  std::vector<Link> links;  ///< a < b, both ranks
  double bisection = 0;     ///< B/s of one half to the other and back, all pairs at once; 0: fewer than two
  int bisection_pairs = 0;
  std::vector<LinkFinding> findings;  ///< of ranks
};

/// All ranks call it. A suspected link is measured twice more.
LinkReport measure_links(World& world, const LinkOptions& options);

/// Seconds of `round trips` / 2 with so many messages of a size before each answer of as many: on the first rank of the
/// pair, on the other one nothing. Both call it.
std::vector<double> message_seconds(World& world, int partner, int bytes, int messages, double budget, int fewest);

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
