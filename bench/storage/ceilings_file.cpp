#include "bench/storage/ceilings_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <set>
#include <string_view>

#include "bench/machine/machine.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/model/roofline.hpp"
#include "bench/ranks/place.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline {
namespace {

constexpr double clock_tolerance = 0.03;
constexpr double day = 86400;

/// Machine, date and ceilings of a file of a version that kept nothing but rows.
Results run_of_rows(const JsonReader& file) {
  const auto context = file.at("context"), rows = file.at("benchmarks");
  Results run;
  run.machine.name = context.text("cpu_name").value_or(context.text("host_name").value_or(""));
  run.machine.fingerprint = context.at("fingerprint").text(), run.machine.isa = context.text("isa").value_or("");
  run.machine.clock_hz = std::strtod(context.text("clock_hz").value_or("").c_str(), nullptr);
  run.date = context.text("date").value_or("");
  run.interrupted = !context.truth("complete").value_or(true);
  std::vector<Ceiling> ceilings;
  int threads = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = rows.at(i);
    auto ceiling = parse_ceiling_name(row.text("name").value_or(""));
    if (!ceiling) continue;
    const auto* const key = ceiling->kind == Ceiling::Kind::compute ? "FLOP/s" : "B/s";
    if (!row.has(key)) continue;
    ceiling->rate = row.at(key).number(), ceiling->theory = row.number("theory");
    ceiling->rate_low = row.at("rate_low").number(), ceiling->rate_high = row.at("rate_high").number();
    ceiling->samples = static_cast<int>(std::clamp(row.number("samples").value_or(0), 0.0, 1e9));
    if (const auto label = row.text("label").value_or(""); label.starts_with("variant="))
      ceiling->variant = label.substr(label.find('=') + 1);
    threads = std::max(threads, ceiling->threads);
    ceilings.push_back(std::move(*ceiling));
  }
  run.roofline = Roofline(std::move(ceilings), threads);
  return run;
}

/// A run, and what the context of its file has besides.
struct RunFile {
  Results run;
  std::string fingerprint, compiler, suite_version;  ///< of the device, which may be a GPU; of the program
};

RunFile read_run_file(const std::string& path) {
  const auto document = parse_json(read_plain_text(path), path);
  const JsonReader file(document, path);
  const auto context = file.at("context");
  return {file.has("roofline") ? run_of(document, path) : run_of_rows(file), context.at("fingerprint").text(),
          context.text("compiler").value_or(""), context.text("suite_version").value_or("")};
}

/// An interruption among the kernels leaves all ceilings; one among the ceilings leaves some, and roofs made of them.
void require_all_ceilings(const std::string& path, const Results& run, const std::vector<std::string>& lacking) {
  const auto missing = std::count_if(run.unreached.begin(), run.unreached.end(),
                                     [](const auto& row) { return row.starts_with("ceiling/"); });
  if (!run.interrupted || (missing == 0 && lacking.empty())) return;
  const auto what = !lacking.empty() ? fmt::format("no ceiling of {}", fmt::join(lacking, ", "))
                                     : fmt::format("{} of its ceilings were not measured", missing);
  throw FingerprintMismatch(
      fmt::format("{}: an interrupted run, {}; take the file of a complete run, or --ceilings=auto", path, what));
}

/// The levels of a hierarchy, and the FMA rate, of which the suite knows a roof and `measured` none.
std::vector<std::string> roofs_lacking(const std::vector<Ceiling>& measured, const Suite& suite) {
  std::vector<Ceiling> known;
  for (const auto& variant : suite.ceilings()) known.push_back(variant.ceiling);
  const Roofline all(std::move(known), suite.threads()), found(measured, suite.threads());
  std::vector<std::string> lacking;
  if (all.compute(Operation::fma) && !found.compute(Operation::fma)) lacking.emplace_back("FMA");
  for (const auto level : memory_levels)
    if (all.bandwidth(level) && !found.bandwidth(level)) lacking.emplace_back(name(level));
  return lacking;
}

/// The ceilings of `run` that the suite has, too.
std::vector<Ceiling> known_ceilings(const std::string& path, const Results& run, const Suite& suite) {
  std::vector<Ceiling> ceilings;
  std::set<std::string_view> seen;
  for (const auto& c : run.roofline.ceilings()) {
    if (!suite.ceiling(c.name)) continue;
    if (!seen.insert(c.name).second) throw FileError(fmt::format("{}: the file has {} twice", path, c.name));
    if (!(c.rate_low > 0 && c.rate_low <= c.rate && c.rate <= c.rate_high))
      throw FileError(fmt::format("{}: {}: the rate is not within its interval, or not positive", path, c.name));
    ceilings.push_back(c);
  }
  return ceilings;
}

