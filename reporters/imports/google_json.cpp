#include "reporters/imports/google_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "bench/model/statistics.hpp"
#include "bench/result/conclude.hpp"
#include "bench/text/format.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/files/imported.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// Keys of Google Benchmark's own.
const std::set<std::string> own_keys{"family_index",
                                     "per_family_instance_index",
                                     "repetitions",
                                     "repetition_index",
                                     "threads",
                                     "iterations",
                                     "real_time",
                                     "cpu_time",
                                     "cpu_coefficient",
                                     "real_coefficient",
                                     "rms"};
constexpr std::array statistics{"_mean", "_median", "_stddev", "_cv", "_min", "_max", "_BigO", "_RMS"};

double positive(const Json& row, const std::string& key) {
  const auto it = row.find(key);
  const double value = it != row.end() && it->is_number() ? it->get<double>() : 0;
  return std::isfinite(value) && value > 0 ? value : 0;
}
std::string text_of(const Json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : std::string();
}
std::int64_t integer(const Json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_number_integer() ? it->get<std::int64_t>() : -1;
}

/// What threads did to the numbers, which changed twice (google/benchmark 1836 and 2081).
struct Version {
  bool time_is_shared = true;  ///< before 1.9.0: real times are divided by the threads
  bool rate_is_single = true;  ///< before 1.9.5: rate x time is what one thread did
  bool known = true;

  explicit Version(const Json& document) {
    const auto context = document.find("context");
    if (context == document.end() || !context->is_object()) {
      known = time_is_shared = rate_is_single = false;  // CSV has no version
      return;
    }
    if (!context->contains("library_version")) return;  // before 1.8.4
    const auto text = text_of(*context, "library_version");
    int major = 0, minor = 0, patch = 0;
    known = std::sscanf(text.c_str(), "v%d.%d.%d", &major, &minor, &patch) == 3 && major > 0;
    const auto before = [&](int other_minor, int other_patch) {
      return known && std::array{major, minor, patch} < std::array{1, other_minor, other_patch};
    };
    time_is_shared = before(9, 0), rate_is_single = before(9, 5);
  }
};

/// A counter that was asked for: what its value is to be multiplied by, and whether it is a rate.
struct Counter {
  std::string name;
  double factor = 1;
  bool is_rate, has_unit;

  Counter(std::string counter, const std::string& unit, const char* base, bool per_iteration)
      : name(std::move(counter)), is_rate(!per_iteration) {
    const auto found = unit.empty() ? unit_in(name, base) : unit_named(unit);
    const std::string rate = std::string(base) + "/second";
    if (!unit.empty() && (!found || (found->of != base && found->of != rate)))
      throw std::invalid_argument(fmt::format("'{}' is no unit of {}s", unit, base));
    has_unit = found && (found->factor != 1 || !unit.empty());
    if (found) factor = found->factor, is_rate = is_rate || found->of == rate;
  }
};

/// Repetitions of one row, or what statistics say of them.
struct Group {
  std::string name;
  std::vector<const Json*> repetitions;
  std::map<std::string, const Json*> statistics;
  std::set<std::int64_t> indices;
};

