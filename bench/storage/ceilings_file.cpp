#include "bench/storage/ceilings_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "bench/machine/machine.hpp"
#include "bench/model/ceiling_name.hpp"
#include "bench/model/roofline.hpp"
#include "bench/ranks/node.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/json_reader.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/text/plain_text.hpp"

namespace roofline {
namespace {

constexpr std::string_view variant_label = "variant=";
constexpr double clock_tolerance = 0.03;
constexpr double day = 86400;

/// One row of a ceiling, as far as it is needed.
struct CeilingRow {
  std::string name;
  int repetition = 0;
  double rate = 0, low = 0, high = 0;
  std::optional<double> theory = {}, clock_begin = {}, clock_end = {}, samples = {};
  std::string variant = {};
};

/// A run.json: its fingerprint and its ceiling rows with a result.
struct CeilingRows {
  std::string fingerprint, node, compiler, suite_version;
  bool cut_short = false;          ///< by a signal
  int interrupted = 0;             ///< rows that the run did not come to
  double clock_hz = 0;             ///< 0: unknown
  std::optional<double> age = {};  ///< seconds since the file's run; negative: of the future
  std::vector<CeilingRow> rows = {};
};

/// Seconds since the date of a run, 2026-01-31T23:59:59 with or without an offset.
double age_of(const JsonReader& date) {
  std::tm fields{};
  const auto text = date.text();
  const char* const rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &fields);
  int hours = 0, minutes = 0;
  char sign = '+';
  if (!rest || (*rest != '\0' && *rest != 'Z' && std::sscanf(rest, "%c%d:%d", &sign, &hours, &minutes) != 3))
    date.fail("is not a date like 2026-01-31T23:59:59Z");
  const double offset = (sign == '-' ? -1 : 1) * (3600.0 * hours + 60.0 * minutes);
  return std::difftime(std::time(nullptr), ::timegm(&fields)) + offset;
}

/// Whether a row without a result is one that an interruption came before.
class Unreached {
 public:
  explicit Unreached(const JsonReader& document) {
    if (!document.has("roofline") || !document.at("roofline").has("unreached")) return;
    const auto list = document.at("roofline").at("unreached");
    rows_.emplace();
    for (std::size_t i = 0; i < list.size(); ++i) rows_->insert(list.at(i).text());
  }
  bool contains(const std::string& name, const JsonReader& row) const {
    // Files that have no list say so in the row.
    return rows_ ? rows_->contains(name) : row.text("error_message").value_or("") == "interrupted";
  }

 private:
  std::optional<std::set<std::string>> rows_;
};

/// Absent: a row that is no ceiling, or has no result.
std::optional<CeilingRow> read_row(const JsonReader& row, const Unreached& unreached, int& interrupted) {
  const auto name = row.text("run_name").value_or(row.text("name").value_or(""));
  if (name.rfind("ceiling/", 0) != 0 || row.text("run_type").value_or("iteration") != "iteration") return std::nullopt;
  if (row.truth("error_occurred").value_or(false) || row.truth("skipped").value_or(false)) {
    interrupted += unreached.contains(name, row);
    return std::nullopt;
  }
  CeilingRow result{.name = name, .repetition = static_cast<int>(row.number("repetition_index").value_or(0))};
  const auto* key = "B/s";
  for (const auto* const other : {"FLOP/s", "instructions/s", "regions/s", "rate"})
    if (row.has(other)) key = other;
  result.rate = row.at(key).number();
  result.low = row.at("rate_low").number(), result.high = row.at("rate_high").number();
  if (!(result.low > 0 && result.low <= result.rate && result.rate <= result.high))
    row.fail(fmt::format("{}: the rate is not within its interval, or not positive", name));
  result.theory = row.number("theory"), result.samples = row.number("samples");
  result.clock_begin = row.number("clock_begin"), result.clock_end = row.number("clock_end");
  if (const auto label = row.text("label").value_or(""); label.rfind(variant_label, 0) == 0)
    result.variant = label.substr(variant_label.size(), label.find(" window=") - variant_label.size());
  return result;
}

/// Of the repetitions of a row the middle one, as in the run itself.
std::vector<CeilingRow> middle_ones(const std::vector<CeilingRow>& rows) {
  std::vector<CeilingRow> result;
  std::map<std::string, std::vector<CeilingRow>> by_name;
  for (const auto& row : rows) by_name[row.name].push_back(row);
  for (const auto& row : rows) {
    auto& same = by_name[row.name];
    if (same.empty()) continue;  // has had its turn
    std::sort(same.begin(), same.end(), [](const auto& a, const auto& b) { return a.rate < b.rate; });
    result.push_back(same[same.size() / 2]);
    same.clear();
  }
  return result;
}

CeilingRows read_rows(const std::string& path) {
  const auto document = parse_json(read_plain_text(path), path);
  const JsonReader top(document, path);
  const auto context = top.at("context");
  if (top.has("roofline"))
    if (const auto version = top.at("roofline").at("schema");
        !(version.number() >= 1 && version.number() <= run_schema))
      version.fail(fmt::format("is {}, this program reads 1 to {}", version.number(), run_schema));
  CeilingRows result{.fingerprint = context.at("fingerprint").text(),
                     .node = context.text("node").value_or(""),
                     .compiler = context.text("compiler").value_or(""),
                     .suite_version = context.text("suite_version").value_or(""),
                     // "complete" alone, in older files, was the opposite.
                     .cut_short = context.truth("interrupted").value_or(!context.truth("complete").value_or(true))};
  if (context.has("date")) result.age = age_of(context.at("date"));
  if (const auto clock = context.text("clock_hz")) result.clock_hz = std::strtod(clock->c_str(), nullptr);
  const auto rows = top.at("benchmarks");
  const Unreached unreached(top);
  std::set<std::pair<std::string, int>> seen;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const auto row = read_row(rows.at(i), unreached, result.interrupted)) {
      if (!seen.insert({row->name, row->repetition}).second) rows.at(i).fail(row->name + " stands there twice");
      result.rows.push_back(*row);
    }
  result.rows = middle_ones(result.rows);
  return result;
}

