#include <fmt/format.h>

#include <algorithm>

#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

/// How much longer the first tuning took than the chosen one.
std::string gain(const KernelPoint& point) {
  const auto& trials = point.trials;
  const auto chosen =
      std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) { return trial.tuning == point.tuning; });
  if (chosen == trials.end()) return std::string(absent);
  return fmt::format("{:.2f}", trials.front().seconds / chosen->seconds);
}

}  // namespace

Table tuned_table(const Results& results) {
  Table table{"Tuned rows", {{"kernel", false}, {"tuning", false}, {"tunings"}, {"first / this"}}, {}, {}};
  for (const auto& group : group_by_family(results.points)) {
    std::vector<Table::Row> rows;
    for (const auto& member : group.members) {
      const auto& point = *member.point;
      if (point.tuning.empty()) continue;
      const auto tried = point.trials.size();
      rows.push_back(
          {{"  " + member.label, point.tuning, tried == 0 ? std::string(absent) : std::to_string(tried), gain(point)}});
    }
    if (rows.empty()) continue;
    table.rows.push_back({{group.heading}});
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
  }
  if (!table.rows.empty())
    table.notes.push_back(
        "tuning: the one of `tunings` that a short trial found fastest (absent: an earlier run did, or nothing was "
        "timed); "
        "first / this: shortest launch of the first tuning, that of the row without /tuned, over that of this one");
  return table;
}

}  // namespace roofline
