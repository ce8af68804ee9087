#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/text/format.hpp"
#include "reporters/claims/claim_result.hpp"

namespace roofline::claims {
namespace {

constexpr std::size_t most_lines = 8;  // of one claim; the JSON has all

std::string digits(double number) {
  const bool whole = std::abs(number) < 1e9 && number == std::floor(number);
  return whole ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number);
}

std::string sources_of(const Claim& claim) {
  std::vector<std::string> titles;
  for (const auto& number : claim.documents) titles.push_back(document_title(number));
  return fmt::format("{}", fmt::join(titles, ", "));
}

/// The kinds of run that a claim has a test for: "cpu gpu".
std::string backends_of(const Claim& claim) {
  std::vector<std::string> found;
  for (const auto backend : {Backend::cpu, Backend::gpu, Backend::model})
    if (std::any_of(claim.checks.begin(), claim.checks.end(), [&](const Check& check) {
          return !check.tests.empty() && std::count(check.on.begin(), check.on.end(), name(backend)) > 0;
        }))
      found.push_back(name(backend));
  return found.empty() ? "-" : fmt::format("{}", fmt::join(found, " "));
}

void add_details(Table& table, std::size_t index, const Claim& claim, const std::vector<JudgedRun>& runs) {
  table.notes.push_back(fmt::format("{} {} [{}]", claim.id, claim.statement, sources_of(claim)));
  table.notes.push_back(fmt::format("  published: {}", claim.published));
  if (runs.empty())
    table.notes.push_back("  decided by: " + (claim.undecided.empty() ? backends_of(claim) : claim.undecided));
  for (const auto& run : runs) {
    const auto& result = run.results[index];
    table.notes.push_back(
        fmt::format("  {}: {}{}", run.name, name(result.verdict), result.reason.empty() ? "" : ": " + result.reason));
    std::size_t lines = 0;
    for (const auto& check : result.checks)
      for (const auto& line : evidence_lines(check))
        if (++lines <= most_lines) table.notes.push_back("    " + line);
    if (lines > most_lines) table.notes.push_back(fmt::format("    and {} more (--json)", lines - most_lines));
    if (result.verdict == Verdict::not_reproduced && !claim.differs.empty())
      table.notes.push_back("    why: " + claim.differs);
  }
}

/// The heading of the verdicts of a run, because names of machines are too long to stand next to one another.
std::string short_name(std::size_t run, std::size_t count) {
  return count == 1 ? "verdict" : fmt::format("run {}", run + 1);
}

constexpr const char* list_legend =
    "decided by: the kinds of run on which a claim is judged, by roofline claims RUN.json. -: by none; --id says why. "
    "core: the smaller set, --core.";

std::string legend(const std::vector<JudgedRun>& runs, bool details) {
  if (runs.empty()) return list_legend;
  if (runs.front().backend == Backend::published)
    return "reproduced: computed again from the other published figures. No run has a part in it. --id=LEC-1 has the "
           "numbers of one, --details those of all.";
  return fmt::format(
      "reproduced, not reproduced: the figures of the run decide it. not applicable: the run is of another kind than "
      "the statement, or nothing can be measured for it. inconclusive: intervals overlap, or the run lacks the rows. "
      "core: the smaller set, --core. {}",
      details ? "--json has every figure with its origin." : "--details has the numbers behind each verdict.");
}

nlohmann::ordered_json to_json(const Value& value) {
  const auto finite = [](double x) { return std::isfinite(x) ? nlohmann::ordered_json(x) : nullptr; };
  if (value.exact()) return finite(value.value);
  return {{"value", finite(value.value)}, {"low", finite(value.low)}, {"high", finite(value.high)}};
}

nlohmann::ordered_json to_json(const CheckResult& check) {
  auto json = nlohmann::ordered_json{{"verdict", name(check.verdict)}};
  if (!check.reason.empty()) json["reason"] = check.reason;
  for (const auto& e : check.evidence)
    json["comparisons"].push_back({{"text", e.text},
                                   {"left", to_json(e.left)},
                                   {"right", to_json(e.right)},
                                   {"holds", e.truth == Truth::yes  ? "yes"
                                             : e.truth == Truth::no ? "no"
                                                                    : "unknown"}});
  for (const auto& e : check.shown) json["shown"].push_back({{"text", e.text}, {"value", to_json(e.left)}});
  for (const auto& [text, fact] : check.used.facts)
    json["figures"].push_back({{"figure", text}, {"value", to_json(fact.value)}, {"origin", fact.origin}});
  if (!check.lacked.empty()) json["lacks"] = check.lacked;
  return json;
}

}  // namespace

