#include "reporters/time_account.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/point_names.hpp"

namespace roofline {

double TimeAccount::largest() const {
  double most = compute.value_or(0);
  for (const auto& level : levels) most = std::max(most, level.value_or(0));
  return most;
}

double TimeAccount::sum() const {
  double all = compute.value_or(0);
  for (const auto& level : levels) all += level.value_or(0);
  return all;
}

TimeAccount time_account(const Roofline& roofline, const KernelPoint& point) {
  TimeAccount account;
  if (point.threads != roofline.threads()) return account;
  const auto& operations = point.counts.operations;
  const auto moment = moment_of(point);
  if (const auto bound = roofline.compute_mix(operations, "fp64", moment))
    account.compute = static_cast<double>(operations.flops()) / bound->rate;
  for (const auto level : memory_levels)
    if (const auto time = roofline.level_time(level, point.counts, moment))
      account.levels[static_cast<std::size_t>(level)] = time->seconds;
  return account;
}

Table time_account_table(const Results& results) {
  Table table{"Where the time goes",
              {{"kernel", false}, {"time"}, {"compute %"}, {"L1 %"}, {"L2 %"}, {"L3 %"}, {"DRAM %"}, {"sum %"}},
              {},
              {}};
  for (const auto& group : group_by_family(results.points)) {
    std::vector<Table::Row> rows;
    for (const auto& member : group.members) {
      const auto account = time_account(results.roofline, *member.point);
      if (account.sum() <= 0) continue;
      const auto share = [&](const std::optional<double>& seconds) {
        return percent(seconds ? std::optional(*seconds / member.point->time.median) : std::nullopt);
      };
      std::vector<std::string> cells{"  " + member.label, duration(member.point->time.median), share(account.compute)};
      for (const auto& level : account.levels) cells.push_back(share(level));
      cells.push_back(share(account.sum()));
      rows.push_back({cells});
    }
    if (rows.empty()) continue;
    table.rows.push_back({{group.heading}});
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
  }
  if (!table.rows.empty())
    table.notes.push_back(
        "share of the measured time that each resource needs by itself, at the ceiling of the kernel's own mix. A "
        "resource near 100 % is the roof; a sum near 100 % with none near it says that resources wait for one another; "
        "a sum far below, that time goes elsewhere: latency, instructions that are not counted, start and end");
  return table;
}

}  // namespace roofline
