#include "reporters/cluster/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/model/statistics.hpp"
#include "bench/text/format.hpp"

namespace roofline::cluster {
namespace {

double loss_of(double x) { return -std::expm1(x); }

/// Whether what others took of this run is as much as the least loss that is told.
bool is_disturbed(const Fleet::Run& run, const Limits& limits) {
  return !run.disturbed.empty() || run.steal >= limits.floor || run.throttled >= limits.floor;
}

std::string why_disturbed(const Fleet::Run& run) {
  if (!run.disturbed.empty()) return run.disturbed;
  if (run.steal >= run.throttled) return fmt::format("the hypervisor took {} % of its time", percent(run.steal));
  return fmt::format("a CPU quota stopped it in {} % of its periods", percent(run.throttled));
}

/// Judges the nodes of one group.
class GroupJudge {
 public:
  GroupJudge(const Fleet& fleet, const Options& options, std::size_t number, GroupVerdict& group)
      : fleet_(fleet), options_(options), number_(number), group_(group) {}

  std::vector<NodeVerdict> operator()() {
    choose_rows();
    for (const auto at : group_.about.nodes) add(at);
    group_.judged = sheet_.nodes.size();
    group_.has_verdicts = group_.judged >= fewest_nodes;
    if (group_.has_verdicts)
      compare();
    else
      for (auto& node : nodes_) leave_alone(node);
    sum_up();
    return std::move(nodes_);
  }

 private:
  /// The rows that some node of the group has, each in the part that most nodes find it in.
  void choose_rows() {
    for (std::size_t row = 0; row < fleet_.rows.size(); ++row) {
      int have = 0, dram = 0;
      for (const auto at : group_.about.nodes)
        for (const auto& run : fleet_.nodes[at].runs)
          if (!std::isnan(run.logs[row])) ++have, dram += run.bound_by_dram[row];
      if (have == 0) continue;
      rows_.push_back(row);
      sheet_.rows.push_back(2 * dram > have ? Part::memory : Part::core);
    }
    group_.rows = rows_.size();
  }

  std::vector<double> logs_of(const Fleet::Run& run) const {
    std::vector<double> logs;
    for (const auto row : rows_) logs.push_back(run.logs[row]);
    return logs;
  }

  void add(std::size_t at) {
    const auto& node = fleet_.nodes[at];
    NodeVerdict verdict;
    verdict.node = node.name, verdict.host = node.host, verdict.group = number_;
    verdict.runs = static_cast<int>(node.runs.size());
    std::vector<const Fleet::Run*> usable;
    const Fleet::Run* failed = nullptr;
    for (const auto& run : node.runs) {
      verdict.files.push_back(run.file);
      if (run.failures > 0 && !failed) failed = &run;
      if (!is_disturbed(run, options_.limits) && !run.logs.empty()) usable.push_back(&run);
    }
    if (failed) {
      verdict.verdict = Verdict::failed;
      verdict.also.push_back(failed->failure);
      if (failed->failures > 1) verdict.also.push_back(fmt::format("{} rows failed", failed->failures));
    } else if (usable.empty()) {
      verdict.verdict = Verdict::disturbed;
      verdict.also.push_back(why_disturbed(node.runs.back()));
    } else {
      if (usable.size() < node.runs.size())
        verdict.also.push_back(
            fmt::format("{} of {} runs disturbed", node.runs.size() - usable.size(), node.runs.size()));
      places_.push_back(nodes_.size());
      usable_.push_back(usable);
      sheet_.nodes.push_back(logs_of(*usable.front()));
    }
    nodes_.push_back(std::move(verdict));
  }

  void leave_alone(NodeVerdict& node) const {
    if (node.verdict != Verdict::ok) return;
    node.verdict = Verdict::alone;
    const auto& about = group_.about;
    if (about.nodes.size() >= fewest_nodes)
      node.also.insert(node.also.begin(), "fewer than three nodes of its group can be used");
    else if (!about.difference.empty())
      node.also.insert(node.also.begin(), about.difference);
  }

