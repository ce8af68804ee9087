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
#include "bench/result/results.hpp"
#include "bench/text/format.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/files/imported.hpp"
#include "reporters/imports/cache_fit.hpp"
#include "reporters/imports/google_rows.hpp"
#include "reporters/imports/profilers.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// The threads' effect on the numbers, which changed twice (google/benchmark 1836 and 2081).
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
    const auto text = text_in(*context, "library_version");
    int major = 0, minor = 0, patch = 0;
    known = std::sscanf(text.c_str(), "v%d.%d.%d", &major, &minor, &patch) == 3 && major > 0;
    const auto before = [&](int other_minor, int other_patch) {
      return known && std::array{major, minor, patch} < std::array{1, other_minor, other_patch};
    };
    time_is_shared = before(9, 0), rate_is_single = before(9, 5);
  }
};

/// A counter that was asked for: the factor for its value, and whether it is a rate.
struct Counter {
  std::string name;
  double factor = 1;
  bool is_rate, has_unit;

  Counter(std::string counter, const std::string& unit, const char* base, bool per_iteration)
      : name(std::move(counter)), is_rate(!per_iteration) {
    const auto found = unit.empty() ? unit_in(name, base) : unit_named(unit);
    const std::string rate = std::string(base) + "/second";
    if (!unit.empty() && (!found || (found->of != base && found->of != rate)))
      throw std::invalid_argument(fmt::format("'{}' is not a unit of {}s", unit, base));
    has_unit = found && (found->factor != 1 || !unit.empty());
    if (found) factor = found->factor, is_rate = is_rate || found->of == rate;
  }
};

class GoogleFile {
 public:
  GoogleFile(const Json& document, std::string origin, const InputOptions& options)
      : origin_(std::move(origin)),
        options_(options),
        version_(document),
        rows_(document.at("benchmarks"), origin_),
        flops_(options.flops, options.flops_unit, "flop", options.per_iteration),
        bytes_(options.bytes, options.bytes_unit, "byte", options.per_iteration) {
    read_caches(document);
  }

  Results results() {
    Results results;
    results.machine.name = origin_;
    results.failures = rows_.failures();
    for (const auto& group : rows_.groups()) add(group, results);
    if (!without_.empty())
      results.warnings.push_back(fmt::format("{}: {} rows without {} or {}: {}", origin_, without_.size(), flops_.name,
                                             bytes_.name, fmt::join(without_, ", ")));
    if (!small_.empty())
      results.warnings.push_back(
          fmt::format("{}: of the caches in it none holds them all, but {}", origin_,
                      may_fit(fmt::format("the bytes of an iteration of {}", fmt::join(small_, ", ")))));
    for (const auto& assumed : assumed_) results.warnings.push_back(fmt::format("{}: {}", origin_, assumed));
    if (!implausible_.empty())
      results.warnings.push_back(
          fmt::format("{}: {} is implausibly low for a rate per second: give its unit with --bytes-unit=GB/s, "
                      "--flops-unit=GFLOP/s and the like, or --per-iteration if it is not a rate",
                      origin_, fmt::join(implausible_, ", ")));
    std::vector<std::string> failures;
    for (const auto& [name, why] : results.failures)
      failures.push_back(fmt::format("{}: has no result: {}", name, why));
    for (const auto& failure : failures) results.warnings.push_back(fmt::format("{}: {}", origin_, failure));
    if (results.points.empty() && !failures.empty() && without_.empty())
      throw FileError(fmt::format("{}: no row has a result: {}", origin_, fmt::join(failures, "; ")));
    if (results.points.empty())
      throw std::invalid_argument(fmt::format("{}: no row has both counters {} and {}; there are: {}", origin_,
                                              flops_.name, bytes_.name, fmt::join(rows_.counters(), ", ")));
    return results;
  }

