#include "reporters/plots/text_plot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "bench/model/assessment.hpp"
#include "bench/text/table.hpp"
#include "reporters/plots/text_canvas.hpp"
#include "reporters/view/family_summary.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
static_assert(crowded_from <= letters.size() + 1, "every cell of a run that is not crowded has a letter");
constexpr char several = '*';  // families in one cell

/// Kernels that fall into one cell.
using Crowd = std::vector<std::pair<const FamilyGroup*, const Member*>>;

/// "c gpp nw:1/fma:1, nw:1/fma:0; lbm collide/v0".
std::string legend_entry(char letter, const Crowd& crowd) {
  std::string text(1, letter);
  const FamilyGroup* family = nullptr;
  for (const auto& [group, member] : crowd) {
    text += group == family ? ", " : (family ? "; " : " ") + group->family + " ";
    text += member->label;
    family = group;
  }
  return text;
}

/// A letter for every family: the first of its name that no earlier one has taken, else the first free of all.
std::vector<char> family_letters(const std::vector<FamilyGroup>& groups) {
  const std::string_view lower = letters.substr(0, 26);
  std::string taken;
  for (const auto& group : groups) {
    const auto is_free = [&](char c) { return lower.find(c) != lower.npos && taken.find(c) == taken.npos; };
    const auto own = std::find_if(group.family.begin(), group.family.end(), is_free);
    const auto any = std::find_if(lower.begin(), lower.end(), is_free);
    taken += own != group.family.end() ? *own : any != lower.end() ? *any : several;
  }
  return {taken.begin(), taken.end()};
}

/// What a cell of a crowded plot shows: the letter of its family, as a capital for several kernels.
char cell_letter(const Crowd& crowd, const std::vector<FamilyGroup>& groups, const std::vector<char>& family_letters) {
  const auto* const family = crowd.front().first;
  if (std::any_of(crowd.begin(), crowd.end(), [&](const auto& entry) { return entry.first != family; })) return several;
  const char letter = family_letters[static_cast<std::size_t>(family - groups.data())];
  return crowd.size() > 1 ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
}

/// One line per family.
Table family_table(const std::vector<FamilySummary>& families, const std::vector<char>& family_letters) {
  Table table{{}, {{"family", false}, {"kernels"}, {"FLOP/B"}, {"max GFLOP/s"}, {"% roof, worst..best"}}, {}, {}};
  for (std::size_t f = 0; f < families.size(); ++f) {
    auto cells = cells_of(families[f]);
    cells[0] = fmt::format("{} {}", family_letters[f], cells[0]);
    table.rows.push_back({std::move(cells)});
  }
  return table;
}

/// "1 of lbm, 3 of stream".
std::string counted(const std::vector<FamilyGroup>& groups, const std::map<std::string, std::size_t>& by_family) {
  std::vector<std::string> parts;
  for (const auto& group : groups)
    if (const auto count = by_family.find(group.family); count != by_family.end())
      parts.push_back(fmt::format("{} of {}", count->second, group.family));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string joined(const std::vector<std::string>& entries, std::size_t width) {
  std::string text, line;
  const auto flush = [&] { text += wrap(line, width), line.clear(); };
  for (const auto& entry : entries) {
    if (!line.empty() && line.size() + 3 + entry.size() > width) flush();
    line += (line.empty() ? "" : " | ") + entry;
  }
  flush();
  return text;
}

/// Where a kernel lies on the axis; nothing for one without traffic, FLOPs or time.
std::optional<double> intensity_of(const KernelPoint& point) {
  const auto level = outermost_level(point.counts);
  if (!level || point.counts.operations.flops() == 0 || !(point.time.median > 0)) return std::nullopt;
  return point.counts.intensity(*level);
}

/// The roofs that get a line.
std::vector<RoofLine> visible_roofs(const Results& results) {
  auto roofs = roof_lines(results.roofline);
  std::erase_if(roofs, [](const RoofLine& roof) { return roof.thin; });
  return roofs;
}

/// Intensities and rates that have to be seen: all kernels, the ridge of DRAM, the compute roofs.
std::pair<LogRange, LogRange> ranges_of(const std::vector<const KernelPoint*>& points,
                                        const std::vector<RoofLine>& roofs) {
  LogRange xs, ys;
  for (const auto* const point : points)
    if (const auto intensity = intensity_of(*point)) xs.include(*intensity), ys.include(point->flop_rate());
  for (const auto& roof : roofs) {
    if (roof.level == MemoryLevel::DRAM) xs.include(roof.to), xs.include(roof.to * 8);
    if (!roof.level) ys.include(roof.rate);
    if (points.empty()) xs.include(roof.to / 10), ys.include(roof.at(roof.to / 10));
  }
  return {xs, ys};
}

/// The kernels of a run by the cell they fall into.
struct Placement {
  std::map<std::pair<std::size_t, std::size_t>, Crowd> crowds;  // by column, row
  std::vector<std::string> not_drawn;
  std::map<std::string, std::size_t> not_drawn_of;  // by family
};

Placement place(const TextCanvas& canvas, const std::vector<FamilyGroup>& groups) {
  Placement placement;
  for (const auto& group : groups)
    for (const auto& member : group.members) {
      const auto intensity = intensity_of(*member.point);
      const auto cell = intensity ? canvas.cell_of(*intensity, member.point->flop_rate()) : std::nullopt;
      if (!cell) {
        placement.not_drawn.push_back(group.family + " " + member.label);
        ++placement.not_drawn_of[group.family];
        continue;
      }
      placement.crowds[*cell].emplace_back(&group, &member);
    }
  return placement;
}

/// What the letters mean: a line per cell.
std::string cell_legend(TextCanvas& canvas, const Placement& placement, std::size_t width) {
  std::vector<std::string> legend;
  for (const auto& [cell, crowd] : placement.crowds) {
    const char letter = letters[legend.size()];
    canvas.write(cell.first, cell.second, std::string(1, letter));
    legend.push_back(legend_entry(letter, crowd));
  }
  if (!placement.not_drawn.empty())
    legend.push_back(fmt::format("not drawn: {}", fmt::join(placement.not_drawn, ", ")));
  return joined(legend, width);
}

/// The same where cells are many: a line per family.
std::string family_legend(TextCanvas& canvas, const Placement& placement, const std::vector<FamilyGroup>& groups,
                          std::size_t width) {
  const auto of_families = family_letters(groups);
  bool shared = false;  // a cell by several families
  for (const auto& [cell, crowd] : placement.crowds) {
    const char letter = cell_letter(crowd, groups, of_families);
    canvas.write(cell.first, cell.second, std::string(1, letter));
    shared = shared || letter == several;
  }
  auto table = family_table(summarise(groups), of_families);
  table.notes.push_back(fmt::format("capital letter: several kernels{}; all of them are in the table above",
                                    shared ? fmt::format(", {}: of several families", several) : ""));
  if (!placement.not_drawn.empty())
    table.notes.push_back(fmt::format("not drawn: {}", counted(groups, placement.not_drawn_of)));
  return to_text(table, width);
}

}  // namespace