/// Warnings about the ceilings: missing levels, another clock. One line each.
std::vector<std::string> doubts(const std::string& path, const RunFile& file, const std::vector<std::string>& lacking,
                                const Suite& suite) {
  std::vector<std::string> lines;
  if (!lacking.empty())
    lines.push_back(
        fmt::format("{} has no ceiling of {}: no kernel is compared with it", path, fmt::join(lacking, ", ")));
  const auto node = file.run.place.value_or(Place()).node, here = node_name();
  if (!node.empty() && node != here)
    lines.push_back(fmt::format("the ceilings of {} are of node {}, this is {}: shares are of another machine's roofs",
                                path, node, here));
  if (std::tm date{}; ::strptime(file.run.date.c_str(), "%Y-%m-%dT%H:%M:%S", &date)) {
    const double age = std::difftime(std::time(nullptr), ::timegm(&date));
    if (age > day) lines.push_back(fmt::format("the ceilings of {} are {:.0f} days old", path, age / day));
    if (age < -day) lines.push_back(fmt::format("the date of {} is in the future", path));
  }
  if (!file.compiler.empty() && file.compiler != ROOFLINE_COMPILER)
    lines.push_back(fmt::format("the ceilings of {} are of another build ({}, this is {})", path, file.compiler,
                                ROOFLINE_COMPILER));
  if (!file.suite_version.empty() && file.suite_version != ROOFLINE_VERSION)
    lines.push_back(
        fmt::format("the ceilings of {} are of version {}, this is {}", path, file.suite_version, ROOFLINE_VERSION));
  const double clock = suite.machine().clock_hz, then = file.run.machine.clock_hz;
  if (suite.platform() == Platform::cpu && clock > 0 && then > 0 && std::abs(clock / then - 1) > clock_tolerance)
    lines.push_back(
        fmt::format("the clock is {:.2f} GHz, with the ceilings of {} it was {:.2f} GHz ({:+.1f} %): they may not hold",
                    1e-9 * clock, path, 1e-9 * then, 100 * (clock / then - 1)));
  return lines;
}

}  // namespace

EarlierRun read_ceilings(const std::string& path, const Suite& suite) {
  auto file = read_run_file(path);
  if (file.fingerprint != suite.target().fingerprint)
    throw FingerprintMismatch(
        fmt::format("{}: ceilings of another machine ({}), this one is {}; measure them with --ceilings=auto", path,
                    file.fingerprint, suite.target().fingerprint));
  EarlierRun earlier{.path = path, .ceilings = known_ceilings(path, file.run, suite)};
  if (std::none_of(earlier.ceilings.begin(), earlier.ceilings.end(),
                   [&](const Ceiling& c) { return c.threads == suite.threads(); }))
    throw FingerprintMismatch(
        fmt::format("{}: has no ceilings for {} thread{}", path, suite.threads(), suite.threads() == 1 ? "" : "s"));
  const auto lacking = roofs_lacking(earlier.ceilings, suite);
  require_all_ceilings(path, file.run, lacking);
  earlier.warnings = doubts(path, file, lacking, suite);
  if (const auto& stores = file.run.stores; stores && stores->threads == suite.threads()) earlier.stores = stores;
  return earlier;
}

std::map<std::string, std::string> read_tunings(const std::string& path) {
  std::map<std::string, std::string> tunings;
  for (auto& point : read_run_file(path).run.points)
    if (!point.tuning.empty()) tunings[point.name] = std::move(point.tuning);
  return tunings;
}

std::vector<Ceiling> import_ceilings(const std::string& path) {
  const auto file = read_run_file(path);
  auto ceilings = file.run.roofline.ceilings();
  std::erase_if(ceilings, [most = file.run.roofline.threads()](const Ceiling& c) { return c.threads != most; });
  const auto has = [&](auto matches) { return std::any_of(ceilings.begin(), ceilings.end(), matches); };
  if (has([](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == MemoryLevel::L3; }))
    throw FingerprintMismatch(
        fmt::format("{}: ceilings of a CPU ({}), a GPU was to be modelled", path, file.fingerprint));
  if (!has([](const Ceiling& c) { return c.kind == Ceiling::Kind::compute && c.operation == Operation::fma; }))
    throw FingerprintMismatch(fmt::format("{}: has no FMA ceiling", path));
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::DRAM})
    if (!has([=](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == level; }))
      throw FingerprintMismatch(fmt::format("{}: has no ceiling of {}", path, name(level)));
  require_all_ceilings(path, file.run, {});
  return ceilings;
}

std::optional<Results> roofs_of_rows(const std::string& path) {
  const auto text = read_plain_text(path);
  if (text.find("\"ceiling/") == text.npos || text.find("\"fingerprint\"") == text.npos) return std::nullopt;
  const auto document = parse_json(text, path);
  const JsonReader file(document, path);
  if (file.has("roofline") || !file.has("context") || !file.has("benchmarks")) return std::nullopt;
  auto run = run_of_rows(file);
  return run.roofline.empty() ? std::nullopt : std::optional(std::move(run));
}

}  // namespace roofline
