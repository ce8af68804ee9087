#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

std::vector<std::string> cells(const Roofline& roofline, const Ceiling& peak, const Member& member) {
  const KernelPoint& point = *member.point;
  const auto& operations = point.counts.operations;
  const double alpha = operations.fma_fraction(), beta = (1 + alpha) / 2, of_peak = point.flop_rate() / peak.rate;
  const auto share = [&](std::uint64_t count) {
    return percent(static_cast<double>(count) / static_cast<double>(operations.instructions()));
  };
  const auto mix = roofline.compute_mix(operations);
  return {"  " + member.label,
          share(operations.fma),
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

}  // namespace

Table fma_mix_table(const Results& results) {
  Table table{"Instruction mix",
              {{"kernel", false},
               {"FMA %"},
               {"MUL %"},
               {"ADD %"},
               {"DIV %"},
               {"alpha"},
               {"beta"},
               {"mix GFLOP/s"},
               {"% peak"},
               {"% beta"},
               {"% mix"},
               {"% GTC"}},
              {},
              {}};
  const auto* const peak = results.roofline.compute(Operation::fma);
  if (!peak) return table;
  for (const auto& group : group_by_family(results.points)) {
    std::vector<Table::Row> rows;
    for (const auto& member : group.members)
      if (const auto& p = *member.point; p.counts.kinds_known && p.counts.operations.flops() > 0 && p.time.median > 0 &&
                                         p.threads == results.roofline.threads())
        rows.push_back({cells(results.roofline, *peak, member)});
    if (rows.empty()) continue;
    table.rows.push_back({{group.heading}});
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
  }
  if (!table.rows.empty())
    table.notes.emplace_back(
        "alpha: FMA / (FMA + MUL + ADD); beta: (1 + alpha) / 2, the part of the FMA peak that the mix can reach where "
        "every instruction takes one slot (NERSC); mix: the ceiling of the mix from measured rates of each unit; % "
        "GTC: of alpha x peak, the convention of a talk at GTC 2020, which can exceed 100 %");
  return table;
}

}  // namespace roofline
