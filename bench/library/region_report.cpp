#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>

#include "bench/library/declared/declared.hpp"
#include "bench/library/machine_ceilings.hpp"
#include "bench/library/region_rows.hpp"
#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"

namespace roofline {
namespace {

/// Threads that a region's work is shared by.
int threads_of(const RegionRow& row) {
  return row.work.threads > 0 ? static_cast<int>(std::lround(row.work.threads)) : row.threads;
}

/// The seconds that went by: threads in one region ran side by side.
double elapsed(const RegionRow& row) { return row.seconds / std::max(1, row.threads); }

/// The average call as a point of the roofline; absent where nothing was declared, or nothing that can be.
std::optional<KernelPoint> point_of(const RegionRow& row, const Machine& machine) {
  if (row.work.declares_nothing()) return std::nullopt;
  const auto calls = static_cast<double>(row.calls) / std::max(1, row.threads);
  auto work = row.work;
  for (auto* const amount :
       {&work.add, &work.mul, &work.fma, &work.div, &work.sqrt, &work.read, &work.written, &work.updated})
    *amount = *amount / calls;
  KernelPoint point;
  point.threads = std::clamp(threads_of(row), 1, std::max(1, static_cast<int>(machine.cpus.size())));
  try {
    point.counts = declared_counts(work, machine, point.threads);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  const double seconds = elapsed(row) / calls;
  point.time = {seconds, seconds, seconds};
  return point;
}

std::optional<Judgement> roof_of(const std::optional<KernelPoint>& point,
                                 const std::vector<MachineCeilings>& ceilings) {
  if (point)
    for (const auto& known : ceilings)
      if (auto roof = assess(Roofline(known.ceilings, point->threads), *point).roof) return roof;
  return std::nullopt;
}

bool above(const std::optional<Judgement>& roof) { return roof && roof->efficiency > at_roof_limit; }

std::vector<std::string> cells(const RegionRow& row, const std::optional<KernelPoint>& point,
                               const std::optional<Judgement>& roof) {
  const bool computes = point && point->counts.operations.flops() > 0;
  const auto bytes = point ? bandwidth(*point, MemoryLevel::L1) : std::nullopt;
  return {std::string(2 * static_cast<std::size_t>(row.depth), ' ') + row.name,
          std::to_string(row.calls),
          std::to_string(row.threads),
          duration(elapsed(row)),
          duration((row.seconds - row.inner_seconds) / std::max(1, row.threads)),
          computes ? significant(giga(point->flop_rate())) : std::string(absent),
          bytes ? significant(giga(*bytes)) : std::string(absent),
          roof ? name(roof->bound) : std::string(absent),
          percent(roof ? std::optional(roof->efficiency) : std::nullopt),
          above(roof) ? "!" : ""};
}

}  // namespace

Table region_table(const std::vector<RegionRow>& rows, const Machine& machine,
                   const std::vector<MachineCeilings>& ceilings) {
  Table table{"Regions", table_columns("<region|calls|threads|time|own|GFLOP/s|GB/s|<bound|% roof|<")};
  bool marked = false, declared = false, without_bytes = false;
  for (const auto& row : rows) {
    const auto point = point_of(row, machine);
    const auto roof = roof_of(point, ceilings);
    table.rows.push_back({cells(row, point, roof)});
    marked = marked || above(roof), declared = declared || point;
    without_bytes =
        without_bytes || (point && point->counts.operations.flops() > 0 && !bandwidth(*point, MemoryLevel::L1));
  }
  table.notes.push_back("time: all calls, regions within included; own: without them. GB/s: the declared bytes");
  if (marked) table.notes.push_back(std::string("! ") + above_roof_causes);
  if (without_bytes) table.notes.push_back("regions without declared bytes have no bound and no share");
  if (declared && ceilings.empty())
    table.notes.push_back(
        "no share of a roof: no ceilings of this machine are kept; ROOFLINE_REGIONS=measure measures them");
  return table;
}

void write_region_report(std::ostream& to) {
  const auto rows = region_rows();
  if (rows.empty()) return;
  const auto* const wish = std::getenv("ROOFLINE_REGIONS");
  const bool may_measure = wish && std::string(wish) == "measure";
  const auto machine = library_machine(may_measure);
  std::vector<int> wanted;
  for (const auto& row : rows)
    if (!row.work.declares_nothing() && threads_of(row) <= static_cast<int>(machine.cpus.size()))
      wanted.push_back(threads_of(row));
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<MachineCeilings> ceilings;
  for (const int threads : wanted) {
    auto kept = find_ceilings(machine, threads);
    if (!kept && may_measure) kept = machine_ceilings(machine, threads, {});
    if (kept) ceilings.push_back(std::move(*kept));
  }
  to << to_text(region_table(rows, machine, ceilings)) << std::flush;
}

}  // namespace roofline
