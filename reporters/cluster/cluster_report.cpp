#include <algorithm>

#include "reporters/cluster/verdicts.hpp"

namespace roofline::cluster {

std::string_view name(Verdict verdict) {
  constexpr std::string_view names[] = {"OK", "SLOW", "SUSPECT", "FAST", "FAILED", "DISTURBED", "ALONE", "BELOW"};
  return names[static_cast<std::size_t>(verdict)];
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
