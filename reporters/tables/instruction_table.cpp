#include <fmt/format.h>

#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {

Table instruction_table(const Results& results) {
  Table table{"Instructions",
              {{"kernel", false},
               {"Ginstr/s"},
               {"per cycle"},
               {"% front end"},
               {"per FLOP"},
               {"per B: L1"},
               {"L2"},
               {"L3"},
               {"DRAM"}},
              {},
              {}};
  const auto* const front_end = results.roofline.front_end();
  for (const auto& group : group_by_family(results.points)) {
    std::vector<Table::Row> rows;
    for (const auto& member : group.members) {
      const auto& point = *member.point;
      const auto& instructions = point.counts.instructions;
      if (!instructions || !(point.time.median > 0)) continue;
      const double rate = *instructions / point.time.median;
      const auto per_cycle = point.counts.instructions_per_cycle();
      const auto share =
          front_end && point.threads == front_end->threads ? std::optional(rate / front_end->rate) : std::nullopt;
      const auto flops = static_cast<double>(point.counts.operations.flops());
      std::vector<std::string> cells{"  " + member.label, significant(giga(rate)),
                                     per_cycle ? fmt::format("{:.2f}", *per_cycle) : std::string(absent),
                                     percent(share),
                                     flops > 0 ? significant(*instructions / flops) : std::string(absent)};
      for (const auto level : memory_levels) {
        const auto& bytes = point.counts.at(level);
        cells.push_back(bytes && bytes->total() > 0 ? significant(*instructions / bytes->total())
                                                    : std::string(absent));
      }
      rows.push_back({std::move(cells)});
    }
    if (rows.empty()) continue;
    table.rows.push_back({{group.heading}});
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
  }
  if (table.rows.empty()) return {};
  table.notes.push_back(
      front_end ? fmt::format("front end: {} Ginstr/s of all threads ({}); near 100 % neither units nor memory decide: "
                              "fewer or wider instructions help",
                              significant(giga(front_end->rate)), front_end->variant)
                : std::string("this run has no ceiling of the front end; a default run and --ceilings=full do"));
  table.notes.push_back("per cycle: of a core while it ran; the share is of the measured time");
  return table;
}

}  // namespace roofline
