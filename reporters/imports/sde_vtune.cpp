// Intel's recipe for CPUs without counters of FLOPs: SDE counts instructions, VTune the memory controllers' lines.
#include <fmt/format.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "bench/text/clean.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "reporters/imports/profilers.hpp"

namespace roofline {
namespace {

using Amounts = std::map<std::string, double>;

/// A whole number, with or without commas between its thousands; absent: the text is none.
std::optional<double> whole(std::string text) {
  std::erase(text, ',');
  return as_number<std::uint64_t>(text);
}

/// The counts between EMIT_GLOBAL_DYNAMIC_STATS and its end, by the name in front of them: instructions and, behind an
/// asterisk, groups of them.
Amounts global_counts(const std::string& text, const std::string& origin) {
  std::istringstream lines(text);
  Amounts counts;
  bool inside = false, ended = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto at = [&] { return fmt::format("{}:{}: ", origin, number); };
    if (line.find("EMIT_GLOBAL_DYNAMIC_STATS") != line.npos) {
      if (ended) throw FileError(at() + "a second global summary; whether it has the first in it is not documented");
      inside = true;
    } else if (line.find("END_GLOBAL_DYNAMIC_STATS") != line.npos) {
      ended = inside;
      inside = false;
    } else if (std::istringstream words(line); inside) {
      std::string name, count, more;
      if (!(words >> name) || name.starts_with("#")) continue;
      const auto amount = words >> count && !(words >> more) ? whole(count) : std::nullopt;
      if (!amount) throw FileError(at() + "a name and a whole number are expected");
      if (!counts.emplace(name, *amount).second) throw FileError(at() + clean(name) + " stands there twice");
    }
  }
  if (!ended) throw FileError(origin + ": SDE's global summary has no end: the file is cut short");
  return counts;
}

/// The number behind `prefix` in a group's name; absent where there is another text.
std::optional<double> size_behind(const std::string& name, const std::string& prefix) {
  return name.starts_with(prefix) ? whole(name.substr(prefix.size())) : std::nullopt;
}

/// FLOPs by precision. The groups elements_fp_* have each instruction once, with its numbers; the second FLOP of a
/// fused one is added from the instruction's own line, whose registers tell how many numbers it works on.
std::map<std::string, ImportedFlops> flops_of(const Amounts& counts, const std::string& origin,
                                              std::vector<std::string>& warnings) {
  static const std::regex fused("VF(N?M)(ADD|SUB|ADDSUB|SUBADD)[0-9]*([PS])([SD])(_.*)?");
  std::map<std::string, double> flops;
  double masked = 0;
  std::set<std::string> unread;
  for (const auto& [name, count] : counts) {
    if (count == 0) continue;
    if (const auto n = size_behind(name, "*elements_fp_double_"))
      flops["fp64"] += *n * count;
    else if (const auto of = size_behind(name, "*elements_fp_single_"))
      flops["fp32"] += *of * count;
    else if (name.starts_with("*elements_fp_") || name.starts_with("V4F") || name.starts_with("VDPBF16"))
      unread.insert(clean(name));
    std::smatch parts;
    if (!std::regex_match(name, parts, fused)) continue;
    const std::string registers = parts[5];
    const bool is_double = parts[4] == "D", scalar = parts[3] == "S";
    if (registers.empty())
      throw FileError(
          fmt::format("{}: {} without its registers: how many numbers it works on is not known; run sde "
                      "with -iform 1",
                      origin, name));
    const int bytes = registers.find("ZMM") != registers.npos ? 64 : registers.find("YMM") != registers.npos ? 32 : 16;
    flops[is_double ? "fp64" : "fp32"] += count * (scalar ? 1 : bytes / (is_double ? 8 : 4));
    if (registers.find("MASK") != registers.npos) masked += count;
  }
  if (masked > 0)
    warnings.push_back(
        fmt::format("{}: {:.4g} fused instructions of AVX-512 may have masks, which sde -mix does not "
                    "count: all of their numbers are FLOPs here",
                    origin, masked));
  for (const auto& name : unread)
    warnings.push_back(fmt::format("{}: {} is not counted: how many FLOPs it has is not known", origin, name));
  return {flops.begin(), flops.end()};
}

/// A whole run. Another file may have what this one lacks, so nothing is said of that here.
Results results_of(const ImportedKernel& program, const std::string& origin, std::vector<std::string> warnings) {
  Results results;
  results.machine.name = origin;
  results.warnings = std::move(warnings);
  results.points = {point_of(program)};
  assess(results);
  return results;
}

/// The sum of an uncore event over its units and packages; absent: it was not counted.
std::optional<double> sum_of(const Amounts& events, const std::string& event) {
  std::optional<double> sum;
  for (const auto& [name, count] : events)
    if (name.starts_with(event + "[")) sum = sum.value_or(0) + count;
  return sum;
}

/// The units that counted an uncore event: "[UNIT0]".
std::set<std::string> units_of(const Amounts& events, const std::string& event) {
  std::set<std::string> units;
  for (const auto& [name, count] : events)
    if (name.starts_with(event + "[")) units.insert(name.substr(event.size()));
  return units;
}

/// "Uncore Event Count:EVENT[UNIT0]" of `vtune -report hw-events -group-by=package -format=csv`, a row per package.
void add_columns(ForeignTable& table, Amounts& events) {
  constexpr std::string_view title = "Uncore Event Count:";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].starts_with(title)) continue;
    for (const auto& row : table.rows) table.see(row, c, true);
    for (const auto& row : table.rows)
      if (const auto count = table.number(row, c, true)) events[table.columns[c].substr(title.size())] += *count;
  }
}

}  // namespace

