#include "reporters/comparison/sequential.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "bench/model/statistics.hpp"
#include "reporters/comparison/judging.hpp"
#include "reporters/comparison/outputs.hpp"

namespace roofline {
namespace {

constexpr int most_pairs = 40;

/// What may stand in a command line that is to be pasted, and in a regular expression, as it is.
bool is_plain(const std::string& name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:_-=") == name.npos;
}

/// A command line of a run, taken apart.
struct Command {
  std::string program, flags, filter;
};

/// Without the folder that the run wrote to, and with its filter apart from its flags.
Command taken_apart(const std::string& line) {
  Command command;
  std::istringstream words(line);
  words >> command.program;
  for (std::string word; words >> word;) {
    auto value = word.substr(std::min(word.find('='), word.size() - 1) + 1);
    const bool out = word == "--out" || word.starts_with("--out=");
    const bool filter = word == "--benchmark_filter" || word.starts_with("--benchmark_filter=");
    if ((out || filter) && word.find('=') == word.npos && !(words >> value)) break;
    if (filter) command.filter = value;
    if (!out && !filter) command.flags += " " + word;
  }
  return command;
}

/// What to run for a side. A command of ab says itself where the program is; a stored run does not, and both sides have
/// one name: its folder is left to the reader as `folder`. Without flags where a shell would take them apart.
std::string command_of(const Side& side, bool is_command, const char* folder) {
  const auto [program, flags, filter] = taken_apart(is_command ? side.origin : side.results.command_line);
  auto kept = program + flags;
  if (!is_command) kept = folder + ("/" + program.substr(program.rfind('/') + 1)) + flags;
  const auto plain = kept.find_first_of("'\"\\$`;&|<>()\n") == kept.npos;
  return plain && !program.empty() ? kept : std::string(folder) + "/roofline_bench";
}

/// The rows by name where they are few; else the filter of the run, whose time the suggestion quotes.
std::string filter_of(const std::vector<std::string>& rows, const Side& side) {
  const auto run = taken_apart(side.results.command_line);
  if (run.flags.find(" --case-study") != run.flags.npos) return {};  // chooses its rows itself, and takes no filter
  if (rows.size() <= 3 && std::all_of(rows.begin(), rows.end(), is_plain))
    return fmt::format(" --filter='^({})$'", fmt::join(rows, "|"));
  if (run.filter.empty() || run.filter.find_first_of("'`") != run.filter.npos) return {};
  return fmt::format(" --filter='{}'", run.filter);
}

}  // namespace

void SequentialComparison::add(SidePair pair, const Side* control) {
  if (control)
    for (const auto& point : control->results.points)
      for (const auto& base : pair.base.results.points)
        if (base.name == point.name && judging::invalid_time(point) == Cause::none &&
            judging::invalid_time(base) == Cause::none)
          control_[point.name].push_back(std::log(judging::change_of(pair.base, base, *control, point).median));
  pairs_.push_back(std::move(pair));
}

/// What another build of the same source makes of a row's time is no change: the far end of its interval, or with few
/// runs the largest of all.
void SequentialComparison::raise_floors(ComparisonOptions& options) const {
  for (const auto& [row, changes] : control_) {
    double bar = 0;
    if (const auto interval = exact_median_interval(changes)) {
      bar = std::max(std::abs(interval->low), std::abs(interval->high));
    } else {
      for (const double change : changes) bar = std::max(bar, std::abs(change));
    }
    options.row_floors[row] = std::expm1(bar);
  }
}

double share_of_look(int look, bool last) { return last ? 1.0 / look : 1.0 / look - 1.0 / (look + 1.0); }

Comparison SequentialComparison::look(bool last) {
  auto options = options_;
  options.alpha *= share_of_look(++looks_, last);
  options.interleaved = true;
  raise_floors(options);
  auto comparison = compare(pairs_, options);
  for (auto& finding : comparison.findings) {
    if (finding.metric_class != MetricClass::time || !finding.ratio) continue;
    const auto earlier = decided_.find(finding.row);
    if (finding.verdict == Verdict::worse || finding.verdict == Verdict::better) {
      decided_[finding.row] = finding.verdict;
    } else if (finding.verdict == Verdict::inconclusive && earlier != decided_.end() &&
               (finding.ratio->median > 1) == (earlier->second == Verdict::worse)) {
      finding.verdict = earlier->second, finding.why = "decided by fewer pairs", finding.cause = Cause::none;
    }
  }
  // What is left to decide takes runs of their own, which may spend all of alpha again.
  comparison.options.alpha = options_.alpha;
  comparison.suggestions = suggestions(comparison, pairs_);
  return comparison;
}

int open_rows(const Comparison& comparison) {
  return static_cast<int>(std::count_if(comparison.findings.begin(), comparison.findings.end(), is_open));
}

bool is_open(const Finding& finding) {
  return finding.metric_class == MetricClass::time &&
         (finding.verdict == Verdict::inconclusive || finding.verdict == Verdict::invalid);
}

int pairs_needed(const Finding& finding, const ComparisonOptions& options, int rows) {
  int pairs = 6;
  while (pairs < most_pairs && least_paired_p(pairs) * rows > options.alpha) ++pairs;
  if (!finding.ratio || finding.pairs < 1) return pairs;
  // The interval shrinks with the square root of the pairs: until it lies on one side of the floor.
  const double floor = judging::floor_of(finding.row, options);
  const double change = std::abs(std::log(finding.ratio->median));
  const double half = (std::log(finding.ratio->high) - std::log(finding.ratio->low)) / 2;
  const double wanted = std::max(std::abs(change - floor), floor / 4);
  const double factor = std::pow(half / wanted, 2) * finding.pairs;
  pairs = std::max(pairs, finding.pairs + 2);  // as many as there were have not been enough
  return std::clamp(static_cast<int>(std::ceil(std::min(factor, 1e6))), std::min(pairs, most_pairs), most_pairs);
}

std::vector<Suggestion> suggestions(const Comparison& comparison, const std::vector<SidePair>& pairs) {
  std::vector<Suggestion> all;
  std::map<Cause, std::vector<std::string>> rows;
  int tested = 0;
  for (const auto& finding : comparison.findings) tested += finding.metric_class == MetricClass::time && finding.ratio;
  for (const auto& finding : comparison.findings) {
    if (!is_open(finding)) continue;
    auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& suggestion) { return suggestion.cause == finding.cause; });
    if (found == all.end()) found = all.insert(all.end(), {finding.cause, 0, 0, {}, 0});
    ++found->rows;
    rows[finding.cause].push_back(finding.row);
    found->pairs = std::max(found->pairs, pairs_needed(finding, comparison.options, std::max(1, tested)));
  }
  const auto &base = pairs.front().base, &next = pairs.front().next;
  const bool turns = comparison.options.interleaved;  // the sides are named by their commands
  for (auto& suggestion : all) {
    suggestion.command =
        fmt::format("roofline ab --base='{}' --new='{}' --pairs={}{}", command_of(base, turns, "BASE"),
                    command_of(next, turns, "NEW"), suggestion.pairs, filter_of(rows[suggestion.cause], base));
    const auto& last = pairs.back();  // the first one may have measured ceilings
    const double of_base = last.base.results.timer.run_seconds, of_next = last.next.results.timer.run_seconds;
    const double one = of_base + of_next;
    suggestion.seconds = one > 0 ? one * suggestion.pairs : 0;
  }
  return all;
}

}  // namespace roofline
