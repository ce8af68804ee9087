#include "reporters/text_plot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "bench/text/table.hpp"
#include "reporters/axes.hpp"
#include "reporters/family_summary.hpp"
#include "reporters/point_names.hpp"
#include "reporters/roof_lines.hpp"

namespace roofline {
namespace {

/// What lines are made of. `levels` are dashes from the top of a character cell to its bottom.
struct Glyphs {
  std::vector<const char*> levels;
  const char *axis, *tick, *corner, *floor, *mark;
};

const Glyphs& glyphs(Characters characters) {
  static const Glyphs utf8{{"⎺", "⎻", "─", "⎼", "⎽"}, "│", "┤", "└", "─", "┴"};
  static const Glyphs ascii{{"'", "-", "_"}, "|", "+", "+", "-", "+"};
  return characters == Characters::utf8 ? utf8 : ascii;
}

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
static_assert(crowded_from <= letters.size() + 1, "every cell of a run that is not crowded has a letter");
constexpr char several = '*';  // families in one cell

/// Character cells with a logarithmic axis in each direction; row 0 is the top.
struct Canvas {
  LogAxis x, y;
  std::size_t columns, rows;
  std::vector<std::vector<std::string>> cells;
  std::vector<std::vector<bool>> taken;  // by a letter or the name of a roof

  Canvas(const LogRange& xs, const LogRange& ys, std::size_t columns, std::size_t rows)
      : x{xs.low, xs.high, 0, static_cast<double>(columns)},
        y{ys.low, ys.high, static_cast<double>(rows), 0},
        columns(columns),
        rows(rows),
        cells(rows, std::vector<std::string>(columns, " ")),
        taken(rows, std::vector<bool>(columns, false)) {}

