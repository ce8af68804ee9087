#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::size_t axis_width = 7;   // tick labels and axis
constexpr std::size_t axis_height = 4;  // title, axis, tick labels, axis title

/// The characters of lines. `levels` are dashes from the top of a character cell to its bottom.
struct Glyphs {
  std::vector<const char*> levels;
  const char *axis, *tick, *corner, *floor, *mark;
};

const Glyphs& glyphs(Characters characters) {
  static const Glyphs utf8{{"⎺", "⎻", "─", "⎼", "⎽"}, "│", "┤", "└", "─", "┴"};
  static const Glyphs ascii{{"'", "-", "_"}, "|", "+", "+", "-", "+"};
  return characters == Characters::utf8 ? utf8 : ascii;
}

/// A roofline of character cells with a logarithmic axis in each direction; row 0 is the top.
class TextCanvas {
 public:
  /// `width` columns and `height` lines, title, axes and their labels included.
  TextCanvas(const LogRange& intensities, const LogRange& rates, Characters characters, std::size_t width,
             std::size_t height)
      : look_(glyphs(characters)),
        columns_(width - axis_width),
        rows_(height - axis_height),
        x_{intensities.low, intensities.high, 0, static_cast<double>(columns_)},
        y_{rates.low, rates.high, static_cast<double>(rows_), 0},
        cells_(rows_, std::vector<std::string>(columns_, " ")),
        taken_(rows_, std::string(columns_, ' ')) {}

  /// Where a point lies: column, row; absent outside the ranges.
  std::optional<std::pair<std::size_t, std::size_t>> cell_of(double intensity, double rate) const {
    const double column = x_.position(intensity);
    const auto row = row_of(rate);
    if (!row || !(column >= 0) || column >= static_cast<double>(columns_)) return std::nullopt;
    return std::pair{static_cast<std::size_t>(column), row->first};
  }

  /// Writes a letter or a name of one-byte characters: no name of a roof comes there later.
  void write(std::size_t column, std::size_t row, const std::string& ascii) {
    for (std::size_t i = 0; i < ascii.size() && column + i < columns_; ++i)
      cells_[row][column + i] = ascii[i], taken_[row][column + i] = 'x';
  }

  void draw(const RoofLine& roof) {
    for (const auto& [column, row, depth] : crossings(roof))
      cells_[row][column] = look_.levels[static_cast<std::size_t>(depth * static_cast<double>(look_.levels.size()))];
  }

  /// Writes "DRAM" into the lower end of a slope, "FMA 258" into the right end of a level, where letters leave room.
  void name_roof(const RoofLine& roof) {
    const auto cells = crossings(roof);
    auto label = roof.short_label();
    std::erase(label, ':');
    const std::string text = roof.level ? roof.name : " " + label + " ";
    for (std::size_t i = 1; i + text.size() < cells.size(); ++i) {
      const auto& cell = roof.level ? cells[i] : cells[cells.size() - i - text.size()];
      if (taken_[cell.row].compare(cell.column, text.size(), std::string(text.size(), ' ')) == 0)
        return write(cell.column, cell.row, text);
    }
  }

  /// Cells and axes.
  std::vector<std::string> lines() const {
    std::map<std::size_t, double> ticks;
    for (const double tick : y_.labelled_ticks())
      if (const auto row = row_of(tick)) ticks.emplace(row->first, tick);
    std::vector<std::string> lines{"GFLOP/s"};
    for (std::size_t row = 0; row < rows_; ++row) {
      const auto tick = ticks.find(row);
      auto& line = lines.emplace_back(tick == ticks.end()
                                          ? std::string(axis_width - 1, ' ') + look_.axis
                                          : fmt::format("{:>{}g} {}", giga(tick->second), axis_width - 2, look_.tick));
      for (const auto& cell : cells_[row]) line += cell;
      line.erase(line.find_last_not_of(' ') + 1);
    }
    add_floor(lines);
    return lines;
  }

 private:
  struct Crossing {
    std::size_t column, row;
    double depth;  ///< part of the cell's height from its top
  };

  /// The row and the part of its height at which a value lies; nothing outside.
  std::optional<std::pair<std::size_t, double>> row_of(double rate) const {
    const double position = y_.position(rate);
    if (!(position >= 0) || position >= static_cast<double>(rows_)) return std::nullopt;
    const double row = std::floor(position);
    return std::pair{static_cast<std::size_t>(row), position - row};
  }

