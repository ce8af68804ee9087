#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/text/words.hpp"
#include "reporters/comparison/judging.hpp"

namespace roofline::judging {
namespace {

/// Rows that failed in any run of a side, and why in the last of these.
std::map<std::string, std::string> failed_rows(const std::vector<SidePair>& pairs, Side SidePair::*side) {
  std::map<std::string, std::string> rows;
  for (const auto& pair : pairs)
    for (const auto& [name, why] : (pair.*side).results.failures) rows[name] = why;
  return rows;
}

/// Why the new side has no result of a row that its program still has; empty: it is no longer there, or has one.
std::string why_unmeasured(const std::vector<SidePair>& pairs, Side SidePair::*side, const std::string& row) {
  for (const auto& pair : pairs)
    if (const auto found = (pair.*side).unmeasured.find(row); found != (pair.*side).unmeasured.end())
      return found->second;
  return {};
}

Finding judge_unmeasured(const std::string& row, const std::string& why) {
  Finding finding{row, "measured", MetricClass::validity, Verdict::undecided};
  finding.why = "not measured: " + why;
  return finding;
}

Finding judge_presence(const PairedRow& row, const std::vector<std::string>& new_names, bool allowed) {
  Finding finding{row.name, "present", MetricClass::validity, allowed ? Verdict::not_comparable : Verdict::worse};
  finding.informational = allowed;
  finding.why = "the new side has no such row" + did_you_mean(row.name, new_names);
  return finding;
}

/// How many runs of a side fail a check.
int failing(const std::vector<SidePair>& pairs, Side SidePair::*side, const std::string& id) {
  int runs = 0;
  for (const auto& pair : pairs)
    for (const auto& check : (pair.*side).results.checks)
      runs += check.id == id && check.verdict == SanityCheck::Verdict::fail;
  return runs;
}

void judge_checks(const std::vector<SidePair>& pairs, std::vector<Finding>& findings, std::vector<std::string>& notes) {
  const auto runs = static_cast<int>(pairs.size());
  for (const auto& check : pairs.back().next.results.checks) {
    const int before = failing(pairs, &SidePair::base, check.id), after = failing(pairs, &SidePair::next, check.id);
    const bool fails_now = check.deterministic ? after > 0 : 2 * after > runs;
    const bool failed_before = check.deterministic ? before > 0 : 2 * before > runs;
    Finding finding{"", "check_" + check.id, MetricClass::validity};
    finding.pairs = runs;
    if (fails_now && failed_before) {
      notes.push_back(fmt::format("check {} ({}) fails on both sides", check.id, check.what));
    } else if (fails_now) {
      finding.verdict = check.deterministic ? Verdict::worse : Verdict::undecided;
      finding.why = check.what + (check.where.empty() ? "" : ": " + check.where);
    } else if (failed_before && check.deterministic) {
      finding.verdict = Verdict::better, finding.why = check.what;
    }
    findings.push_back(std::move(finding));
  }
}

void judge_completeness(const std::vector<SidePair>& pairs, std::vector<Finding>& findings) {
  const auto whole = [&](Side SidePair::*side) {
    return std::none_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return (pair.*side).results.interrupted; });
  };
  const bool before = whole(&SidePair::base), after = whole(&SidePair::next);
  Finding finding{"", "complete", MetricClass::validity};
  finding.pairs = static_cast<int>(pairs.size());
  if (!after)
    finding.verdict = before ? Verdict::worse : Verdict::invalid, finding.why = "the new run was interrupted";
  else if (!before)
    finding.verdict = Verdict::invalid, finding.why = "the base run was interrupted";
  findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> judge_validity(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                    const ComparisonOptions& options, std::vector<std::string>& notes) {
  std::vector<Finding> findings;
  judge_completeness(pairs, findings);
  judge_checks(pairs, findings, notes);
  const auto failed_before = failed_rows(pairs, &SidePair::base), failed_after = failed_rows(pairs, &SidePair::next);
  std::vector<std::string> new_names;
  std::string added;
  int additions = 0;
  for (const auto& row : rows) {
    if (row.next()) new_names.push_back(row.name);
    if (row.next() && !row.base() && !failed_before.contains(row.name) &&
        why_unmeasured(pairs, &SidePair::base, row.name).empty() && ++additions <= 3)
      added += (added.empty() ? "" : ", ") + row.name;
  }
  if (additions)
    notes.push_back(fmt::format("{} new row{}, not judged: {}{}", additions, additions > 1 ? "s" : "", added,
                                additions > 3 ? ", ..." : ""));
  std::set<std::string> names;
  for (const auto& row : rows) {
    names.insert(row.name);
    Finding verified{row.name, "verified", MetricClass::validity};
    verified.pairs = static_cast<int>(pairs.size());
    const bool before = failed_before.contains(row.name), after = failed_after.contains(row.name);
    if (row.base() && !row.next() && !after) {
      const auto why = why_unmeasured(pairs, &SidePair::next, row.name);
      findings.push_back(why.empty() ? judge_presence(row, new_names, options.allow_missing)
                                     : judge_unmeasured(row.name, why + " (new)"));
    } else if (const auto why = why_unmeasured(pairs, &SidePair::base, row.name); !row.base() && !why.empty()) {
      findings.push_back(judge_unmeasured(row.name, why + " (base)"));
    }
    // A row that the new side neither has nor failed is missing, and not verified.
    if ((!row.base() && !before) || (!row.next() && !after)) continue;
    if (after)
      verified.verdict = before ? Verdict::invalid : Verdict::worse, verified.why = failed_after.at(row.name);
    else if (before)
      verified.verdict = Verdict::better, verified.why = "failed before: " + failed_before.at(row.name);
    findings.push_back(std::move(verified));
  }
  // Rows that failed on one side and are nowhere a point.
  for (const auto& [name, why] : failed_after) {
    if (names.contains(name)) continue;
    Finding failed{name, "verified", MetricClass::validity,
                   failed_before.contains(name) ? Verdict::invalid : Verdict::worse};
    failed.pairs = static_cast<int>(pairs.size()), failed.why = why;
    findings.push_back(std::move(failed));
  }
  return findings;
}

}  // namespace roofline::judging