std::string in_digits(const Value& value) {
  if (std::isnan(value.value)) return "-";
  if (digits(value.low) == digits(value.high)) return digits(value.value);
  return fmt::format("{} ({} .. {})", digits(value.value), digits(value.low), digits(value.high));
}

std::vector<std::string> evidence_lines(const CheckResult& check) {
  std::vector<std::string> lines;
  for (const auto& e : check.evidence)
    lines.push_back(fmt::format("{} {}: {} | {}",
                                e.truth == Truth::yes  ? "ok"
                                : e.truth == Truth::no ? "NO"
                                                       : " ?",
                                e.text, in_digits(e.left), in_digits(e.right)));
  for (const auto& e : check.shown) lines.push_back(fmt::format(" = {}: {}", e.text, in_digits(e.left)));
  return lines;
}

std::string tally(const std::vector<ClaimResult>& results) {
  std::map<Verdict, int> count;
  for (const auto& result : results) ++count[result.verdict];
  std::vector<std::string> parts;
  for (const auto& [verdict, n] : count) parts.push_back(fmt::format("{} {}", n, name(verdict)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> lacking(const std::vector<ClaimResult>& results) {
  std::set<std::string> rows;
  for (const auto& result : results)
    for (const auto& check : result.checks) rows.insert(check.lacked.begin(), check.lacked.end());
  return {rows.begin(), rows.end()};
}

std::string claims_text(const std::vector<const Claim*>& claims, const std::vector<JudgedRun>& runs, bool details,
                        std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < claims.size();) {
    const auto& section = claims[i]->section;
    Table table{section, table_columns("<claim|<core")};
    if (runs.empty()) table.columns.push_back({"decided by", false});
    for (std::size_t run = 0; run < runs.size(); ++run) table.columns.push_back({short_name(run, runs.size()), false});
    table.columns.push_back({"statement", false});
    for (; i < claims.size() && claims[i]->section == section; ++i) {
      const auto& claim = *claims[i];
      if (details) {
        add_details(table, i, claim, runs);
        continue;
      }
      Table::Row row{{claim.id, claim.core ? "core" : ""}};
      if (runs.empty()) row.cells.push_back(backends_of(claim));
      for (const auto& run : runs) row.cells.push_back(name(run.results[i].verdict));
      row.cells.push_back(claim.statement);
      table.rows.push_back(std::move(row));
    }
    if (details) table.columns.clear();
    text += to_text(table, width) + "\n";
  }
  text += to_text({{}, {}, {}, {legend(runs, details)}}, width);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto number = runs.size() == 1 ? std::string() : short_name(i, runs.size()) + ", ";
    text +=
        wrap(fmt::format("{}{}: {}", number, runs[i].name, tally(runs[i].results)), std::min(width, terminal_width));
  }
  return text;
}

std::string claims_json(const std::vector<JudgedRun>& runs) {
  nlohmann::ordered_json json;
  for (const auto& run : runs) {
    nlohmann::ordered_json one{{"run", run.name}};
    for (const auto& result : run.results) {
      const auto& claim = *result.claim;
      nlohmann::ordered_json entry{{"id", claim.id},
                                   {"core", claim.core},
                                   {"statement", claim.statement},
                                   {"section", claim.section},
                                   {"documents", claim.documents},
                                   {"published", claim.published},
                                   {"verdict", name(result.verdict)}};
      if (!result.reason.empty()) entry["reason"] = result.reason;
      for (const auto& check : result.checks) entry["checks"].push_back(to_json(check));
      one["claims"].push_back(std::move(entry));
    }
    json["runs"].push_back(std::move(one));
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace roofline::claims