Results parse_sde(const std::string& text, const std::string& origin, const InputOptions&) {
  const auto counts = global_counts(text, origin);
  std::vector<std::string> warnings;
  ImportedKernel program{.name = whole_program, .flops = flops_of(counts, origin, warnings)};
  Traffic moved;
  for (const auto& [name, count] : counts) {
    moved.read += count * size_behind(name, "*mem-read-").value_or(0);
    moved.written += count * size_behind(name, "*mem-write-").value_or(0);
  }
  if (moved.total() > 0) program.bytes[MemoryLevel::L1] = moved;
  return results_of(program, origin, std::move(warnings));
}

Results parse_vtune(const std::string& text, const std::string& origin, const InputOptions& options) {
  constexpr double line_bytes = 64;
  Amounts events;
  ImportedKernel program{.name = whole_program};
  auto tables = ForeignTable::find(text, origin, {"Package"}, {options.decimal, {}, nullptr});
  for (auto& table : tables) add_columns(table, events);
  std::istringstream lines(tables.empty() ? text : std::string());
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, count;
    words >> name >> count;
    if (line.starts_with("Elapsed Time:") && words >> count)
      if (const double seconds = std::atof(count.c_str()); seconds > 0) program.seconds = {seconds};
    if (!name.starts_with("UNC_")) continue;
    const auto amount = whole(count);
    if (!amount) throw FileError(fmt::format("{}: {} without a whole number", origin, clean(name)));
    events[name] += *amount;
  }
  const auto traffic = [&](const char* read, const char* written) -> std::optional<Traffic> {
    const auto in = sum_of(events, read), out = sum_of(events, written);
    if (in.has_value() != out.has_value())
      throw FileError(fmt::format("{}: {} without {}: half of the lines were not counted", origin, in ? read : written,
                                  in ? written : read));
    if (units_of(events, read) != units_of(events, written))
      throw FileError(
          fmt::format("{}: {} and {} are not of the same units: some lines were not counted", origin, read, written));
    return in ? std::optional(Traffic{line_bytes * *in, line_bytes * *out}) : std::nullopt;
  };
  const auto near = traffic("UNC_E_RPQ_INSERTS", "UNC_E_WPQ_INSERTS"),
             far = traffic("UNC_M_CAS_COUNT.RD", "UNC_M_CAS_COUNT.WR");
  if (!near && !far) throw FileError(origin + ": VTune's report has no UNC_M_CAS_COUNT or UNC_E_RPQ_INSERTS by unit");
  std::vector<std::string> warnings;
  program.bytes[MemoryLevel::DRAM] = near ? *near : *far;
  if (near && far)
    warnings.push_back(fmt::format("{}: bytes of DRAM are those of MCDRAM; DDR moved {:.4g} B more, which are left out",
                                   origin, far->total()));
  return results_of(program, origin, std::move(warnings));
}

}  // namespace roofline