  double middle_of(std::size_t column) const { return x.value(static_cast<double>(column) + 0.5); }
  /// The row and the part of its height, from the top, at which a value lies; nothing outside.
  std::optional<std::pair<std::size_t, double>> row_of(double value) const {
    const double position = y.position(value);
    if (!(position >= 0) || position >= static_cast<double>(rows)) return std::nullopt;
    const double row = std::floor(position);
    return std::pair{static_cast<std::size_t>(row), position - row};
  }
  void write(std::size_t row, std::size_t column, const std::string& ascii) {
    for (std::size_t i = 0; i < ascii.size() && column + i < columns; ++i) {
      cells[row][column + i] = ascii[i];
      taken[row][column + i] = true;
    }
  }
  bool is_free(std::size_t row, std::size_t column, std::size_t length) const {
    for (std::size_t i = column; i < column + length; ++i)
      if (i >= columns || taken[row][i]) return false;
    return true;
  }
};

struct Cell {
  std::size_t column, row;
};

/// The cells of the visible part of a roof, with the part of the height at which it crosses each.
std::vector<std::pair<Cell, double>> trace(const Canvas& canvas, const RoofLine& roof) {
  std::vector<std::pair<Cell, double>> cells;
  for (std::size_t column = 0; column < canvas.columns; ++column) {
    const double intensity = canvas.middle_of(column);
    if (intensity < roof.from || intensity > roof.to) continue;
    if (const auto at = canvas.row_of(roof.at(intensity))) cells.push_back({{column, at->first}, at->second});
  }
  return cells;
}

/// Writes "DRAM" into the lower end of a slope, "FMA 258" into the right end of a level, where letters leave room.
void name_roof(Canvas& canvas, const RoofLine& roof) {
  const auto cells = trace(canvas, roof);
  auto label = roof.short_label();
  std::erase(label, ':');
  const std::string text = roof.level ? roof.name : " " + label + " ";
  for (std::size_t i = 1; i + text.size() < cells.size(); ++i) {
    const auto& [column, row] = roof.level ? cells[i].first : cells[cells.size() - i - text.size()].first;
    if (!canvas.is_free(row, column, text.size())) continue;
    canvas.write(row, column, text);
    return;
  }
}

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
std::pair<LogRange, LogRange> ranges_of(const Results& results, const std::vector<RoofLine>& roofs) {
  LogRange xs, ys;
  for (const auto& point : results.points)
    if (const auto intensity = intensity_of(point)) xs.include(*intensity), ys.include(point.flop_rate());
  for (const auto& roof : roofs) {
    if (roof.level == MemoryLevel::DRAM) xs.include(roof.to), xs.include(roof.to * 8);
    if (!roof.level) ys.include(roof.rate);
    if (results.points.empty()) xs.include(roof.to / 10), ys.include(roof.at(roof.to / 10));
  }
  return {xs, ys};
}

/// The kernels of a run by the cell they fall into.
struct Placement {
  std::map<std::pair<std::size_t, std::size_t>, Crowd> crowds;  // by column, row
  std::vector<std::string> not_drawn;
  std::map<std::string, std::size_t> not_drawn_of;  // by family
};

Placement place(const Canvas& canvas, const std::vector<FamilyGroup>& groups) {
  Placement placement;
  for (const auto& group : groups)
    for (const auto& member : group.members) {
      const auto intensity = intensity_of(*member.point);
      if (!intensity) {
        placement.not_drawn.push_back(group.family + " " + member.label);
        ++placement.not_drawn_of[group.family];
        continue;
      }
      const auto column = static_cast<std::size_t>(canvas.x.position(*intensity));
      placement.crowds[{column, canvas.row_of(member.point->flop_rate())->first}].emplace_back(&group, &member);
    }
  return placement;
}

/// What the letters mean: a line per cell.
std::string cell_legend(Canvas& canvas, const Placement& placement, std::size_t width) {
  std::vector<std::string> legend;
  for (const auto& [cell, crowd] : placement.crowds) {
    const char letter = letters[legend.size()];
    canvas.write(cell.second, cell.first, std::string(1, letter));
    legend.push_back(legend_entry(letter, crowd));
  }
  if (!placement.not_drawn.empty())
    legend.push_back(fmt::format("not drawn: {}", fmt::join(placement.not_drawn, ", ")));
  return joined(legend, width);
}

/// The same where cells are many: a line per family.
std::string family_legend(Canvas& canvas, const Placement& placement, const std::vector<FamilyGroup>& groups,
                          std::size_t width) {
  const auto of_families = family_letters(groups);
  bool shared = false;  // a cell by several families
  for (const auto& [cell, crowd] : placement.crowds) {
    const char letter = cell_letter(crowd, groups, of_families);
    canvas.write(cell.second, cell.first, std::string(1, letter));
    shared = shared || letter == several;
  }
  auto table = family_table(summarise(groups), of_families);
  table.notes.push_back(fmt::format("capital letter: several kernels{}; all of them are in the table above",
                                    shared ? fmt::format(", {}: of several families", several) : ""));
  if (!placement.not_drawn.empty())
    table.notes.push_back(fmt::format("not drawn: {}", counted(groups, placement.not_drawn_of)));
  return to_text(table, width);
}

constexpr std::size_t left = 7;  // tick labels and axis

/// The canvas with its vertical axis.
std::string drawn_rows(const Canvas& canvas, const Glyphs& look) {
  std::map<std::size_t, double> ticks;
  for (const double tick : canvas.y.labelled_ticks())
    if (const auto row = canvas.row_of(tick)) ticks.emplace(row->first, tick);
  std::string text;
  for (std::size_t row = 0; row < canvas.rows; ++row) {
    const auto tick = ticks.find(row);
    std::string line = tick == ticks.end() ? std::string(left - 1, ' ') + look.axis
                                           : fmt::format("{:>{}g}", giga(tick->second), left - 2) + " " + look.tick;
    for (const auto& cell : canvas.cells[row]) line += cell;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

/// The horizontal axis, its numbers where they have room, its title.
std::string drawn_floor(const Canvas& canvas, const Glyphs& look, std::size_t width) {
  std::string floor = std::string(left - 1, ' ') + look.corner, numbers(width, ' ');
  std::vector<bool> marked(canvas.columns, false);
  std::size_t free_from = 0;
  for (const double tick : canvas.x.labelled_ticks()) {
    const auto column = std::min(static_cast<std::size_t>(canvas.x.position(tick)), canvas.columns - 1);
    const auto number = fmt::format("{:g}", tick);
    const auto begin = std::min(left + column - std::min(left + column, number.size() / 2), width - number.size());
    marked[column] = true;
    if (begin < free_from) continue;
    numbers.replace(begin, number.size(), number);
    free_from = begin + number.size() + 1;
  }
  for (const bool mark : marked) floor += mark ? look.mark : look.floor;
  numbers.erase(numbers.find_last_not_of(' ') + 1);
  const std::string_view title = "FLOP/B";
  return floor + '\n' + numbers + '\n' + std::string(width - title.size(), ' ') + std::string(title) + '\n';
}

}  // namespace

std::string text_plot(const Results& results, Characters characters, std::size_t width, std::size_t height) {
  constexpr std::size_t below = 4;  // title, axis, tick labels, axis title
  const auto& look = glyphs(characters);
  const auto roofs = visible_roofs(results);
  const auto [xs, ys] = ranges_of(results, roofs);
  if (xs.empty() || ys.empty()) return {};
  Canvas canvas(xs.padded(1.5, 2), ys.padded(1.5, 2), width - left, height - below);
  for (const auto& roof : roofs)
    for (const auto& [cell, depth] : trace(canvas, roof))
      canvas.cells[cell.row][cell.column] = look.levels[static_cast<std::size_t>(depth * look.levels.size())];
  const auto groups = group_by_family(results.points);
  const auto placement = place(canvas, groups);
  const auto legend = is_crowded(results.points) ? family_legend(canvas, placement, groups, width)
                                                 : cell_legend(canvas, placement, width);
  for (const auto& roof : roofs) name_roof(canvas, roof);
  return "GFLOP/s\n" + drawn_rows(canvas, look) + drawn_floor(canvas, look, width) + legend;
}

}  // namespace roofline