class GoogleFile {
 public:
  GoogleFile(const Json& document, std::string origin, const InputOptions& options)
      : origin_(std::move(origin)),
        options_(options),
        version_(document),
        flops_(options.flops, options.flops_unit, "flop", options.per_iteration),
        bytes_(options.bytes, options.bytes_unit, "byte", options.per_iteration) {
    const auto& rows = document.at("benchmarks");
    if (!rows.is_array()) throw FileError(origin_ + ": /benchmarks: an array is expected");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].is_object()) throw FileError(fmt::format("{}: /benchmarks/{}: an object is expected", origin_, i));
      names_.insert(text_of(rows[i], "name"));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) see(rows[i], i);
    read_caches(document);
  }

  Results results() {
    Results results;
    results.machine.name = origin_;
    for (const auto& group : groups_) add(group, results);
    if (!without_.empty())
      results.warnings.push_back(fmt::format("{}: {} rows without {} or {}: {}", origin_, without_.size(), flops_.name,
                                             bytes_.name, fmt::join(without_, ", ")));
    if (!implausible_.empty())
      results.warnings.push_back(fmt::format(
          "{}: {} is implausibly low for a rate per second: --bytes-unit=GB/s, --flops-unit=GFLOP/s and the "
          "like say its unit, --per-iteration that it is none",
          origin_, fmt::join(implausible_, ", ")));
    for (const auto& failure : failures_) results.warnings.push_back(fmt::format("{}: {}", origin_, failure));
    if (results.points.empty() && !failures_.empty() && without_.empty())
      throw FileError(fmt::format("{}: no row has a result: {}", origin_, fmt::join(failures_, "; ")));
    if (results.points.empty())
      throw std::invalid_argument(fmt::format("{}: no row has both counters {} and {}; there are: {}", origin_,
                                              flops_.name, bytes_.name, fmt::join(known_, ", ")));
    return results;
  }

 private:
  /// "mean" of the row "axpy_mean"; empty for a row that is a measurement. Before 1.5 names alone told.
  std::string statistic_of(const Json& row, std::string& name) const {
    const bool said = row.contains("run_type");
    if (said && text_of(row, "run_type") != "aggregate") return {};
    for (const auto* const suffix : statistics)
      if (name.ends_with(suffix)) {
        const auto base = name.substr(0, name.size() - std::string(suffix).size());
        const bool sibling = std::any_of(statistics.begin(), statistics.end(), [&](const auto* other) {
          return other != suffix && names_.contains(base + other);
        });
        const bool is_complexity = std::string(suffix) == "_BigO" || std::string(suffix) == "_RMS";
        if (!said && !sibling && !is_complexity && !names_.contains(base)) return {};
        name = base;
        return suffix + 1;
      }
    return said ? text_of(row, "aggregate_name") + "?" : row.contains("big_o") || row.contains("rms") ? "BigO" : "";
  }

  void see(const Json& row, std::size_t index) {
    auto name = text_of(row, "name");
    if (name.empty()) throw FileError(fmt::format("{}: /benchmarks/{}/name: is missing", origin_, index));
    for (const auto* const key : {"error_message", "skip_message"})
      if (row.contains(key) && text_of(row, key) != "")
        return failures_.push_back(fmt::format("{}: has no result: {}", name, text_of(row, key)));
    for (const auto* const key : {"error_occurred", "skipped"})
      if (row.contains(key) && row.at(key) == true)
        return failures_.push_back(fmt::format("{}: has no result: it was skipped", name));
    const auto statistic = statistic_of(row, name);
    if (statistic == "BigO" || statistic == "RMS") return;
    if (!text_of(row, "run_name").empty()) name = text_of(row, "run_name");
    for (const auto& [key, value] : row.items())
      if (value.is_number() && !own_keys.contains(key)) known_.insert(key);
    const auto family = integer(row, "family_index"), instance = integer(row, "per_family_instance_index");
    auto& number = numbers_[fmt::format("{}\n{}/{}", name, family, instance)];
    const bool starts = number.empty() || (statistic.empty() && is_another(groups_[number.back()], row, name));
    if (starts) number.push_back(groups_.size()), groups_.push_back({name, {}, {}, {}});
    auto& group = groups_[number.back()];
    if (statistic.empty())
      group.repetitions.push_back(&row), group.indices.insert(integer(row, "repetition_index"));
    else
      group.statistics[statistic] = &row;
  }

  /// Whether a row is no repetition of those before that have its name.
  bool is_another(const Group& group, const Json& row, const std::string& name) const {
    if (group.repetitions.empty()) return false;
    if (const auto repetition = integer(row, "repetition_index"); repetition >= 0)
      return group.indices.contains(repetition);
    if (row.contains("run_type")) return false;
    return name.find("/repeats:") == name.npos && !names_.contains(name + "_mean") &&
           !names_.contains(name + "_median");
  }

  void add(const Group& group, Results& results) {
    auto rows = group.repetitions;
    for (const auto* const statistic : {"median", "mean"})
      if (const auto found = group.statistics.find(statistic); rows.empty() && found != group.statistics.end()) {
        rows.push_back(found->second);
        if (std::string(statistic) == "mean")
          results.warnings.push_back(fmt::format("{}: {}: the file has only its mean", origin_, group.name));
      }
    if (rows.empty())
      return failures_.push_back(group.name + ": has no result: the file has neither its repetitions nor their mean");
    ImportedKernel kernel{.name = group.name};
    std::vector<double> flops, bytes;
    const auto last = group.name.rfind("/threads:");
    const int threads =
        std::max<int>(1, static_cast<int>(std::min<std::int64_t>(integer(*rows[0], "threads"), 1 << 20)));
    const int named = last == group.name.npos ? 1 : std::max(1, std::atoi(group.name.c_str() + last + 9));
    if (last != group.name.npos) kernel.threads = std::max(threads, named);
    const int all = std::max(threads, named);
    for (const auto* const row : rows) {
      const auto unit = text_of(*row, "time_unit");
      const auto seconds = unit_named(unit.empty() ? "ns" : unit);
      const double per_unit = seconds && seconds->of == "second" ? seconds->factor : 0;
      const bool by_wall =
          group.name.find("/real_time") != std::string::npos || group.name.find("/manual_time") != std::string::npos;
      const double wall = positive(*row, "real_time") * per_unit,
                   clock = by_wall || !row->contains("cpu_time") ? wall : positive(*row, "cpu_time") * per_unit;
      if (wall <= 0) throw FileError(fmt::format("{}: {}: real_time: no time in ns, us, ms or s", origin_, group.name));
      const auto amount = [&](const Counter& counter) {
        const double value = positive(*row, counter.name) * counter.factor;
        if (!counter.is_rate) return value;
        if (value > 0 && value < 1e6 && !counter.has_unit) implausible_.insert(counter.name);
        return value * clock * (version_.rate_is_single ? all : 1);
      };
      const double f = amount(flops_), b = amount(bytes_);
      if (!(f > 0 && f < 9e18 && b > 0 && b < 1e300)) return without_.push_back(group.name);
      kernel.seconds.push_back(wall * (version_.time_is_shared ? all : 1));
      flops.push_back(f), bytes.push_back(b);
    }
    auto& same = same_names_[group.name];
    if (++same == 2)
      results.warnings.push_back(fmt::format("{}: {} stands there twice, with different rows", origin_, group.name));
    if (same > 1) kernel.name += fmt::format(" #{}", same);
    if (all > 1 && !version_.known)
      results.warnings.push_back(
          fmt::format("{}: {}: no version of Google Benchmark; its times are taken for those of all threads, as since "
                      "1.9.5",
                      origin_, group.name));
    const auto precision = options_.precision.empty() ? precision_in(group.name) : options_.precision;
    kernel.flops[precision] = median(flops);
    kernel.bytes[level_of_row(median(bytes) / all, group.name, kernel, results)] = Traffic{median(bytes), 0};
    if (options_.precision.empty() && !precision.empty()) kernel.note += std::string(", ") + by_name;
    results.points.push_back(point_of(kernel));
  }

  /// Where the bytes are said to be, or else the nearest cache that they all fit in: such a row repeats them.
  MemoryLevel level_of_row(double bytes_of_thread, const std::string& name, ImportedKernel& kernel,
                           Results& results) const {
    if (const auto wanted = level_wanted(options_)) return *wanted;
    for (const auto& [level, size] : caches_)
      if (bytes_of_thread <= size) {
        kernel.note = fmt::format("assumed at {}: the bytes of an iteration fit in it", roofline::name(level));
        results.warnings.push_back(fmt::format(
            "{}: {}: the {:.0f} B of an iteration fit in {} ({}), so they are taken for bytes of {}; "
            "--level=DRAM says otherwise",
            origin_, name, bytes_of_thread, roofline::name(level), binary_size(size), roofline::name(level)));
        return level;
      }
    kernel.note = "assumed at DRAM";
    return MemoryLevel::DRAM;
  }

  void read_caches(const Json& document) {
    const auto context = document.find("context");
    if (context == document.end() || !context->is_object() || !context->contains("caches")) return;
    for (const auto& cache : context->at("caches"))
      if (cache.is_object() && text_of(cache, "type") != "Instruction")
        if (const auto level = integer(cache, "level"); level >= 1 && level <= 3)
          caches_[memory_levels[static_cast<std::size_t>(level - 1)]] = positive(cache, "size");
  }

  std::string origin_;
  const InputOptions& options_;
  Version version_;
  Counter flops_, bytes_;
  std::set<std::string> names_, known_, implausible_;
  std::vector<Group> groups_;
  std::map<std::string, std::vector<std::size_t>> numbers_;  ///< of groups, by name and family
  std::map<std::string, int> same_names_;
  std::vector<std::string> failures_, without_;
  std::map<MemoryLevel, double> caches_;
};

