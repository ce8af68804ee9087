#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/families.hpp"

namespace roofline {
namespace {

/// Empty where no FMA ceiling of the row's precision was measured.
std::vector<std::string> mix_cells(const Roofline& roofline, const KernelPoint& point) {
  const auto* const peak = roofline.compute(Operation::fma, point.counts.precision);
  if (!peak) return {};
  const auto& operations = point.counts.operations;
  const double alpha = operations.fma_fraction(), beta = (1 + alpha) / 2, of_peak = point.flop_rate() / peak->rate;
  const auto share = [&](std::uint64_t count) {
    return percent(static_cast<double>(count) / static_cast<double>(operations.instructions()));
  };
  const auto mix = roofline.compute_mix(operations, point.counts.precision);
  return {share(operations.fma),
          share(operations.mul),
          share(operations.add),
          share(operations.div),
          significant(alpha),
          significant(beta),
          mix ? significant(giga(mix->rate)) : std::string(absent),
          percent(of_peak),
          percent(of_peak / beta),
          mix ? percent(point.flop_rate() / mix->rate) : std::string(absent),
          alpha > 0 ? percent(of_peak / alpha) : std::string(absent)};
}

/// How much longer the first tuning took than the chosen one.
std::string gain(const KernelPoint& point) {
  const auto& trials = point.trials;
  const auto chosen =
      std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) { return trial.tuning == point.tuning; });
  if (chosen == trials.end()) return std::string(absent);
  return fmt::format("{:.2f}", trials.front().seconds / chosen->seconds);
}

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

Table instruction_table(const Results& results) {
  Table table{"Instructions", table_columns("<kernel|Ginstr/s|per cycle|% front end|per FLOP|per B: L1|L2|L3|DRAM")};
  const auto* const front_end = results.roofline.front_end();
  add_by_family(table, results.points, [&](const KernelPoint& point) -> std::vector<std::string> {
    const auto& instructions = point.counts.instructions;
    if (!instructions || !(point.time.median > 0)) return {};
    const double rate = *instructions / point.time.median;
    const auto per_cycle = point.counts.instructions_per_cycle();
    const auto share =
        front_end && point.threads == front_end->threads ? std::optional(rate / front_end->rate) : std::nullopt;
    const auto flops = static_cast<double>(point.counts.operations.flops());
    std::vector<std::string> cells{significant(giga(rate)),
                                   per_cycle ? fmt::format("{:.2f}", *per_cycle) : std::string(absent), percent(share),
                                   flops > 0 ? significant(*instructions / flops) : std::string(absent)};
    for (const auto level : memory_levels) {
      const auto& bytes = point.counts.at(level);
      cells.push_back(bytes && bytes->total() > 0 ? significant(*instructions / bytes->total()) : std::string(absent));
    }
    return cells;
  });
  if (table.rows.empty()) return {};
  table.notes.push_back(
      front_end ? fmt::format("front end: {} Ginstr/s of all threads ({}); near 100 % neither units nor memory decide: "
                              "fewer or wider instructions help",
                              significant(giga(front_end->rate)), front_end->variant)
                : std::string("this run has no ceiling of the front end; a default run and --ceilings=full do"));
  table.notes.push_back("per cycle: per cycle of a core while it ran; share: share of the measured time");
  return table;
}

Table fma_mix_table(const Results& results) {
  Table table{"Instruction mix",
              table_columns("<kernel|FMA %|MUL %|ADD %|DIV %|alpha|beta|mix GFLOP/s|% peak|% beta|% units|% GTC")};
  add_by_family(table, results.points, [&](const KernelPoint& p) {
    const bool shown = p.counts.kinds_known && p.counts.operations.flops() > 0 && p.time.median > 0 &&
                       p.threads == results.roofline.threads();
    return shown ? mix_cells(results.roofline, p) : std::vector<std::string>();
  });
  if (!table.rows.empty())
    table.notes.emplace_back(
        "alpha: FMA / (FMA + MUL + ADD); beta: (1 + alpha) / 2, the part of the FMA peak of its precision that the mix "
        "can reach if every instruction takes one slot (NERSC); mix: the ceiling of the mix from measured rates of "
        "each unit, and % units the share of it; % GTC: percent of alpha x peak, the convention of a talk at GTC 2020, "
        "which can exceed 100 %");
  return table;
}

Table counted_table(const Results& results) {
  Table table{"Counted and modelled, FLOPs and bytes of one launch",
              table_columns("<kernel|<quantity|counted|modelled|ratio")};
  for (const auto& point : results.points)
    for (const auto& pair : point.counts.counted) {
      table.rows.push_back({{point.name, pair.quantity, fmt::format("{:.4g}", pair.measured),
                             pair.modelled ? fmt::format("{:.4g}", *pair.modelled) : std::string(absent),
                             pair.ratio ? fmt::format("{:.3f}", *pair.ratio) : std::string(absent)}});
      if (pair.note.empty()) continue;
      // One sentence for all the rows that it explains.
      const auto note = fmt::format("{}: {}", pair.quantity, pair.note);
      if (std::find(table.notes.begin(), table.notes.end(), note) == table.notes.end()) table.notes.push_back(note);
    }
  if (table.rows.empty()) return {};
  return table;
}

Table tuned_table(const Results& results) {
  Table table{"Tuned rows", table_columns("<kernel|<tuning|tunings|first / this")};
  add_by_family(table, results.points, [](const KernelPoint& point) {
    const auto tried = point.trials.size();
    return point.tuning.empty()
               ? std::vector<std::string>()
               : std::vector{point.tuning, tried == 0 ? std::string(absent) : std::to_string(tried), gain(point)};
  });
  if (!table.rows.empty())
    table.notes.push_back(
        "tuning: the one of `tunings` that a short trial found fastest (absent: an earlier run did, or nothing was "
        "timed); first / this: shortest launch of the first tuning (the one without /tuned) over the shortest launch "
        "of this one");
  return table;
}

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
      "time: the least possible time, which the slowest resource (bound) needs at its ceiling; fma+mul, issue, add, "
      "div: slots of the instructions that the kernel executes, divisions expanded. low..high: bytes of one launch "
      "over the model's unknowns; time and AI (FLOP/B) are for the middle");
  if (sampled)
    table.notes.push_back(
        "sample %: blocks of the launch that were simulated (its start, windows of its middle, its end) and the 95 % "
        "interval of the worst of its reads and writes of L2 and DRAM; - all of them");
  for (auto& line : source_lines(results)) table.notes.push_back(std::move(line));
  return table;
}

}  // namespace roofline
