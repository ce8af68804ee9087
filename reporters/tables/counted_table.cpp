#include <fmt/format.h>

#include <algorithm>

#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {

Table counted_table(const Results& results) {
  Table table{"Counted and modelled, FLOPs and bytes of one launch",
              {{"kernel", false}, {"quantity", false}, {"counted"}, {"modelled"}, {"ratio"}},
              {},
              {}};
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

}  // namespace roofline
