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

}  // namespace roofline::mpi