std::string text_plot(const Results& results, Characters characters, std::size_t width, std::size_t height) {
  const auto roofs = visible_roofs(results);
  std::vector<const KernelPoint*> points;
  for (const auto& point : results.points) points.push_back(&point);
  const auto [xs, ys] = ranges_of(points, roofs);
  if (xs.empty() || ys.empty()) return {};
  TextCanvas canvas(xs.padded(1.5, 2), ys.padded(1.5, 2), characters, width, height);
  for (const auto& roof : roofs) canvas.draw(roof);
  const auto groups = group_by_family(results.points);
  const auto placement = place(canvas, groups);
  const auto legend = is_crowded(results.points) ? family_legend(canvas, placement, groups, width)
                                                 : cell_legend(canvas, placement, width);
  for (const auto& roof : roofs) canvas.name_roof(roof);
  return canvas.text() + legend;
}

std::vector<std::string> plot_with_legend(const Results& results, const std::vector<LabelledPoint>& points,
                                          Characters characters, std::size_t width, std::size_t height) {
  constexpr std::size_t least_plot = 40, gap = 2;
  const auto roofs = visible_roofs(results);
  std::vector<const KernelPoint*> drawn;
  std::size_t longest = 0;
  for (const auto& [label, point] : points)
    if (intensity_of(*point)) drawn.push_back(point), longest = std::max(longest, label.size());
  const auto [xs, ys] = ranges_of(drawn, roofs);
  if (xs.empty() || ys.empty()) return {};
  const std::size_t columns = (drawn.size() + height - 1) / height, column_width = longest + 2 + gap;
  if (width < columns * column_width + least_plot) return {};
  const std::size_t plot_width = width - columns * column_width;
  TextCanvas canvas(xs.padded(1.5, 2), ys.padded(1.5, 1.5), characters, plot_width, height);
  for (const auto& roof : roofs) canvas.draw(roof);
  std::map<std::pair<std::size_t, std::size_t>, char> cells;
  std::vector<std::string> legend;
  for (const auto& [label, point] : points) {
    const auto intensity = intensity_of(*point);
    const auto cell = intensity ? canvas.cell_of(*intensity, point->flop_rate()) : std::nullopt;
    if (!cell) continue;
    const char letter = cells.emplace(*cell, letters[cells.size()]).first->second;
    canvas.write(cell->first, cell->second, std::string(1, letter));
    legend.push_back(fmt::format("{} {}", letter, label));
  }
  for (const auto& roof : roofs) canvas.name_roof(roof);
  std::vector<std::string> lines;
  std::istringstream plot(canvas.text());
  for (std::string line; std::getline(plot, line); lines.push_back(line))
    for (std::size_t i = lines.size(), at = plot_width + gap; i < legend.size(); i += height, at += column_width)
      line = fmt::format("{:<{}}{}", line, at, legend[i]);
  return lines;
}

}  // namespace roofline
