#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "reporters/cluster/fleet.hpp"

namespace roofline::cluster {

/// Of one ceiling over the sound nodes of a group.
struct Capacity {
  std::string row;
  RowRate::Sum unit = RowRate::Sum::none;
  bool headline = false;
  std::size_t nodes = 0;  ///< sound ones that have it
  double sum = 0;         ///< FLOP/s or B/s
  double slowest = 0;     ///< of one node, times their number: what a job gets that waits for all
};

/// Sums of those `rows` (places in Fleet::rows) whose rates add up, of each node the median of its runs. `nodes` are
/// the usable runs of each sound node.
std::vector<Capacity> capacity_of(const Fleet& fleet, const std::vector<std::size_t>& rows,
                                  const std::vector<std::vector<const Fleet::Run*>>& nodes);

}  // namespace roofline::cluster
