#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/text/clean.hpp"
#include "bench/text/format.hpp"
#include "reporters/comparison/outputs.hpp"

namespace roofline {
namespace {

/// The order of importance to a reader.
int rank(Verdict verdict) {
  constexpr Verdict first[] = {Verdict::worse, Verdict::invalid, Verdict::undecided, Verdict::better,
                               Verdict::not_comparable};
  return static_cast<int>(std::find(std::begin(first), std::end(first), verdict) - first);
}

double size_of(const Finding& finding) {
  if (finding.ratio) return std::abs(std::log(finding.ratio->estimate));
  if (finding.base && finding.next && *finding.base > 0 && *finding.next > 0)
    return std::abs(std::log(*finding.next / *finding.base));
  return 0;
}

bool comes_first(const Finding& a, const Finding& b) {
  return rank(a.verdict) != rank(b.verdict) ? rank(a.verdict) < rank(b.verdict) : size_of(a) > size_of(b);
}

std::string change(double ratio) { return fmt::format("{:+.1f}", 100 * (ratio - 1)); }

std::string span(const Finding& finding) {
  if (!finding.ratio || !finding.ratio->range) return std::string(absent);
  return fmt::format("{} .. {}", change(finding.ratio->range->low), change(finding.ratio->range->high));
}

std::string metric_of_row(const Finding& finding) {
  return finding.row.empty() ? finding.metric + " of the run" : finding.metric + " of " + finding.row;
}

std::string about_minutes(double seconds) {
  if (seconds <= 0) return "";
  return seconds < 90 ? fmt::format(" (about {:.0f} s)", seconds) : fmt::format(" (about {:.0f} min)", seconds / 60);
}

void count_rest(Table& table, std::size_t all, std::size_t most) {
  if (all > most) table.notes.push_back(fmt::format("{} more rows are not shown", all - most));
}

}  // namespace

std::string headline(const Comparison& comparison) {
  int judged = 0;
  for (const auto& finding : comparison.findings) judged += !finding.informational;
  std::string text;
  for (const auto verdict :
       {Verdict::worse, Verdict::invalid, Verdict::undecided, Verdict::better, Verdict::same, Verdict::not_comparable})
    if (const int count = comparison.count(verdict))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name(verdict));
  return fmt::format("{} ({} metrics, {} pair{} of runs)", text.empty() ? "nothing to compare" : text, judged,
                     comparison.pairs, comparison.pairs == 1 ? "" : "s");
}

std::vector<const Finding*> noteworthy(const Comparison& comparison) {
  std::vector<const Finding*> all;
  for (const auto& finding : comparison.findings) {
    if (finding.verdict == Verdict::same || finding.informational) continue;
    if (finding.metric_class == MetricClass::time && comparison.other_machine) continue;
    all.push_back(&finding);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return comes_first(*a, *b); });
  return all;
}

std::string in_one_line(const Finding& finding) {
  auto text = fmt::format("{} {}", name(finding.verdict), metric_of_row(finding));
  const bool judged = finding.metric_class == MetricClass::time && finding.ratio && finding.ratio->range;
  if (judged) text += fmt::format(": {} % ({} %)", change(finding.ratio->estimate), span(finding));
  if (!finding.why.empty() && !judged) text += ": " + finding.why;
  return text;
}

namespace {

/// Rows with a time, as a reader wants to see them.
std::vector<TimeChange> sorted_times(const Comparison& comparison) {
  auto rows = comparison.times;
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    return comes_first(comparison.findings[a.finding], comparison.findings[b.finding]);
  });
  return rows;
}

/// How small a change the ranges of these times can show.
std::string visible_change(const Comparison& comparison) {
  std::vector<double> all;
  for (const auto& finding : comparison.findings)
    if (finding.ratio && finding.ratio->visible > 0) all.push_back(finding.ratio->visible);
  if (all.empty()) return {};
  std::sort(all.begin(), all.end());
  const double half = all[all.size() / 2], every = all.back();
  const bool interleaved = comparison.options.commands;
  return fmt::format("this comparison shows changes from {:.0f} % on in half of the rows, from {:.0f} % on in all; {}",
                     100 * half, 100 * every,
                     interleaved ? "more pairs show smaller ones" : "roofline ab shows smaller ones");
}

}  // namespace