/// An interruption among the kernels leaves all ceilings; one among the ceilings leaves some, and roofs made of them.
void require_all_ceilings(const std::string& path, const CeilingRows& file, const std::vector<std::string>& lacking) {
  if (!file.cut_short || (file.interrupted == 0 && lacking.empty())) return;
  const auto what = !lacking.empty() ? fmt::format("no ceiling of {}", fmt::join(lacking, ", "))
                                     : fmt::format("{} of its ceilings were not measured", file.interrupted);
  throw FingerprintMismatch(
      fmt::format("{}: an interrupted run, {}; take the file of a complete run, or --ceilings=auto", path, what));
}

/// The levels of a hierarchy, and the FMA rate, of which `all` knows a roof and `measured` none.
std::vector<std::string> roofs_lacking(const Roofline& measured, const Roofline& all) {
  std::vector<std::string> lacking;
  if (all.compute(Operation::fma) && !measured.compute(Operation::fma)) lacking.emplace_back("FMA");
  for (const auto level : memory_levels)
    if (all.bandwidth(level) && !measured.bandwidth(level)) lacking.emplace_back(name(level));
  return lacking;
}

Roofline all_roofs(const Suite& suite) {
  std::vector<Ceiling> ceilings;
  for (const auto& variant : suite.ceilings()) ceilings.push_back(variant.ceiling);
  return Roofline(std::move(ceilings), suite.threads());
}

/// `known` with the result of a row.
Ceiling with_result(Ceiling ceiling, const CeilingRow& row) {
  ceiling.rate = row.rate, ceiling.rate_low = row.low, ceiling.rate_high = row.high;
  if (row.theory.value_or(0) > 0) ceiling.theory = row.theory;
  if (row.clock_begin.value_or(0) > 0) ceiling.clock_begin = *row.clock_begin;
  if (row.clock_end.value_or(0) > 0) ceiling.clock_end = *row.clock_end;
  ceiling.samples = static_cast<int>(std::clamp(row.samples.value_or(0), 0.0, 1e9));
  ceiling.variant = row.variant;
  return ceiling;
}

/// The ceilings among the rows, and the largest number of threads that one has.
std::pair<std::vector<Ceiling>, int> ceilings_among(const CeilingRows& file) {
  std::vector<Ceiling> ceilings;
  int threads = 0;
  for (const auto& row : file.rows)
    if (const auto ceiling = parse_ceiling_name(row.name)) {
      ceilings.push_back(with_result(*ceiling, row));
      threads = std::max(threads, ceiling->threads);
    }
  return {std::move(ceilings), threads};
}

}  // namespace

std::vector<Ceiling> read_ceilings(const std::string& path, const Suite& suite) {
  const auto file = read_rows(path);
  const auto& fingerprint = file.fingerprint;
  if (fingerprint != suite.target().fingerprint)
    throw FingerprintMismatch(
        fmt::format("{}: ceilings of another machine ({}), this one is {}; measure them with --ceilings=auto", path,
                    fingerprint, suite.target().fingerprint));
  std::vector<Ceiling> ceilings;
  for (const auto& row : file.rows)
    if (const auto* const known = suite.ceiling(row.name)) ceilings.push_back(with_result(known->ceiling, row));
  const bool usable =
      std::any_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) { return c.threads == suite.threads(); });
  if (!usable)
    throw FingerprintMismatch(
        fmt::format("{}: has no ceilings for {} thread{}", path, suite.threads(), suite.threads() == 1 ? "" : "s"));
  require_all_ceilings(path, file, roofs_lacking(Roofline(ceilings, suite.threads()), all_roofs(suite)));
  return ceilings;
}

