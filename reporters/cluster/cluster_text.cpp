#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/model/statistics.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/format.hpp"
#include "bench/text/table.hpp"
#include "reporters/cluster/fleet.hpp"
#include "reporters/cluster/verdicts.hpp"

namespace roofline::cluster {
namespace {

constexpr std::size_t most_rows = 20, most_groups = 4, most_named = 10, most_differences = 5;

/// The order of the table: findings that need action come first.
std::ptrdiff_t urgency(Verdict verdict) {
  constexpr Verdict first[] = {Verdict::failed, Verdict::slow, Verdict::suspect, Verdict::below, Verdict::fast};
  return std::find(std::begin(first), std::end(first), verdict) - first;
}

bool is_skipped(const NodeVerdict& node) {
  return node.verdict == Verdict::alone || node.verdict == Verdict::disturbed;
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

Table::Row row_of(const NodeVerdict& node) {
  const auto half = node.loss_low ? fmt::format("{:.1f}", 50 * (*node.loss_high - *node.loss_low)) : "";
  std::vector<std::string> where;
  for (const auto part : node.where) where.emplace_back(name(part));
  return {{node.node, std::string(name(node.verdict)), fmt::format("{}", fmt::join(where, ", ")),
           node.loss ? percent_text(*node.loss) : "", half,
           node.rows > 0 ? fmt::format("{}/{}", node.rows_hit, node.rows) : "", std::to_string(node.runs),
           fmt::format("{}", fmt::join(node.also, "; "))}};
}

std::string told_text(const GroupVerdict& group) {
  if (!group.has_verdicts) return "; too few for a verdict";
  std::string text;
  for (const auto part : all_parts)
    if (const auto& from = group.told_from[index(part)])
      text += fmt::format("{}{} ({})", text.empty() ? "; told from " : ", ", percent_text(*from), name(part));
  return text;
}

std::string rate_text(double rate, RowRate::Sum unit) {
  constexpr double peta = 1e15, tera = 1e12, giga_units = 1e9;
  const auto [scale, prefix] = rate >= peta   ? std::pair(peta, "P")
                               : rate >= tera ? std::pair(tera, "T")
                                              : std::pair(giga_units, "G");
  return fmt::format("{} {}{}", significant(rate / scale), prefix, unit == RowRate::Sum::bytes ? "B/s" : "FLOP/s");
}

/// The ceilings that a user asks for first: the fastest of each unit, with all cores and the widest instructions.
std::string capacity_text(const GroupVerdict& group) {
  if (!group.no_capacity.empty()) return "capacity: " + group.no_capacity;
  std::string text;
  for (const auto unit : {RowRate::Sum::bytes, RowRate::Sum::flops}) {
    const Capacity* best = nullptr;
    for (const auto& capacity : group.capacity)
      if (capacity.unit == unit && capacity.headline && (!best || capacity.sum > best->sum)) best = &capacity;
    if (!best) continue;
    const double waits = best->slowest * static_cast<double>(best->nodes);
    text += fmt::format("{}{} {}, slowest x {}: {} ({:.1f} %)", text.empty() ? "" : "; ",
                        unit == RowRate::Sum::bytes ? "DRAM read" : "fp64 fma", rate_text(best->sum, unit), best->nodes,
                        rate_text(waits, unit), 100 * waits / best->sum);
  }
  return text.empty() ? text : "capacity of sound nodes: " + text;
}

/// Ten of the names, the others as a number.
void name_some(std::vector<std::string>& into, const std::vector<std::string>& names) {
  const auto shown = std::min(names.size(), most_named);
  into.insert(into.end(), names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < names.size()) into.push_back(fmt::format("{} more", names.size() - shown));
}

std::string skipped_text(const ClusterReport& report) {
  std::vector<std::string> parts, disturbed, alone, unread;
  for (const auto& node : report.nodes) {
    const auto why = node.also.empty() ? "" : " (" + node.also.front() + ")";
    if (node.verdict == Verdict::disturbed) disturbed.push_back(node.node + " disturbed" + why);
    if (node.verdict == Verdict::alone) alone.push_back(node.node + " has no group" + why);
  }
  for (const auto& file : report.unread) unread.push_back(file.file + ": " + file.why);
  name_some(parts, disturbed), name_some(parts, alone), name_some(parts, unread);
  if (!report.copies.empty())
    parts.push_back(fmt::format("{} file{} with the text of another one", report.copies.size(),
                                report.copies.size() == 1 ? "" : "s"));
  return parts.empty() ? "" : wrap(fmt::format("left out: {}", fmt::join(parts, "; ")), terminal_width) + "\n";
}

std::string again_text(const ClusterReport& report) {
  const auto hosts = report.suspects();
  if (hosts.empty()) return {};
  const int runs = report.runs_missing();
  constexpr std::size_t longest = 400;
  auto list = folded(hosts);
  if (list.size() > longest) list = "$(cat FILE)";  // of --suspects=FILE
  return fmt::format(
      "again: {}srun --nodelist={} --ntasks-per-node=1 roofline_bench --out={}   ({} run{} of {} node{})\n",
      runs > 1 ? fmt::format("for i in $(seq {}); do ", runs) : "", list, runs > 1 ? "again-$i; done" : "again", runs,
      runs == 1 ? "" : "s", hosts.size(), hosts.size() == 1 ? "" : "s");
}

}  // namespace

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
    if (node.verdict == Verdict::suspect) most = std::max({most, 1, 1 + runs_again - node.runs});
    if (node.verdict == Verdict::disturbed) most = std::max(most, 1);
  }
  return most;
}

