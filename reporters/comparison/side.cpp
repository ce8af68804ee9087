#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/comparison/comparison.hpp"
#include "reporters/imports/google_rows.hpp"

namespace roofline {
namespace {

void read_context(const nlohmann::ordered_json& document, Side& side) {
  const JsonReader reader(document, side.origin);
  if (!reader.has("context")) return;
  const auto context = reader.at("context");
  side.fingerprint = context.text("fingerprint").value_or("");
  side.model_hash = context.text("model_hash").value_or("");
  side.compiler = context.text("compiler").value_or("");
  side.suite_version = context.text("suite_version").value_or("");
}

std::string name_of(const JsonReader& row) { return row.text("run_name").value_or(row.text("name").value_or("")); }

/// Why a row has no result; absent: it has one.
std::optional<std::string> error_of(const JsonReader& row) {
  if (!row.truth("error_occurred").value_or(false) && !row.truth("skipped").value_or(false)) return std::nullopt;
  return row.text("error_message").value_or(row.text("skip_message").value_or("no reason is given"));
}

/// The rows' statements beyond the points: rows that the program has and did not measure.
void read_unmeasured(const nlohmann::ordered_json& document, Side& side) {
  const JsonReader reader(document, side.origin);
  if (!reader.has("benchmarks")) return;
  const auto rows = reader.at("benchmarks");
  const auto failed = [&](const std::string& name) {
    const auto& all = side.results.failures;
    return std::any_of(all.begin(), all.end(), [&](const auto& failure) { return failure.first == name; });
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto name = name_of(rows.at(i));
    if (const auto why = error_of(rows.at(i)); why && !name.starts_with("ceiling/") && !failed(name))
      side.unmeasured[name] = *why;
  }
}

/// The times of a Google Benchmark program. For a row with only aggregates the median stands for all.
void read_times(const nlohmann::ordered_json& document, Side& side) {
  const GoogleRows rows(document.at("benchmarks"), side.origin);
  auto& points = side.results.points;
  side.results.failures = rows.failures();
  for (const auto& group : rows.groups()) {
    auto measured = group.repetitions;
    if (const auto median = group.statistics.find("median"); measured.empty() && median != group.statistics.end())
      measured.push_back(median->second);
    const auto known = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.name == group.name; });
    if (measured.empty()) continue;
    auto& point = known == points.end() ? points.emplace_back() : *known;
    point.name = group.name, point.family = group.name.substr(0, group.name.find('/'));
    std::vector<double> seconds;
    for (const auto* const row : measured)
      point.samples.push_back({static_cast<int>(point.samples.size()), 0, wall_seconds(*row, side.origin)});
    for (const auto& sample : point.samples) seconds.push_back(sample.seconds);
    point.time = median_interval(std::move(seconds));
  }
  const JsonReader reader(document, side.origin);
  const auto context = reader.at("context");
  auto& machine = side.results.machine;
  machine.name = context.text("host_name").value_or("");
  side.fingerprint = machine.fingerprint =
      machine.name.empty() ? "" : fmt::format("{}, {:.0f} CPUs", machine.name, context.number("num_cpus").value_or(0));
  side.results.date = context.text("date").value_or("");
  side.compiler = context.text("compiler").value_or("");
  if (const auto built = context.text("library_build_type"))  // debug or release, of the code around the loops
    side.compiler += (side.compiler.empty() ? "library_build_type " : ", library_build_type ") + *built;
  static const std::set<std::string> told{"date",     "host_name",  "num_cpus",           "load_avg",
                                          "compiler", "executable", "library_build_type", "mhz_per_cpu"};
  for (const auto& [key, value] : document.at("context").items())
    if (!told.contains(key)) side.context[key] = value.is_string() ? value.get<std::string>() : value.dump();
  if (const auto mhz = context.number("mhz_per_cpu"))  // varies a little between equal runs
    side.context["mhz_per_cpu"] = fmt::format("{:.1f} GHz", *mhz * 1e-3);
  side.times_only = true;
}

void require_unique(const Side& side) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < side.results.points.size(); ++i)
    if (!names.insert(side.results.points[i].name).second)
      throw FileError(fmt::format("{}: /roofline/points/{}/name: '{}' is given twice", side.origin, i,
                                  side.results.points[i].name));
}

}  // namespace

Side parse_side(std::string_view text, const std::string& origin) {
  Side side;
  side.origin = origin;
  const auto document = parse_json(text, origin);
  if (document.is_object() && document.contains("benchmarks") && !document.contains("roofline")) {
    read_times(document, side);
    return side;
  }
  side.results = run_of(document, origin);
  read_context(document, side);
  read_unmeasured(document, side);
  require_unique(side);
  if (side.fingerprint.empty()) side.fingerprint = side.results.machine.fingerprint;
  if (side.results.model) side.model_hash = side.results.model->hash;
  return side;
}

Side read_side(const std::filesystem::path& path) {
  const auto file = run_file(path);
  return parse_side(read_plain_text(file), file.string());
}

}  // namespace roofline
