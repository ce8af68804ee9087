#include <fmt/format.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

/// Rates that differ by less are those of one machine twice.
constexpr double same = 0.02;

Scaling scaling_of_roof(const std::vector<Results>& runs, std::string name, std::optional<MemoryLevel> level) {
  Scaling roof{std::move(name), level ? "GB/s" : "GFLOP/s", level, {}, {}};
  for (const auto& run : runs) {
    const auto* const ceiling = level ? run.roofline.bandwidth(*level) : run.roofline.compute(Operation::fma);
    roof.rates.push_back(ceiling ? std::optional(ceiling->rate) : std::nullopt);
  }
  return roof;
}

Scaling scaling_of_kernel(const std::vector<Results>& runs, const KernelPoint& last) {
  const bool computes = last.counts.operations.flops() > 0;
  const auto level = outermost_level(last.counts);
  Scaling kernel{last.name, computes ? "GFLOP/s" : "GB/s", {}, {}, {}};
  for (const auto& run : runs) {
    const auto* const point = find_point(run.points, last.name);
    const bool timed = point && point->time.median > 0;
    std::optional<double> rate, share;
    if (timed && computes)
      rate = point->flop_rate();
    else if (timed && level && point->counts.at(*level))
      rate = point->counts.at(*level)->total() / point->time.median;
    if (timed)
      if (const auto mix = assess(run.roofline, *point).mix) share = mix->efficiency;
    kernel.rates.push_back(rate), kernel.shares.push_back(share);
  }
  return kernel;
}

int threads_of(const Results& run) { return run.roofline.threads(); }

std::vector<Table::Column> columns_of(const std::vector<Results>& runs, const char* what) {
  std::vector<Table::Column> columns{{what, false}};
  for (const auto& run : runs) columns.push_back({threads_text(threads_of(run))});
  return columns;
}

}  // namespace

std::optional<std::size_t> Scaling::best() const {
  const auto most = std::max_element(rates.begin(), rates.end());  // one that is absent is the least
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (rates[i] && **most <= *rates[i] * (1 + same)) return i;
  return std::nullopt;
}

std::vector<Scaling> scaling_of(const std::vector<Results>& runs) {
  std::vector<Scaling> all;
  if (runs.empty()) return all;
  all.push_back(scaling_of_roof(runs, "roof: FMA", std::nullopt));
  for (const auto level : memory_levels)
    all.push_back(scaling_of_roof(runs, fmt::format("roof: {}", name(level)), level));
  std::erase_if(all, [](const Scaling& roof) { return !roof.best(); });
  for (const auto& point : runs.back().points) {
    auto kernel = scaling_of_kernel(runs, point);
    if (kernel.best()) all.push_back(std::move(kernel));
  }
  return all;
}

Table scaling_table(const std::vector<Results>& runs) {
  Table table{"Thread sweep: rates", columns_of(runs, "roof or kernel"), {}, {}};
  for (const auto* const header : {"unit", "best at", "speed-up", "% of ideal"}) table.columns.push_back({header});
  for (const auto& row : scaling_of(runs)) {
    std::vector<std::string> cells{row.name};
    for (const auto& rate : row.rates) cells.push_back(rate ? significant(giga(*rate)) : std::string(absent));
    const auto best = row.best().value();
    const auto speed_up = row.rates[0] ? std::optional(*row.rates[best] / *row.rates[0]) : std::nullopt;
    cells.push_back(row.unit), cells.push_back(std::to_string(threads_of(runs[best])));
    cells.push_back(speed_up ? fmt::format("{:.2f}", *speed_up) : std::string(absent));
    cells.push_back(
        percent(speed_up ? std::optional(*speed_up * threads_of(runs[0]) / threads_of(runs[best])) : std::nullopt));
    table.rows.push_back({std::move(cells)});
    if (row.roof == MemoryLevel::DRAM && best + 1 < runs.size())
      table.notes.push_back(
          fmt::format("DRAM gives its best to {} of {} threads: more do not help rows that it bounds "
                      "(--threads={})",
                      threads_of(runs[best]), threads_of(runs.back()), threads_of(runs[best])));
  }
  if (!table.rows.empty())
    table.notes.push_back(
        fmt::format("best: the fewest threads that no other number beats by more than {:.0f} %; "
                    "speed-up over {} and its share of the ratio of threads",
                    100 * same, runs.empty() ? 1 : threads_of(runs[0])));
  return table;
}

Table scaling_efficiency_table(const std::vector<Results>& runs) {
  Table table{"Thread sweep: % of the roof of the kernel's mix, with the ceilings of the same threads",
              columns_of(runs, "kernel"),
              {},
              {}};
  for (const auto& row : scaling_of(runs)) {
    if (std::none_of(row.shares.begin(), row.shares.end(), [](const auto& share) { return share.has_value(); }))
      continue;
    std::vector<std::string> cells{row.name};
    for (const auto& share : row.shares) cells.push_back(percent(share));
    table.rows.push_back({std::move(cells)});
  }
  return table;
}

}  // namespace roofline