Table times_table(const Comparison& comparison, std::size_t most) {
  if (comparison.other_machine || comparison.times.empty()) return {};
  Table table{"Times of a launch", table_columns("<verdict|<kernel|base|new|time %|vs roofs %|range %"), {}, {}};
  const auto rows = sorted_times(comparison);
  bool beside_roofs = false, raised = false;
  for (const auto& row : rows) {
    const auto& finding = comparison.findings[row.finding];
    const bool relative = finding.ratio && finding.ratio->beside_roofs;
    beside_roofs = beside_roofs || relative;
    raised = raised || (finding.ratio && finding.ratio->floor > comparison.options.floor);
    if (table.rows.size() == most) continue;
    table.rows.push_back({{std::string(name(finding.verdict)), row.row, duration(row.base), duration(row.next),
                           change(row.next / row.base),
                           relative ? change(finding.ratio->estimate) : std::string(absent), span(finding)}});
  }
  count_rest(table, rows.size(), most);
  if (beside_roofs)
    table.notes.push_back(
        "base, new, time %: as measured. vs roofs %: the change relative to the roofs measured beside both; its range "
        "decides");
  table.notes.push_back(
      fmt::format("WORSE or BETTER: the whole range lies beyond the floor of {:.3g} %; SAME: within it",
                  100 * comparison.options.floor));
  if (raised)
    table.notes.push_back("the floor of some rows is higher: the timer, 20 clock cycles or --control (--json has it)");
  if (const auto line = visible_change(comparison); !line.empty()) table.notes.push_back(line);
  return table;
}

Table factors_table(const Comparison& comparison, std::size_t most) {
  Table table{"Why: the ratio = work x traffic x efficiency", table_columns("<kernel|ratio|work|traffic|efficiency")};
  for (const auto& row : sorted_times(comparison)) {
    const auto& finding = comparison.findings[row.finding];
    const bool changed = finding.verdict == Verdict::worse || finding.verdict == Verdict::better;
    if (!changed || !row.factors || table.rows.size() == most) continue;
    table.rows.push_back(
        {{row.row, fmt::format("{:.3f}", row.factors->product()), fmt::format("{:.3f}", row.factors->work),
          fmt::format("{:.3f}", row.factors->traffic), fmt::format("{:.3f}", row.factors->efficiency)}});
  }
  if (!table.rows.empty())
    table.notes.push_back("factors above 1 cost time: more operations, more bytes, slower code at equal counts");
  return table;
}

Table changes_table(const Comparison& comparison, std::size_t most) {
  Table table{"Other differences", table_columns("<verdict|class|<metric|<of|<why")};
  std::size_t count = 0;
  for (const auto* const finding : noteworthy(comparison)) {
    if (finding->metric_class == MetricClass::time || finding->verdict == Verdict::not_comparable) continue;
    if (count++ < most)
      table.rows.push_back({{std::string(name(finding->verdict)), std::string(letter(finding->metric_class)),
                             finding->metric, finding->row.empty() ? "the run" : finding->row, finding->why}});
  }
  count_rest(table, count, most);
  return count ? table : Table{};
}

std::vector<std::string> suggestion_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const auto& suggestion : comparison.suggestions) {
    lines.push_back(fmt::format("{} row{} undecided: {}. To decide {}{}:", suggestion.rows,
                                suggestion.rows == 1 ? "" : "s", name(suggestion.cause),
                                suggestion.rows == 1 ? "it" : "them", about_minutes(suggestion.seconds)));
    lines.push_back("  " + suggestion.command);
  }
  return lines;
}

