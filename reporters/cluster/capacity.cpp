#include "reporters/cluster/capacity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/model/statistics.hpp"

namespace roofline::cluster {

std::vector<Capacity> capacity_of(const Fleet& fleet, const std::vector<std::size_t>& rows,
                                  const std::vector<std::vector<const Fleet::Run*>>& nodes) {
  std::vector<Capacity> all;
  for (const auto row : rows) {
    const auto& about = fleet.rows[row];
    if (about.sum == RowRate::Sum::none) continue;
    Capacity capacity{about.name, about.sum, about.headline, 0, 0, std::numeric_limits<double>::infinity()};
    for (const auto& runs : nodes) {
      std::vector<double> logs;
      for (const auto* run : runs)
        if (!std::isnan(run->logs[row])) logs.push_back(run->logs[row]);
      if (logs.empty()) continue;
      const double rate = std::exp(median(std::move(logs)));
      capacity.sum += rate, capacity.slowest = std::min(capacity.slowest, rate), ++capacity.nodes;
    }
    if (capacity.nodes > 0) all.push_back(std::move(capacity));
  }
  return all;
}

}  // namespace roofline::cluster
