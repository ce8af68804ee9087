#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/model/statistics.hpp"
#include "reporters/cluster/verdicts.hpp"

namespace roofline::cluster {

std::string_view name(Verdict verdict) {
  constexpr std::string_view names[] = {"OK", "SLOW", "SUSPECT", "FAST", "FAILED", "DISTURBED", "ALONE", "BELOW"};
  return names[static_cast<std::size_t>(verdict)];
}

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

std::size_t ClusterReport::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.verdict == verdict; }));
}

std::vector<std::string> ClusterReport::exclude(bool with_suspects) const {
  std::vector<std::string> hosts = with_suspects ? suspects() : std::vector<std::string>();
  for (const auto& node : nodes)
    if (node.verdict == Verdict::slow || node.verdict == Verdict::failed) hosts.push_back(node.host);
  return hosts;
}

std::vector<std::string> ClusterReport::suspects() const {
  std::vector<std::string> hosts;
  for (const auto& node : nodes)
    if (node.verdict == Verdict::suspect || node.verdict == Verdict::disturbed) hosts.push_back(node.host);
  return hosts;
}

int ClusterReport::runs_missing() const {
  int most = 0;
  for (const auto& node : nodes) {
    if (node.verdict == Verdict::suspect) most = std::max(most, 1 + runs_again - node.runs);
    if (node.verdict == Verdict::disturbed) most = std::max(most, 1);
  }
  return most;
}

}  // namespace roofline::cluster