 private:
  void add(const GoogleGroup& group, Results& results) {
    auto rows = group.repetitions;
    for (const auto* const statistic : {"median", "mean"})
      if (const auto found = group.statistics.find(statistic); rows.empty() && found != group.statistics.end()) {
        rows.push_back(found->second);
        if (std::string(statistic) == "mean")
          results.warnings.push_back(fmt::format("{}: {}: the file has only its mean", origin_, group.name));
      }
    if (rows.empty())
      return void(results.failures.emplace_back(group.name, "the file has neither its repetitions nor their mean"));
    ImportedKernel kernel{.name = group.name};
    std::vector<double> flops, bytes;
    const auto last = group.name.rfind("/threads:");
    const int threads =
        std::max<int>(1, static_cast<int>(std::min<std::int64_t>(integer_in(*rows[0], "threads"), 1 << 20)));
    const int named = last == group.name.npos ? 1 : std::max(1, std::atoi(group.name.c_str() + last + 9));
    if (last != group.name.npos) kernel.threads = std::max(threads, named);
    const int all = std::max(threads, named);
    for (const auto* const row : rows) {
      if (text_in(*row, "time_unit").empty()) assumed_.insert("times without time_unit are taken for ns");
      const bool by_wall =
          group.name.find("/real_time") != std::string::npos || group.name.find("/manual_time") != std::string::npos;
      const bool by_cpu = !by_wall && row->contains("cpu_time");
      const double wall = wall_seconds(*row, origin_), clock = by_cpu ? seconds_in(*row, "cpu_time") : wall;
      const auto amount = [&](const Counter& counter) {
        const double value = positive_in(*row, counter.name) * counter.factor;
        if (!counter.is_rate) return value;
        if (!by_wall && !by_cpu) assumed_.insert("rates without cpu_time are taken for those of real_time");
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
      results.warnings.push_back(fmt::format("{}: the file has {} twice, with different rows", origin_, group.name));
    if (same > 1) kernel.name += fmt::format(" #{}", same);
    if (all > 1 && !version_.known)
      results.warnings.push_back(
          fmt::format("{}: {}: no version of Google Benchmark; its times are taken for those of all threads, as since "
                      "1.9.5",
                      origin_, group.name));
    const auto precision = options_.precision.empty() ? precision_in(group.name) : options_.precision;
    kernel.flops[precision] = median(flops);
    kernel.bytes[level_of_row(median(bytes), all, group.name, kernel, results)] = Traffic{median(bytes), 0};
    if (options_.precision.empty() && !precision.empty()) kernel.note += std::string(", ") + by_name;
    results.points.push_back(point_of(kernel));
  }

  /// Where the bytes are said to be, or else the nearest cache that they all fit in: such a row repeats them.
  MemoryLevel level_of_row(double bytes, int threads, const std::string& name, ImportedKernel& kernel,
                           Results& results) {
    if (const auto wanted = level_wanted(options_)) return *wanted;
    std::map<MemoryLevel, double> caches;  // those of so many threads together
    for (const auto& [level, cache] : caches_) caches[level] = cache.size * std::ceil(threads / cache.sharing);
    const auto fit = cache_fit(bytes, caches, beyond_);
    kernel.note = "assumed at DRAM";
    if (fit.doubtful) small_.push_back(fmt::format("{} ({:.0f} B)", name, bytes));
    if (!fit.cache) return MemoryLevel::DRAM;
    const auto where = roofline::name(*fit.cache);
    kernel.note = fmt::format("assumed at {}: the bytes of an iteration fit in it", where);
    results.warnings.push_back(
        fmt::format("{}: {}: the {:.0f} B of an iteration fit in {} ({}), so they are taken for bytes of {}; "
                    "--level=DRAM says otherwise",
                    origin_, name, bytes, where, binary_size(caches.at(*fit.cache)), where));
    return *fit.cache;
  }

  void read_caches(const Json& document) {
    const auto context = document.find("context");
    if (context == document.end() || !context->is_object() || !context->contains("caches")) return;
    for (const auto& cache : context->at("caches")) {
      if (!cache.is_object() || text_in(cache, "type") == "Instruction") continue;
      const auto level = integer_in(cache, "level");
      const double size = positive_in(cache, "size");
      if (level > 3) beyond_ = std::max(beyond_, size);
      if (level >= 1 && level <= 3 && size > 0)
        caches_[memory_levels[static_cast<std::size_t>(level - 1)]] = {
            size, static_cast<double>(std::max<std::int64_t>(1, integer_in(cache, "num_sharing")))};
    }
  }

  std::string origin_;
  const InputOptions& options_;
  Version version_;
  GoogleRows rows_;
  Counter flops_, bytes_;
  std::set<std::string> implausible_, assumed_;
  std::map<std::string, int> same_names_;
  std::vector<std::string> without_;
  struct Cache {
    double size, sharing;  ///< of one; hardware threads that share it
  };
  std::map<MemoryLevel, Cache> caches_;
  double beyond_ = 0;               ///< bytes of a cache behind L3
  std::vector<std::string> small_;  ///< rows that a cache may hold
};

Results read_document(const Json& document, const std::string& origin, const InputOptions& options,
                      const std::vector<std::string>& warnings = {}) {
  if (options.flops.empty() || options.bytes.empty())
    throw std::invalid_argument(origin +
                                ": results of Google Benchmark; --flops=COUNTER and --bytes=COUNTER say "
                                "which of its counters they are");
  auto results = GoogleFile(document, origin, options).results();
  results.warnings.insert(results.warnings.end(), warnings.begin(), warnings.end());
  assess(results);
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
  std::vector<std::string> odd;
  auto table = ForeignTable::one(text, origin, {"name", "iterations", "real_time", "cpu_time", "time_unit"},
                                 {options.decimal, "error_message", &odd});  // rows with errors end there
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
  return read_document({{"benchmarks", rows}}, origin, options, odd);
}

}  // namespace roofline
