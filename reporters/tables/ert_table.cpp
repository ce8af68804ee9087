#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"

namespace roofline {
namespace {

/// The row of a sweep whose working set is nearest to `bytes` on a logarithmic scale; null beyond its ends.
const ErtRow* nearest_row(const ErtSweep& sweep, double bytes) {
  const ErtRow* best = nullptr;
  double best_distance = std::log(1.5);
  for (const auto& row : sweep.rows)
    if (const double distance = std::abs(std::log(row.working_set / bytes)); distance < best_distance)
      best = &row, best_distance = distance;
  return best;
}

}  // namespace

Table ert_table(const Results& results) {
  if (!results.ert) return {};
  const auto& ert = *results.ert;
  const auto sweeps = heaviest(ert.sweeps);
  const bool on_gpu = !sweeps.empty() && !sweeps.front()->launch.empty();
  const auto threads = ", " + threads_text(results.roofline.threads());
  Table table{"ERT sweep, FP64 with FMA" + (on_gpu ? "" : threads), {{"working set"}}, {}, {}};
  double smallest = 0, largest = 0;
  for (const auto* const best : sweeps) {
    const auto& sweep = *best;
    table.columns.push_back({fmt::format("F={} GB/s", sweep.flops_per_element)});
    table.columns.push_back({"GFLOP/s"});
    for (const auto& row : sweep.rows) {
      smallest = smallest == 0 ? row.working_set : std::min(smallest, row.working_set);
      largest = std::max(largest, row.working_set);
    }
  }
  for (double bytes = std::exp2(std::ceil(std::log2(std::max(1.0, smallest)))); bytes <= largest; bytes *= 4) {
    Table::Row line{{binary_size(bytes)}};
    for (const auto* const sweep : sweeps) {
      const auto* const row = nearest_row(*sweep, bytes);
      line.cells.push_back(row ? significant(giga(row->bandwidth())) : std::string(absent));
      line.cells.push_back(row ? significant(giga(row->flop_rate())) : std::string(absent));
    }
    table.rows.push_back(line);
  }
  std::string plateaus = fmt::format("best {} GFLOP/s; plateaus", significant(giga(ert.flop_rate), 4));
  for (const auto& level : ert.levels)
    plateaus += fmt::format(" {} {} GB/s,", name(level.level), significant(giga(level.bandwidth)));
  plateaus.back() = ' ';
  table.notes.push_back(plateaus + fmt::format("(ERT's algorithm, F = {}, levels named from the cache geometry)",
                                               ert.bandwidth_flops_per_element));
  table.notes.push_back("bytes: one read and one write per element, in place: the update mix");
  if (on_gpu) {
    std::string launches = fmt::format("of {} launches of blocks x threads the best for each F:", ert.sweeps.size());
    for (const auto* const sweep : sweeps) launches += " " + sweep->launch + ",";
    launches.back() = '.';
    table.notes.push_back(launches + " L1 passes stores on: its plateau is that of L2's stores");
  }
  return table;
}

}  // namespace roofline
