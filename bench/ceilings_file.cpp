#include "bench/ceilings_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "bench/machine/machine.hpp"
#include "bench/output.hpp"

namespace roofline {
namespace {

using nlohmann::json;

double number(const json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_number() ? it->get<double>() : std::nan("");
}

/// A run.json: its fingerprint and its ceiling rows with a result.
struct CeilingRows {
  std::string fingerprint;
  std::vector<std::pair<std::string, json>> rows;  ///< by name
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
  CeilingRows result{at("/context/fingerprint"_json_pointer, json::value_t::string).get<std::string>(), {}};
  for (const auto& row : at("/benchmarks"_json_pointer, json::value_t::array)) {
    const auto name = row.is_object() ? row.value("run_name", row.value("name", std::string{})) : std::string{};
    if (name.rfind("ceiling/", 0) == 0 && row.value("run_type", "iteration") == "iteration" &&
        !row.value("error_occurred", false))
      result.rows.emplace_back(name, row);
  }
  return result;
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
  return ceiling;
}

/// What a name says: ceiling/flops/PRECISION/OPERATION/ISA[/chain]..., ceiling/bandwidth/LEVEL/MIX..., sustained,
/// threads:N.
std::optional<Ceiling> parse_name(const std::string& name) {
  std::vector<std::string> parts;
  std::istringstream stream(name);
  for (std::string part; std::getline(stream, part, '/');) parts.push_back(part);
  if (parts.size() < 4) return std::nullopt;
  Ceiling ceiling;
  ceiling.name = name;
  for (const auto& part : parts) {
    if (part.rfind("threads:", 0) == 0) ceiling.threads = std::atoi(part.c_str() + 8);
    if (part == "chain") ceiling.ilp = false;
    if (part == "sustained") ceiling.sustained = true;
  }
  if (parts[1] == "flops") {
    ceiling.precision = parts[2];
    ceiling.isa = parts.size() > 4 ? parts[4] : "";
    for (const auto operation : {Operation::fma, Operation::nofma, Operation::add, Operation::mul, Operation::div})
      if (parts[3] == roofline::name(operation)) {
        ceiling.operation = operation;
        return ceiling;
      }
  } else if (parts[1] == "bandwidth") {
    ceiling.kind = Ceiling::Kind::bandwidth;
    ceiling.mix = parts[3];
    for (const auto level : memory_levels)
      if (parts[2] == roofline::name(level)) {
        ceiling.level = level;
        return ceiling;
      }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Ceiling> read_ceilings(const std::string& path, const Suite& suite) {
  const auto [fingerprint, rows] = read_rows(path);
  if (fingerprint != suite.machine().fingerprint)
    throw ForeignCeilings(
        fmt::format("{}: ceilings of another machine ({}), this one is {}; measure them with --ceilings=auto", path,
                    fingerprint, suite.machine().fingerprint));
  std::vector<Ceiling> ceilings;
  for (const auto& [name, row] : rows) {
    const auto known = std::find_if(suite.ceilings().begin(), suite.ceilings().end(),
                                    [&, &name = name](const CeilingVariant& c) { return c.ceiling.name == name; });
    if (known != suite.ceilings().end()) ceilings.push_back(with_result(known->ceiling, row, path));
  }
  const bool usable =
      std::any_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) { return c.threads == suite.threads(); });
  if (!usable)
    throw ForeignCeilings(
        fmt::format("{}: has no ceilings for {} thread{}", path, suite.threads(), suite.threads() == 1 ? "" : "s"));
  return ceilings;
}

std::vector<Ceiling> import_ceilings(const std::string& path) {
  const auto [fingerprint, rows] = read_rows(path);
  std::vector<Ceiling> ceilings;
  int threads = 0;
  for (const auto& [name, row] : rows)
    if (const auto ceiling = parse_name(name)) {
      ceilings.push_back(with_result(*ceiling, row, path));
      threads = std::max(threads, ceiling->threads);
    }
  std::erase_if(ceilings, [=](const Ceiling& c) { return c.threads != threads; });
  const auto has = [&](auto matches) { return std::any_of(ceilings.begin(), ceilings.end(), matches); };
  if (has([](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == MemoryLevel::L3; }))
    throw ForeignCeilings(fmt::format("{}: ceilings of a CPU ({}), a GPU was to be modelled", path, fingerprint));
  if (!has([](const Ceiling& c) { return c.kind == Ceiling::Kind::compute && c.operation == Operation::fma; }))
    throw ForeignCeilings(fmt::format("{}: has no FMA ceiling", path));
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::DRAM})
    if (!has([=](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == level; }))
      throw ForeignCeilings(fmt::format("{}: has no ceiling of {}", path, name(level)));
  return ceilings;
}

}  // namespace roofline
