#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "reporters/comparison/outputs.hpp"

namespace roofline {
namespace {

constexpr int fewest_pairs = 6, most_pairs = 40;

/// Characters that may stand as they are in a command line that is to be pasted, and in a regular expression.
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

/// The command to run for a side. A command of ab names the program itself. A stored run does not, and both sides have
/// one name, so its folder is left to the reader as `folder`. Without flags if a shell would take them apart.
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

int open_rows(const Comparison& comparison) {
  return static_cast<int>(std::count_if(comparison.findings.begin(), comparison.findings.end(), is_open));
}

bool is_open(const Finding& finding) {
  return finding.metric_class == MetricClass::time &&
         (finding.verdict == Verdict::undecided || finding.verdict == Verdict::invalid);
}

int pairs_needed(const Finding& finding) {
  const int more = std::max(fewest_pairs, finding.pairs + 2);  // as many as there were have not been enough
  if (!finding.ratio || !finding.ratio->range || finding.pairs < 1) return std::min(more, most_pairs);
  const auto& [low, high] = *finding.ratio->range;
  // The range shrinks with the square root of the pairs: until it lies on one side of the floor.
  const double change = std::abs(finding.ratio->estimate - 1), floor = finding.ratio->floor;
  const double wanted = std::max(std::abs(change - floor), floor / 4);
  const double factor = std::pow((high - low) / 2 / wanted, 2) * finding.pairs;
  return std::clamp(static_cast<int>(std::ceil(std::min(factor, 1e6))), std::min(more, most_pairs), most_pairs);
}

std::vector<Suggestion> suggestions(const Comparison& comparison, const std::vector<SidePair>& pairs) {
  std::vector<Suggestion> all;
  std::map<Cause, std::vector<std::string>> rows;
  for (const auto& finding : comparison.findings) {
    if (!is_open(finding)) continue;
    auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& suggestion) { return suggestion.cause == finding.cause; });
    if (found == all.end()) found = all.insert(all.end(), {finding.cause, 0, 0, {}, 0});
    ++found->rows;
    rows[finding.cause].push_back(finding.row);
    found->pairs = std::max(found->pairs, pairs_needed(finding));
  }
  const auto &base = pairs.front().base, &next = pairs.front().next;
  const bool commands = comparison.options.commands;
  const auto& last = pairs.back();  // the first one may have measured ceilings
  const double one_pair = last.base.results.timer.run_seconds + last.next.results.timer.run_seconds;
  for (auto& suggestion : all) {
    suggestion.command =
        fmt::format("roofline ab --base='{}' --new='{}' --pairs={}{}", command_of(base, commands, "BASE"),
                    command_of(next, commands, "NEW"), suggestion.pairs, filter_of(rows[suggestion.cause], base));
    suggestion.seconds = std::max(0.0, one_pair * suggestion.pairs);
  }
  return all;
}

}  // namespace roofline
