#include "bench/run/ceilings_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "bench/machine/machine.hpp"
#include "bench/model/ceiling_name.hpp"
#include "bench/model/roofline.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using nlohmann::json;

constexpr std::string_view variant_label = "variant=";
constexpr double clock_tolerance = 0.03;

double number(const json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_number() ? it->get<double>() : std::nan("");
}

/// A run.json: its fingerprint and its ceiling rows with a result.
struct CeilingRows {
  std::string fingerprint;
  bool complete = true;
  int interrupted = 0;                                  ///< rows that the run did not come to
  double clock_hz = 0;                                  ///< 0: unknown
  std::vector<std::pair<std::string, json>> rows = {};  ///< by name
};

CeilingRows read_rows(const std::string& path) {
  json document;
  try {
    document = json::parse(read_file(path));
  } catch (const json::parse_error& error) {
    throw FileError(
        fmt::format("{}: not JSON (byte {}): --ceilings takes the run.json of an earlier run", path, error.byte));
  }
  const auto at = [&](const json::json_pointer& pointer, json::value_t type) -> const json& {
    static const json absent;
    const auto& value = document.contains(pointer) ? document.at(pointer) : absent;
    if (value.type() != type)
      throw FileError(fmt::format("{}: {} is missing or of the wrong type: not a run.json of this suite", path,
                                  pointer.to_string()));
    return value;
  };
  CeilingRows result{.fingerprint = at("/context/fingerprint"_json_pointer, json::value_t::string).get<std::string>()};
  if (const auto complete = "/context/complete"_json_pointer; document.contains(complete))
    result.complete = document.at(complete) != json(false);
  if (const auto clock = "/context/clock_hz"_json_pointer; document.contains(clock) && document.at(clock).is_string())
    result.clock_hz = std::strtod(document.at(clock).get<std::string>().c_str(), nullptr);
  for (const auto& row : at("/benchmarks"_json_pointer, json::value_t::array)) {
    const auto name = row.is_object() ? row.value("run_name", row.value("name", std::string{})) : std::string{};
    if (name.rfind("ceiling/", 0) != 0 || row.value("run_type", "iteration") != "iteration") continue;
    if (!row.value("error_occurred", false))
      result.rows.emplace_back(name, row);
    else
      result.interrupted += row.value("error_message", "") == "interrupted";
  }
  return result;
}

/// An interruption among the kernels leaves all ceilings; one among the ceilings leaves some, and roofs made of them.
void require_all_ceilings(const std::string& path, const CeilingRows& file, const std::vector<std::string>& lacking) {
  if (file.complete || (file.interrupted == 0 && lacking.empty())) return;
  const auto what = !lacking.empty() ? fmt::format("no ceiling of {}", fmt::join(lacking, ", "))
                                     : fmt::format("{} of its ceilings were not measured", file.interrupted);
  throw ForeignCeilings(fmt::format(
      "{}: an interrupted run (\"complete\": false), {}; take the file of a complete run, or --ceilings=auto", path,
      what));
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
Ceiling with_result(Ceiling ceiling, const json& row, const std::string& path) {
  ceiling.rate = number(row, ceiling.kind == Ceiling::Kind::compute ? "FLOP/s" : "B/s");
  ceiling.rate_low = number(row, "rate_low");
  ceiling.rate_high = number(row, "rate_high");
  if (!(ceiling.rate > 0) || !std::isfinite(ceiling.rate) || !(ceiling.rate_low <= ceiling.rate) ||
      !(ceiling.rate <= ceiling.rate_high))
    throw FileError(fmt::format("{}: {} has no valid rate", path, ceiling.name));
  if (const double theory = number(row, "theory"); theory > 0) ceiling.theory = theory;
  if (const double clock = number(row, "clock_begin"); clock > 0) ceiling.clock_begin = clock;
  if (const double clock = number(row, "clock_end"); clock > 0) ceiling.clock_end = clock;
  if (const double samples = number(row, "samples"); samples > 0) ceiling.samples = static_cast<int>(samples);
  if (const auto label = row.value("label", std::string{}); label.rfind(variant_label, 0) == 0)
    ceiling.variant = label.substr(variant_label.size());
  return ceiling;
}

}  // namespace

std::vector<Ceiling> read_ceilings(const std::string& path, const Suite& suite) {
  const auto file = read_rows(path);
  const auto& fingerprint = file.fingerprint;
  if (fingerprint != suite.target().fingerprint)
    throw ForeignCeilings(
        fmt::format("{}: ceilings of another machine ({}), this one is {}; measure them with --ceilings=auto", path,
                    fingerprint, suite.target().fingerprint));
  std::vector<Ceiling> ceilings;
  for (const auto& [name, row] : file.rows) {
    const auto known = std::find_if(suite.ceilings().begin(), suite.ceilings().end(),
                                    [&, &name = name](const CeilingVariant& c) { return c.ceiling.name == name; });
    if (known != suite.ceilings().end()) ceilings.push_back(with_result(known->ceiling, row, path));
  }
  const bool usable =
      std::any_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) { return c.threads == suite.threads(); });
  if (!usable)
    throw ForeignCeilings(
        fmt::format("{}: has no ceilings for {} thread{}", path, suite.threads(), suite.threads() == 1 ? "" : "s"));
  require_all_ceilings(path, file, roofs_lacking(Roofline(ceilings, suite.threads()), all_roofs(suite)));
  return ceilings;
}

std::vector<std::string> ceilings_warnings(const std::string& path, const std::vector<Ceiling>& ceilings,
                                           const Suite& suite) {
  std::vector<std::string> warnings;
  const auto lacking = roofs_lacking(Roofline(ceilings, suite.threads()), all_roofs(suite));
  if (!lacking.empty())
    warnings.push_back(
        fmt::format("{} has no ceiling of {}: no kernel is held against it", path, fmt::join(lacking, ", ")));
  const double clock = suite.machine().clock_hz, then = read_rows(path).clock_hz;
  if (suite.platform() == Platform::cpu && clock > 0 && then > 0 && std::abs(clock / then - 1) > clock_tolerance)
    warnings.push_back(
        fmt::format("the clock is {:.2f} GHz, with the ceilings of {} it was {:.2f} GHz ({:+.1f} %): they may not hold",
                    1e-9 * clock, path, 1e-9 * then, 100 * (clock / then - 1)));
  return warnings;
}

std::vector<Ceiling> import_ceilings(const std::string& path) {
  const auto file = read_rows(path);
  std::vector<Ceiling> ceilings;
  int threads = 0;
  for (const auto& [name, row] : file.rows)
    if (const auto ceiling = parse_ceiling_name(name)) {
      ceilings.push_back(with_result(*ceiling, row, path));
      threads = std::max(threads, ceiling->threads);
    }
  std::erase_if(ceilings, [=](const Ceiling& c) { return c.threads != threads; });
  const auto has = [&](auto matches) { return std::any_of(ceilings.begin(), ceilings.end(), matches); };
  if (has([](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == MemoryLevel::L3; }))
    throw ForeignCeilings(fmt::format("{}: ceilings of a CPU ({}), a GPU was to be modelled", path, file.fingerprint));
  if (!has([](const Ceiling& c) { return c.kind == Ceiling::Kind::compute && c.operation == Operation::fma; }))
    throw ForeignCeilings(fmt::format("{}: has no FMA ceiling", path));
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::DRAM})
    if (!has([=](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == level; }))
      throw ForeignCeilings(fmt::format("{}: has no ceiling of {}", path, name(level)));
  require_all_ceilings(path, file, {});
  return ceilings;
}

}  // namespace roofline
