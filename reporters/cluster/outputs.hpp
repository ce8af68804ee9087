#pragma once
#include <string>

#include "reporters/cluster/verdicts.hpp"

namespace roofline::cluster {

/// Verdicts for people, within 100 columns. Without `all` at most 40 lines: sound nodes are counted, and of the others
/// the worst are shown.
std::string cluster_text(const ClusterReport& report, bool all);

/// All of it, in a stable form: see the README of this room.
std::string cluster_json(const ClusterReport& report, bool exclude_suspects);

/// A line a node.
std::string cluster_csv(const ClusterReport& report);

/// A test case a node and a file that could not be read: SLOW and FAILED fail, what is undecided is skipped.
std::string cluster_junit(const ClusterReport& report);

/// Each group's nodes by their rates relative to the median, a strip for each part.
std::string cluster_svg(const ClusterReport& report);

}  // namespace roofline::cluster
