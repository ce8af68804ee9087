#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reporters/cluster/fleet.hpp"
#include "reporters/cluster/outliers.hpp"

namespace roofline::cluster {

/// A slow node is measured so often again.
inline constexpr int runs_again = 2;

enum class Verdict {
  ok,
  slow,       ///< measured again, and still far below equal machines
  suspect,    ///< far below them in one run: to be measured twice more
  fast,       ///< far above them in everything: told, never excluded
  failed,     ///< a row had wrong results
  disturbed,  ///< its runs say so: to be measured again
  alone,      ///< there is nothing to compare with: too few equal machines or rows, or they differ too much
  below       ///< below the median by more than a limit that somebody chose
};
std::string_view name(Verdict verdict);

struct Options {
  Limits limits;
  std::optional<double> limit;  ///< share below the median from which a node is `below`
};

struct NodeVerdict {
  std::string node, host;
  std::size_t group = 0;  ///< from 0
  Verdict verdict = Verdict::ok;
  std::vector<Part> where;  ///< what is slow, the worst first
  /// The shift of the first cause, relative to the median of the group, with a 95 % interval; absent: nothing to say.
  std::optional<double> loss, loss_low, loss_high;
  std::optional<double> z;             ///< the same in standard deviations of sound nodes
  int rows_hit = 0, rows = 0;          ///< rows of that part so far below that each alone would tell, and all of them
  int runs = 0;                        ///< of this hardware, disturbed ones among them
  std::vector<std::string> files;      ///< of these runs
  std::vector<std::string> also;       ///< what else is different there, or why there is no verdict
  std::optional<double> memory, core;  ///< rates relative to the group's, 1 is usual
  bool sound = false;                  ///< counts for the capacity
};

/// One ceiling over the sound nodes of a group.
struct Capacity {
  std::string row;
  RowRate::Sum unit = RowRate::Sum::none;
  bool headline = false;
  std::size_t nodes = 0;  ///< sound ones that have it
  double sum = 0;         ///< FLOP/s or B/s
  double slowest = 0;     ///< of one node, times their number: the rate of a job that waits for all
};

/// Sums of those `rows` (places in Fleet::rows) whose rates add up, of each node the median of its runs. `nodes` are
/// the usable runs of each sound node.
std::vector<Capacity> capacity_of(const Fleet& fleet, const std::vector<std::size_t>& rows,
                                  const std::vector<std::vector<const Fleet::Run*>>& nodes);

struct GroupVerdict {
  Group about;
  std::size_t judged = 0, rows = 0;
  bool has_verdicts = false;
  bool unjudged = false;  ///< it has three nodes or more, and one that nothing can be told of
  /// The smallest loss that would be told, by part; absent: not measured, or no verdicts.
  std::array<std::optional<double>, all_parts.size()> told_from;
  std::vector<Capacity> capacity;
  std::string no_capacity;  ///< why there is none
};

struct ClusterReport {
  std::vector<NodeVerdict> nodes;  ///< by name
  std::vector<GroupVerdict> groups;
  std::vector<Fleet::Unread> unread;
  std::vector<std::string> copies;
  std::size_t files = 0;

  std::size_t count(Verdict verdict) const;
  std::vector<std::string> exclude(bool with_suspects) const;  ///< hosts that are slow or failed
  std::vector<std::string> suspects() const;                   ///< hosts to be measured again: suspect or disturbed
  int runs_missing() const;                                    ///< of these each, at most
};

/// Takes the fleet, as runs on other hardware leave it.
ClusterReport judge(Fleet fleet, const Options& options);

/// Verdicts for people, within 100 columns. Without `all` at most 40 lines: sound nodes are counted, and of the others
/// the worst are shown.
std::string cluster_text(const ClusterReport& report, bool all);

/// All of it, in a stable form: see the README of this room.
std::string cluster_json(const ClusterReport& report, bool exclude_suspects);

/// A line a node.
std::string cluster_csv(const ClusterReport& report);

}  // namespace roofline::cluster