std::string cluster_text(const ClusterReport& report, bool all) {
  std::string text = fmt::format("{} node{}, {} file{}{}\n", report.nodes.size(), report.nodes.size() == 1 ? "" : "s",
                                 report.files, report.files == 1 ? "" : "s",
                                 report.unread.empty() ? "" : fmt::format("; {} not read", report.unread.size()));
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < report.groups.size(); ++i)
    if (report.groups[i].has_verdicts) groups.push_back(i);
  const auto shown_groups = all ? groups.size() : std::min(groups.size(), most_groups);
  std::size_t room = all ? report.nodes.size() : most_rows;
  for (std::size_t i = 0; i < shown_groups; ++i) {
    const auto& group = report.groups[groups[i]];
    text += wrap(fmt::format("group {}: {}, {} nodes, {} rows{}", groups[i] + 1, group.about.title,
                             group.about.nodes.size(), group.rows, told_text(group)),
                 terminal_width) +
            "\n";
    const auto& differences = group.about.differences;
    for (std::size_t d = 0; d < (all ? differences.size() : std::min(differences.size(), most_differences)); ++d)
      text += wrap("  differs: " + differences[d], terminal_width) + "\n";
    std::vector<const NodeVerdict*> nodes;
    for (const auto& node : report.nodes)
      if (node.group == groups[i] &&
          (all || (node.verdict != Verdict::ok && !is_skipped(node)) || !node.also.empty()) && !is_skipped(node))
        nodes.push_back(&node);
    std::stable_sort(nodes.begin(), nodes.end(), [](const auto* a, const auto* b) {
      const auto first = urgency(a->verdict), second = urgency(b->verdict);
      return first != second ? first < second : a->loss.value_or(0) > b->loss.value_or(0);
    });
    const auto shown = std::min(nodes.size(), room);
    room -= shown;
    Table table{{}, table_columns("<node|<verdict|<where|loss|+-|rows|runs|<also")};
    for (std::size_t n = 0; n < shown; ++n) table.rows.push_back(row_of(*nodes[n]));
    text += to_text(table);
    if (shown < nodes.size()) text += fmt::format("({} more: --all, or --csv=FILE)\n", nodes.size() - shown);
    if (const auto line = capacity_text(group); !line.empty()) text += wrap(line, terminal_width) + "\n";
  }
  if (shown_groups < groups.size()) text += fmt::format("({} more groups: --all)\n", groups.size() - shown_groups);
  return printable(text + skipped_text(report) + again_text(report));
}

}  // namespace roofline::cluster
