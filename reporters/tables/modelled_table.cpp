#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/families.hpp"

namespace roofline {
namespace {

/// "27.4..31.6 MB", "31.6 MB" when both ends are written alike.
std::string bytes_text(const Counts& counts, MemoryLevel level) {
  const auto& traffic = counts.at(level);
  if (!traffic) return std::string(absent);
  const double total = traffic->total();
  const auto range = counts.range[static_cast<std::size_t>(level)].value_or(Span{total, total});
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  double scale = 1;
  for (; unit + 1 < units.size() && range.high >= 999.5 * scale; ++unit) scale *= 1000;
  const auto low = significant(range.low / scale), high = significant(range.high / scale);
  return (low == high ? low : low + ".." + high) + " " + units[unit];
}

/// "0.56 +-0.3" of a sampled launch, in percent; absent when all of it was simulated.
std::string sample_text(const Counts& counts) {
  const auto share = counts.details.find("sampled_share"), error = counts.details.find("sampling_error");
  if (share == counts.details.end() || error == counts.details.end()) return std::string(absent);
  return fmt::format("{:.2g} +-{:.2g}", 100 * share->second, 100 * error->second);
}

}  // namespace

Table modelled_table(const Results& results) {
  std::vector<MemoryLevel> levels;
  for (const auto level : memory_levels)
    if (std::any_of(results.points.begin(), results.points.end(),
                    [=](const KernelPoint& p) { return p.counts.at(level).has_value(); }))
      levels.push_back(level);
  Table table{"Bounds modelled for " + results.model->device + ": nothing was measured",
              table_columns("<kernel|time >=|GFLOP/s <=")};
  for (const auto level : levels)
    if (level != MemoryLevel::L1) table.columns.push_back({std::string(name(level))});
  for (const auto level : levels)
    table.columns.push_back({(level == levels.front() ? "AI " : "") + std::string(name(level))});
  table.columns.push_back({"bound", false});
  const bool sampled = std::any_of(results.points.begin(), results.points.end(),
                                   [](const KernelPoint& p) { return p.counts.details.contains("sampled_share"); });
  if (sampled) table.columns.push_back({"sample %"});

  add_by_family(table, results.points, [&](const KernelPoint& point) {
    std::vector<std::string> cells{duration(point.time.median), significant(giga(point.flop_rate()))};
    for (const auto level : levels)
      if (level != MemoryLevel::L1) cells.push_back(bytes_text(point.counts, level));
    for (const auto level : levels) cells.push_back(significant(point.counts.intensity(level)));
    cells.push_back(point.bound_by ? name(*point.bound_by) : std::string(absent));
    if (sampled) cells.push_back(sample_text(point.counts));
    return cells;
  });
  if (table.rows.empty()) return table;
  table.notes.push_back(
      "time: the least possible one, what the slowest resource (bound) needs at its ceiling; fma+mul, issue, add, div: "
      "slots of the instructions that the kernel executes, divisions expanded. low..high: bytes of one launch over "
      "what the model does not know; time and AI (FLOP/B) are of the middle");
  if (sampled)
    table.notes.push_back(
        "sample %: blocks of the launch that were simulated (its start, windows of its middle, its end) and the 95 % "
        "interval of the worst of its reads and writes of L2 and DRAM; - all of them");
  for (auto& line : source_lines(results)) table.notes.push_back(std::move(line));
  return table;
}

Table modelled_device_table(const Results& results) {
  const auto& model = *results.model;
  Table table{"Modelled device: " + model.device, table_columns("<|<")};
  table.rows.push_back({{"name", model.description}});
  for (const auto& [key, value] : model.facts) table.rows.push_back({{key, value}});
  table.rows.push_back({{"model hash", model.hash}});
  table.rows.push_back({{"ceilings", results.ceilings_origin.text}});
  table.rows.push_back({{"times", "bounds, nothing was measured"}});
  table.rows.push_back({{"date", results.date}});
  if (!results.command_line.empty()) table.rows.push_back({{"command", results.command_line}});
  return table;
}

}  // namespace roofline