std::map<std::string, std::string> read_tunings(const std::string& path) {
  const auto document = parse_json(read_plain_text(path), path);
  const JsonReader top(document, path);
  std::map<std::string, std::string> tunings;
  if (!top.has("roofline") || !top.at("roofline").has("points")) return tunings;
  const auto points = top.at("roofline").at("points");
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const char* key : {"tuning", "form"})  // its name in older files
      if (const auto tuning = points.at(i).text(key)) tunings[points.at(i).at("name").text()] = *tuning;
  return tunings;
}

std::vector<std::string> ceilings_warnings(const std::string& path, const std::vector<Ceiling>& ceilings,
                                           const Suite& suite) {
  std::vector<std::string> warnings;
  const auto lacking = roofs_lacking(Roofline(ceilings, suite.threads()), all_roofs(suite));
  if (!lacking.empty())
    warnings.push_back(
        fmt::format("{} has no ceiling of {}: no kernel is compared with it", path, fmt::join(lacking, ", ")));
  const auto file = read_rows(path);
  if (const auto here = node_name(); !file.node.empty() && file.node != here)
    warnings.push_back(fmt::format(
        "the ceilings of {} are of node {}, this is {}: shares are of another machine's roofs", path, file.node, here));
  if (file.age.value_or(0) > day)
    warnings.push_back(fmt::format("the ceilings of {} are {:.0f} days old", path, *file.age / day));
  if (file.age.value_or(0) < -day) warnings.push_back(fmt::format("the date of {} is in the future", path));
  if (!file.compiler.empty() && file.compiler != ROOFLINE_COMPILER)
    warnings.push_back(fmt::format("the ceilings of {} are of another build ({}, this is {})", path, file.compiler,
                                   ROOFLINE_COMPILER));
  if (!file.suite_version.empty() && file.suite_version != ROOFLINE_VERSION)
    warnings.push_back(
        fmt::format("the ceilings of {} are of version {}, this is {}", path, file.suite_version, ROOFLINE_VERSION));
  const double clock = suite.machine().clock_hz, then = file.clock_hz;
  if (suite.platform() == Platform::cpu && clock > 0 && then > 0 && std::abs(clock / then - 1) > clock_tolerance)
    warnings.push_back(
        fmt::format("the clock is {:.2f} GHz, with the ceilings of {} it was {:.2f} GHz ({:+.1f} %): they may not hold",
                    1e-9 * clock, path, 1e-9 * then, 100 * (clock / then - 1)));
  return warnings;
}

std::vector<Ceiling> import_ceilings(const std::string& path) {
  const auto file = read_rows(path);
  auto [ceilings, threads] = ceilings_among(file);
  std::erase_if(ceilings, [most = threads](const Ceiling& c) { return c.threads != most; });
  const auto has = [&](auto matches) { return std::any_of(ceilings.begin(), ceilings.end(), matches); };
  if (has([](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == MemoryLevel::L3; }))
    throw FingerprintMismatch(
        fmt::format("{}: ceilings of a CPU ({}), a GPU was to be modelled", path, file.fingerprint));
  if (!has([](const Ceiling& c) { return c.kind == Ceiling::Kind::compute && c.operation == Operation::fma; }))
    throw FingerprintMismatch(fmt::format("{}: has no FMA ceiling", path));
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::DRAM})
    if (!has([=](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == level; }))
      throw FingerprintMismatch(fmt::format("{}: has no ceiling of {}", path, name(level)));
  require_all_ceilings(path, file, {});
  return ceilings;
}

std::optional<Results> roofs_of_rows(const std::string& path) {
  const auto text = read_plain_text(path);
  if (text.find("\"ceiling/") == text.npos || text.find("\"fingerprint\"") == text.npos) return std::nullopt;
  const auto document = parse_json(text, path);
  const JsonReader top(document, path);
  if (top.has("roofline") || !top.has("context") || !top.has("benchmarks")) return std::nullopt;
  const auto file = read_rows(path);
  Results results;
  auto [ceilings, threads] = ceilings_among(file);
  if (ceilings.empty()) return std::nullopt;
  const auto context = top.at("context");
  auto& machine = results.machine;
  machine.name = context.text("cpu_name").value_or(context.text("host_name").value_or(""));
  machine.fingerprint = file.fingerprint, machine.clock_hz = file.clock_hz;
  machine.isa = context.text("isa").value_or("");
  results.date = context.text("date").value_or("");
  results.roofline = Roofline(std::move(ceilings), threads);
  return results;
}

}  // namespace roofline