namespace {

/// Lines above and below the tables.
std::vector<std::string> facts(const Comparison& comparison) {
  std::vector<std::string> lines;
  if (comparison.other_machine)
    lines.push_back("times are NOT_COMPARABLE, exact classes are judged: " + *comparison.other_machine);
  lines.push_back(fmt::format("base {}, new {}", comparison.base, comparison.next));
  lines.push_back("on " + comparison.machine);
  for (const auto& note : comparison.notes) lines.push_back("note: " + note);
  return lines;
}

/// Metrics that cannot be compared: a line for each reason.
std::vector<std::string> not_comparable(const Comparison& comparison) {
  std::map<std::string, std::vector<std::string>> metrics;  // by reason
  std::map<std::string, std::size_t> counts;
  for (const auto* const finding : noteworthy(comparison)) {
    if (finding->verdict != Verdict::not_comparable) continue;
    ++counts[finding->why];
    auto& of_reason = metrics[finding->why];
    if (std::find(of_reason.begin(), of_reason.end(), finding->metric) == of_reason.end())
      of_reason.push_back(finding->metric);
  }
  std::vector<std::string> lines;
  for (const auto& [why, names] : metrics)
    lines.push_back(fmt::format("{} NOT_COMPARABLE ({}): {}", counts[why], fmt::join(names, ", "), why));
  return lines;
}

/// Reasons of the INVALID times and of those with too few rounds, which the table of times has no room for.
std::vector<std::string> reasons(const Comparison& comparison, std::size_t most) {
  std::vector<std::string> lines;
  std::size_t count = 0;
  for (const auto* const finding : noteworthy(comparison))
    if (finding->metric_class == MetricClass::time &&
        (finding->cause == Cause::too_few_rounds || finding->verdict == Verdict::invalid) && count++ < most)
      lines.push_back(fmt::format("{}: {}: {}", name(finding->verdict), finding->row, finding->why));
  if (count > most) lines.push_back(fmt::format("{} more", count - most));
  return lines;
}

std::string fenced(const std::string& command) {
  std::string safe;
  for (const char c : printable(command))
    if (c != '`') safe += c;
  return "```\n" + safe + "\n```\n";
}

/// Lines as a list.
std::string bullets(std::vector<std::string> lines) { return to_markdown({"", {}, {}, std::move(lines)}); }

}  // namespace

std::string comparison_text(const Comparison& comparison, std::size_t width) {
  std::string text = headline(comparison) + "\n";
  for (const auto& line : facts(comparison)) text += wrap(line, std::min(width, terminal_width));
  for (const auto& table : {changes_table(comparison), times_table(comparison), factors_table(comparison)})
    if (!table.empty()) text += "\n" + to_text(table, width);
  auto why = reasons(comparison, 12);
  for (auto& line : not_comparable(comparison)) why.push_back(std::move(line));
  if (!why.empty()) text += "\n";
  for (const auto& line : why) text += wrap(line, std::min(width, terminal_width));
  const auto commands = suggestion_lines(comparison);
  if (!commands.empty()) text += "\n";
  for (const auto& line : commands) text += line + "\n";
  return text;
}

std::string comparison_markdown(const Comparison& comparison) {
  constexpr std::size_t most_rows = 20;
  auto text = to_markdown({"Roofline comparison: " + headline(comparison), {}, {}, facts(comparison)});
  for (const auto& table :
       {changes_table(comparison, most_rows), times_table(comparison, most_rows), factors_table(comparison, most_rows)})
    if (!table.empty()) text += to_markdown(table);
  auto why = reasons(comparison, most_rows);
  for (auto& line : not_comparable(comparison)) why.push_back(std::move(line));
  text += bullets(std::move(why));
  for (const auto& suggestion : comparison.suggestions)
    text += bullets({fmt::format("{} undecided because of {}{}; this decides:", suggestion.rows, name(suggestion.cause),
                                 about_minutes(suggestion.seconds))}) +
            fenced(suggestion.command);
  return text;
}

}  // namespace roofline