Results read_document(const Json& document, const std::string& origin, const InputOptions& options) {
  if (options.flops.empty() || options.bytes.empty())
    throw std::invalid_argument(origin +
                                ": results of Google Benchmark; --flops=COUNTER and --bytes=COUNTER say "
                                "which of its counters they are");
  auto results = GoogleFile(document, origin, options).results();
  conclude(results);
  return results;
}

}  // namespace

Results parse_google_json(const std::string& text, const std::string& origin, const InputOptions& options) {
  const auto document = parse_json(strict_json(text), origin);
  if (!document.is_object() || !document.contains("benchmarks"))
    throw FileError(origin + ": /benchmarks is missing: no results of Google Benchmark");
  return read_document(document, origin, options);
}

Results parse_google_csv(const std::string& text, const std::string& origin, const InputOptions& options) {
  auto table = ForeignTable::one(text, origin, {"name", "iterations", "real_time", "cpu_time", "time_unit"},
                                 {options.decimal, {}});
  const std::set<std::string> words{"name", "time_unit", "label", "error_occurred", "error_message"};
  for (const auto& column : table.columns)
    if (!words.contains(column)) table.see(column);
  Json rows = Json::array();
  for (const auto& record : table.rows) {
    Json row;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto& [column, field] = std::pair(table.columns[c], record.fields[c]);
      if (field.empty()) continue;
      if (column == "error_occurred")
        row[column] = field == "true" || field == "1";
      else if (words.contains(column))
        row[column] = field;
      else if (const auto value = table.number(record, c))
        row[column] = *value;
    }
    rows.push_back(std::move(row));
  }
  return read_document({{"benchmarks", rows}}, origin, options);
}

}  // namespace roofline