  void compare() {
    const auto reference = reference_of(sheet_, options_.limits);
    for (const auto part : all_parts)
      if (const auto& spread = reference.parts[index(part)]; spread.degrees > 0)
        group_.told_from[index(part)] = loss_of(spread.low);
    std::vector<std::vector<Deviations>> runs(usable_.size());
    std::vector<std::vector<Cause>> found(usable_.size());
    std::size_t tests = 0;
    for (std::size_t i = 0; i < usable_.size(); ++i) {
      for (const auto* run : usable_[i]) runs[i].push_back(deviations(reference, sheet_.rows, logs_of(*run)));
      found[i] = strongest_of_each_part(causes(reference, sheet_.rows, runs[i].front()));
      tests += found[i].size();
    }
    clock_ = median_clock();
    for (std::size_t i = 0; i < usable_.size(); ++i) conclude(i, reference, runs[i], found[i], tests);
  }

  static std::vector<Cause> strongest_of_each_part(const std::vector<Cause>& all) {
    std::vector<Cause> kept;
    for (const auto& cause : all)
      if (std::none_of(kept.begin(), kept.end(), [&](const auto& k) { return k.part == cause.part; }))
        kept.push_back(cause);
    return kept;
  }

  void conclude(std::size_t i, const Reference& reference, const std::vector<Deviations>& runs,
                const std::vector<Cause>& found, std::size_t tests) {
    auto& node = nodes_[places_[i]];
    const std::vector<Deviations> again(runs.begin() + 1, runs.end());
    std::vector<Cause> held;
    bool refuted = true;
    for (const auto& cause : found) {
      const auto confirmed = is_confirmed(cause, reference, again, options_.limits, tests);
      if (confirmed.value_or(false)) held.push_back(cause);
      refuted = refuted && confirmed == false;  // what was not measured again is not refuted
    }
    std::vector<const Deviations*> counted;
    for (const auto& run : again) counted.push_back(&run);
    // The first run was chosen for being low: it tells no loss once there are others.
    if (again.empty() || found.empty()) counted.push_back(&runs.front());
    Deviations mean;
    mean.rows = mean_of(counted);
    for (const auto part : all_parts) {
      double sum = 0;
      for (const auto* run : counted) sum += run->parts[index(part)];
      mean.parts[index(part)] = sum / static_cast<double>(counted.size());
    }
    const auto ratio = [&](Part part) {
      const double x = mean.parts[index(part)];
      return std::isnan(x) ? std::nullopt : std::optional(std::exp(x));
    };
    node.memory = ratio(Part::memory), node.core = ratio(Part::core);
    if (!held.empty() && static_cast<int>(again.size()) >= runs_again) {
      node.verdict = Verdict::slow;
      describe(node, held, reference, mean, counted);
    } else if (!found.empty() && !refuted) {
      node.verdict = Verdict::suspect;
      describe(node, held.empty() ? found : held, reference, mean, counted);
    } else if (is_below(mean)) {
      node.verdict = Verdict::below;
      describe(node, {{slowest_part(mean), {}, 0}}, reference, mean, counted);
    } else if (is_fast(reference, mean)) {
      node.verdict = Verdict::fast;
      describe(node, {{slowest_part(mean), {}, 0}}, reference, mean, counted);
    }
    explain(node, *usable_[i].back());
    note_missing(node, runs.front());
  }

  bool is_below(const Deviations& mean) const {
    if (!options_.limit) return false;
    return std::any_of(mean.parts.begin(), mean.parts.end(), [&](double x) { return loss_of(x) >= *options_.limit; });
  }

  static Part slowest_part(const Deviations& mean) {
    return mean.parts[index(Part::memory)] < mean.parts[index(Part::core)] || std::isnan(mean.parts[index(Part::core)])
               ? Part::memory
               : Part::core;
  }

  /// As far above the others as a suspect is below them, in every part.
  static bool is_fast(const Reference& reference, const Deviations& mean) {
    bool any = false;
    for (const auto part : all_parts) {
      const auto& spread = reference.parts[index(part)];
      if (!(spread.degrees > 0)) continue;
      if (!(mean.parts[index(part)] > -spread.low)) return false;
      any = true;
    }
    return any;
  }

