#include "bench/ceilings_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/machine/machine.hpp"
#include "bench/output.hpp"

namespace roofline {
namespace {

using nlohmann::json;

double number(const json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_number() ? it->get<double>() : std::nan("");
}

}  // namespace

std::vector<Ceiling> read_ceilings(const std::string& path, const Suite& suite) {
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
  const auto& fingerprint =
      at("/context/fingerprint"_json_pointer, json::value_t::string).get_ref<const std::string&>();
  const auto& rows = at("/benchmarks"_json_pointer, json::value_t::array);
  if (fingerprint != suite.machine().fingerprint)
    throw ForeignCeilings(
        fmt::format("{}: ceilings of another machine ({}), this one is {}; measure them with --ceilings=auto", path,
                    fingerprint, suite.machine().fingerprint));

  std::vector<Ceiling> ceilings;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    const auto name = row.is_object() ? row.value("run_name", row.value("name", std::string{})) : std::string{};
    if (name.rfind("ceiling/", 0) != 0 || row.value("run_type", "iteration") != "iteration" ||
        row.value("error_occurred", false))
      continue;
    const auto known = std::find_if(suite.ceilings().begin(), suite.ceilings().end(),
                                    [&](const CeilingVariant& c) { return c.ceiling.name == name; });
    if (known == suite.ceilings().end()) continue;
    Ceiling ceiling = known->ceiling;
    ceiling.rate = number(row, ceiling.kind == Ceiling::Kind::compute ? "FLOP/s" : "B/s");
    ceiling.rate_low = number(row, "rate_low");
    ceiling.rate_high = number(row, "rate_high");
    if (!(ceiling.rate > 0) || !std::isfinite(ceiling.rate) || !(ceiling.rate_low <= ceiling.rate) ||
        !(ceiling.rate <= ceiling.rate_high))
      throw FileError(fmt::format("{}: /benchmarks/{} ({}) has no valid rate", path, i, name));
    if (const double theory = number(row, "theory"); theory > 0) ceiling.theory = theory;
    ceiling.samples = static_cast<int>(number(row, "samples"));
    ceilings.push_back(std::move(ceiling));
  }
  const bool usable =
      std::any_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) { return c.threads == suite.threads(); });
  if (!usable)
    throw ForeignCeilings(
        fmt::format("{}: has no ceilings for {} thread{}", path, suite.threads(), suite.threads() == 1 ? "" : "s"));
  return ceilings;
}

}  // namespace roofline