  /// The cells of the visible part of a roof.
  std::vector<Crossing> crossings(const RoofLine& roof) const {
    std::vector<Crossing> cells;
    for (std::size_t column = 0; column < columns_; ++column) {
      const double intensity = x_.value(static_cast<double>(column) + 0.5);
      if (intensity < roof.from || intensity > roof.to) continue;
      if (const auto at = row_of(roof.at(intensity))) cells.push_back({column, at->first, at->second});
    }
    return cells;
  }

  /// The horizontal axis, its numbers where they have room, its title.
  void add_floor(std::vector<std::string>& lines) const {
    const auto width = columns_ + axis_width;
    std::string floor = std::string(axis_width - 1, ' ') + look_.corner, numbers(width, ' ');
    std::vector<bool> marked(columns_, false);
    std::size_t free_from = 0;
    for (const double tick : x_.labelled_ticks()) {
      const auto column = std::min(static_cast<std::size_t>(x_.position(tick)), columns_ - 1);
      const auto number = fmt::format("{:g}", tick);
      const auto begin =
          std::min(axis_width + column - std::min(axis_width + column, number.size() / 2), width - number.size());
      marked[column] = true;
      if (begin < free_from) continue;
      numbers.replace(begin, number.size(), number);
      free_from = begin + number.size() + 1;
    }
    for (const bool mark : marked) floor += mark ? look_.mark : look_.floor;
    numbers.erase(numbers.find_last_not_of(' ') + 1);
    lines.insert(lines.end(), {floor, numbers, fmt::format("{:>{}}", "FLOP/B", width)});
  }

  const Glyphs& look_;
  std::size_t columns_, rows_;
  LogAxis x_, y_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::string> taken_;  ///< no blank: by a letter or the name of a roof
};

/// Where a kernel lies on the axis; nothing for one without traffic, FLOPs or time.
std::optional<double> intensity_of(const KernelPoint& point) {
  const auto level = outermost_level(point.counts);
  if (!level || point.counts.operations.flops() == 0 || !(point.time.median > 0)) return std::nullopt;
  return point.counts.intensity(*level);
}

/// Intensities and rates that have to be seen: all kernels, the ridge of DRAM, the compute roofs.
std::pair<LogRange, LogRange> ranges_of(const std::vector<LabelledPoint>& points, const std::vector<RoofLine>& roofs) {
  LogRange xs, ys;
  for (const auto& [label, point] : points)
    if (const auto intensity = intensity_of(*point)) xs.include(*intensity), ys.include(point->flop_rate());
  const bool roofs_alone = xs.empty();
  for (const auto& roof : roofs) {
    if (roof.level == MemoryLevel::DRAM) xs.include(roof.to), xs.include(roof.to * 8);
    if (!roof.level) ys.include(roof.rate);
    if (roofs_alone) xs.include(roof.to / 10), ys.include(roof.at(roof.to / 10));
  }
  return {xs, ys};
}

}  // namespace

std::vector<std::string> text_plot(const Results& results, const std::vector<LabelledPoint>& points,
                                   Characters characters, std::size_t width, std::size_t height) {
  constexpr std::size_t least_plot = 40, gap = 2;
  auto roofs = roof_lines(results.roofline);
  std::erase_if(roofs, [](const RoofLine& roof) { return roof.thin; });
  std::size_t longest = 0, drawn = 0;
  for (const auto& [label, point] : points)
    if (intensity_of(*point)) ++drawn, longest = std::max(longest, label.size());
  const auto [xs, ys] = ranges_of(points, roofs);
  const std::size_t columns = (drawn + height - 1) / height, column_width = longest + 2 + gap;
  if (xs.empty() || ys.empty() || width < columns * column_width + least_plot) return {};
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
  auto lines = canvas.lines();
  for (std::size_t row = 0; row < lines.size(); ++row)
    for (std::size_t i = row, at = plot_width + gap; i < legend.size(); i += height, at += column_width)
      lines[row] = fmt::format("{:<{}}{}", lines[row], at, legend[i]);
  return lines;
}

}  // namespace roofline