  void describe(NodeVerdict& node, const std::vector<Cause>& held, const Reference& reference, const Deviations& mean,
                const std::vector<const Deviations*>& counted) const {
    for (const auto& cause : held) node.where.push_back(cause.part);
    const auto& cause = held.front();
    const auto& spread = cause.row ? reference.rows[*cause.row] : reference.parts[index(cause.part)];
    const double x = cause.row ? mean.rows[*cause.row] : mean.parts[index(cause.part)];
    node.loss = loss_of(x);
    if (spread.scale > 0) node.z = x / spread.scale;
    std::vector<double> all;
    for (std::size_t row = 0; row < sheet_.rows.size(); ++row) {
      if (sheet_.rows[row] != cause.part || std::isnan(mean.rows[row])) continue;
      ++node.rows, node.rows_hit += mean.rows[row] < reference.rows[row].low;
      if (!cause.row)
        for (const auto* run : counted)
          if (!std::isnan(run->rows[row])) all.push_back(run->rows[row] - reference.parts[index(cause.part)].centre);
    }
    // For a part: the median of its rows. For a row: the scatter of its sound nodes.
    constexpr double of_95_percent = 1.96;
    const double half = of_95_percent * spread.scale / std::sqrt(static_cast<double>(counted.size()));
    const auto interval = exact_median_interval(all);
    node.loss_low = loss_of(interval ? interval->high : x + half);
    node.loss_high = loss_of(interval ? interval->low : x - half);
    if (cause.row) node.also.push_back("most in " + fleet_.rows[rows_[*cause.row]].name);
  }

  double median_clock() const {
    std::vector<double> clocks;
    for (const auto& runs : usable_)
      if (runs.back()->clock_hz > 0) clocks.push_back(runs.back()->clock_hz);
    return clocks.empty() ? 0 : median(std::move(clocks));
  }

  /// The differences in a run that is not a usual one.
  void explain(NodeVerdict& node, const Fleet::Run& run) const {
    if (node.verdict == Verdict::ok) return;
    if (run.clock_hz > 0 && clock_ > 0) {
      const double change = run.clock_hz / clock_ - 1;
      if (std::abs(change) >= options_.limits.floor)
        node.also.push_back(fmt::format("clock {:.0f} % {}", 100 * std::abs(change), change < 0 ? "lower" : "higher"));
    }
    for (auto& text : differences_of(group_.about, run)) node.also.push_back(std::move(text));
    if (run.throttled > 0) node.also.push_back(fmt::format("throttled in {} % of periods", percent(run.throttled)));
    if (run.steal >= 0.01) node.also.push_back(fmt::format("{} % of its time taken", percent(run.steal)));
  }

  void note_missing(NodeVerdict& node, const Deviations& run) {
    const auto missing = std::count_if(run.rows.begin(), run.rows.end(), [](double x) { return std::isnan(x); });
    const auto all = static_cast<std::ptrdiff_t>(run.rows.size());
    if (2 * missing >= all)
      node.also.push_back(fmt::format("{} of {} rows missing", missing, all)), short_.insert(node.node);
  }

  void sum_up() {
    std::vector<std::vector<const Fleet::Run*>> sound;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      auto& node = nodes_[places_[i]];
      const bool counts =
          node.verdict == Verdict::ok || node.verdict == Verdict::fast || node.verdict == Verdict::below;
      node.sound = counts && !short_.contains(node.node);
      if (!node.sound) continue;
      sound.push_back(usable_[i]);
      for (const auto* run : usable_[i])
        if (run->own_windows)
          group_.no_capacity =
              node.node +
              " is one of several ranks that did not measure at the same time: their sum is not a rate of the node";
    }
    if (group_.no_capacity.empty() && group_.has_verdicts) group_.capacity = capacity_of(fleet_, rows_, sound);
  }

  const Fleet& fleet_;
  const Options& options_;
  const std::size_t number_;
  GroupVerdict& group_;
  std::vector<std::size_t> rows_;                       ///< places in Fleet::rows
  Sheet sheet_;                                         ///< first usable runs
  std::vector<std::size_t> places_;                     ///< of a line of the sheet in nodes_
  std::vector<std::vector<const Fleet::Run*>> usable_;  ///< runs of a line of the sheet
  std::vector<NodeVerdict> nodes_;
  std::set<std::string> short_;
  double clock_ = 0;
};

}  // namespace

ClusterReport judge(Fleet fleet, const Options& options) {
  ClusterReport report;
  report.files = fleet.files, report.unread = fleet.unread, report.copies = fleet.copies;
  for (auto& group : groups_of(fleet)) {
    report.groups.push_back({std::move(group), 0, 0, false, {}, {}, {}});
    auto nodes = GroupJudge(fleet, options, report.groups.size() - 1, report.groups.back())();
    std::move(nodes.begin(), nodes.end(), std::back_inserter(report.nodes));
  }
  std::sort(report.nodes.begin(), report.nodes.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
  return report;
}

}  // namespace roofline::cluster
