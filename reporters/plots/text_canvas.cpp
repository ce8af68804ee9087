#include "reporters/plots/text_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "bench/text/format.hpp"

namespace roofline {
namespace {

constexpr std::size_t left = 7;   // tick labels and axis
constexpr std::size_t below = 4;  // title, axis, tick labels, axis title

}  // namespace

/// What lines are made of. `levels` are dashes from the top of a character cell to its bottom.
struct TextCanvas::Glyphs {
  std::vector<const char*> levels;
  const char *axis, *tick, *corner, *floor, *mark;
};

const TextCanvas::Glyphs& TextCanvas::glyphs(Characters characters) {
  static const Glyphs utf8{{"⎺", "⎻", "─", "⎼", "⎽"}, "│", "┤", "└", "─", "┴"};
  static const Glyphs ascii{{"'", "-", "_"}, "|", "+", "+", "-", "+"};
  return characters == Characters::utf8 ? utf8 : ascii;
}

TextCanvas::TextCanvas(const LogRange& intensities, const LogRange& rates, Characters characters, std::size_t width,
                       std::size_t height)
    : look_(glyphs(characters)),
      width_(width),
      columns_(width - left),
      rows_(height - below),
      x_{intensities.low, intensities.high, 0, static_cast<double>(columns_)},
      y_{rates.low, rates.high, static_cast<double>(rows_), 0},
      cells_(rows_, std::vector<std::string>(columns_, " ")),
      taken_(rows_, std::vector<bool>(columns_, false)) {}

std::optional<std::pair<std::size_t, std::size_t>> TextCanvas::cell_of(double intensity, double rate) const {
  const double column = x_.position(intensity);
  const auto row = row_of(rate);
  if (!row || !(column >= 0) || column >= static_cast<double>(columns_)) return std::nullopt;
  return std::pair{static_cast<std::size_t>(column), row->first};
}

void TextCanvas::write(std::size_t column, std::size_t row, const std::string& ascii) {
  for (std::size_t i = 0; i < ascii.size() && column + i < columns_; ++i) {
    cells_[row][column + i] = ascii[i];
    taken_[row][column + i] = true;
  }
}

void TextCanvas::draw(const RoofLine& roof) {
  for (const auto& [column, row, depth] : crossings(roof))
    cells_[row][column] = look_.levels[static_cast<std::size_t>(depth * static_cast<double>(look_.levels.size()))];
}

void TextCanvas::name_roof(const RoofLine& roof) {
  const auto cells = crossings(roof);
  auto label = roof.short_label();
  std::erase(label, ':');
  const std::string text = roof.level ? roof.name : " " + label + " ";
  for (std::size_t i = 1; i + text.size() < cells.size(); ++i) {
    const auto& cell = roof.level ? cells[i] : cells[cells.size() - i - text.size()];
    if (!is_free(cell.column, cell.row, text.size())) continue;
    write(cell.column, cell.row, text);
    return;
  }
}

std::string TextCanvas::text() const { return "GFLOP/s\n" + rows_text() + floor_text(); }

/// The row and the part of its height at which a value lies; nothing outside.
std::optional<std::pair<std::size_t, double>> TextCanvas::row_of(double rate) const {
  const double position = y_.position(rate);
  if (!(position >= 0) || position >= static_cast<double>(rows_)) return std::nullopt;
  const double row = std::floor(position);
  return std::pair{static_cast<std::size_t>(row), position - row};
}

/// The cells of the visible part of a roof.
std::vector<TextCanvas::Crossing> TextCanvas::crossings(const RoofLine& roof) const {
  std::vector<Crossing> cells;
  for (std::size_t column = 0; column < columns_; ++column) {
    const double intensity = x_.value(static_cast<double>(column) + 0.5);
    if (intensity < roof.from || intensity > roof.to) continue;
    if (const auto at = row_of(roof.at(intensity))) cells.push_back({column, at->first, at->second});
  }
  return cells;
}

bool TextCanvas::is_free(std::size_t column, std::size_t row, std::size_t length) const {
  for (std::size_t i = column; i < column + length; ++i)
    if (i >= columns_ || taken_[row][i]) return false;
  return true;
}

/// The cells with the vertical axis.
std::string TextCanvas::rows_text() const {
  std::map<std::size_t, double> ticks;
  for (const double tick : y_.labelled_ticks())
    if (const auto row = row_of(tick)) ticks.emplace(row->first, tick);
  std::string text;
  for (std::size_t row = 0; row < rows_; ++row) {
    const auto tick = ticks.find(row);
    std::string line = tick == ticks.end() ? std::string(left - 1, ' ') + look_.axis
                                           : fmt::format("{:>{}g}", giga(tick->second), left - 2) + " " + look_.tick;
    for (const auto& cell : cells_[row]) line += cell;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

/// The horizontal axis, its numbers where they have room, its title.
std::string TextCanvas::floor_text() const {
  std::string floor = std::string(left - 1, ' ') + look_.corner, numbers(width_, ' ');
  std::vector<bool> marked(columns_, false);
  std::size_t free_from = 0;
  for (const double tick : x_.labelled_ticks()) {
    const auto column = std::min(static_cast<std::size_t>(x_.position(tick)), columns_ - 1);
    const auto number = fmt::format("{:g}", tick);
    const auto begin = std::min(left + column - std::min(left + column, number.size() / 2), width_ - number.size());
    marked[column] = true;
    if (begin < free_from) continue;
    numbers.replace(begin, number.size(), number);
    free_from = begin + number.size() + 1;
  }
  for (const bool mark : marked) floor += mark ? look_.mark : look_.floor;
  numbers.erase(numbers.find_last_not_of(' ') + 1);
  const std::string_view title = "FLOP/B";
  return floor + '\n' + numbers + '\n' + std::string(width_ - title.size(), ' ') + std::string(title) + '\n';
}

}  // namespace roofline
