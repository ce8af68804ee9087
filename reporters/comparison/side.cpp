#include "reporters/comparison/side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "bench/storage/stored_run.hpp"
#include "bench/text/json_reader.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/text/plain_text.hpp"

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

/// What the rows say beyond the points: which of them the program has, and did not measure.
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

double seconds_of_unit(const JsonReader& row) {
  const auto unit = row.text("time_unit").value_or("ns");
  for (const auto& [name, seconds] : {std::pair{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}})
    if (unit == name) return seconds;
  row.fail("time_unit '" + unit + "' is none of ns, us, ms, s");
}

/// The times of a program of Google Benchmark. Of one that wrote nothing but aggregates the median stands for all.
void read_times(const nlohmann::ordered_json& document, Side& side) {
  const JsonReader reader(document, side.origin);
  const auto rows = reader.at("benchmarks");
  const auto add = [&](const std::string& name, double seconds) {
    auto& points = side.results.points;
    auto point = std::find_if(points.begin(), points.end(), [&](const auto& known) { return known.name == name; });
    if (point == points.end()) {
      point = points.insert(points.end(), KernelPoint());
      point->name = name, point->family = name.substr(0, name.find('/'));
    }
    point->samples.push_back({static_cast<int>(point->samples.size()), 0, seconds});
  };
  for (const bool aggregates : {false, true}) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = rows.at(i);
      if (const auto why = error_of(row)) {
        if (!aggregates) side.results.failures.emplace_back(name_of(row), *why);
        continue;
      }
      const auto aggregate = row.text("aggregate_name").value_or("");
      if (aggregates ? aggregate == "median" : aggregate.empty())
        add(name_of(row), row.at("real_time").number() * seconds_of_unit(row));
    }
    if (!side.results.points.empty()) break;
  }
  for (auto& point : side.results.points) {
    std::vector<double> seconds;
    for (const auto& sample : point.samples) seconds.push_back(sample.seconds);
    point.time = median_interval(std::move(seconds));
  }
  const auto context = reader.at("context");
  auto& machine = side.results.machine;
  machine.name = context.text("host_name").value_or("");
  side.fingerprint = machine.fingerprint =
      machine.name.empty() ? "" : fmt::format("{}, {:.0f} CPUs", machine.name, context.number("num_cpus").value_or(0));
  side.results.date = context.text("date").value_or("");
  side.compiler = context.text("compiler").value_or("");
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

Side read_side(const std::filesystem::path& path) { return parse_side(read_plain_text(path), path.string()); }

}  // namespace roofline
