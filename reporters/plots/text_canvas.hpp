#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reporters/drawing/axes.hpp"
#include "reporters/plots/text_plot.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {

/// A roofline of character cells with a logarithmic axis in each direction; row 0 is the top.
class TextCanvas {
 public:
  /// `width` columns and `height` lines, title, axes and their labels included.
  TextCanvas(const LogRange& intensities, const LogRange& rates, Characters characters, std::size_t width,
             std::size_t height);

  /// Where a point lies: column, row; absent outside the ranges.
  std::optional<std::pair<std::size_t, std::size_t>> cell_of(double intensity, double rate) const;
  /// Writes a letter or a name of one-byte characters: no name of a roof comes there later.
  void write(std::size_t column, std::size_t row, const std::string& ascii);
  void draw(const RoofLine& roof);
  /// Writes "DRAM" into the lower end of a slope, "FMA 258" into the right end of a level, where letters leave room.
  void name_roof(const RoofLine& roof);
  /// Cells and axes.
  std::string text() const;

 private:
  struct Glyphs;
  struct Crossing {
    std::size_t column, row;
    double depth;  ///< part of the cell's height from its top
  };
  static const Glyphs& glyphs(Characters characters);
  std::optional<std::pair<std::size_t, double>> row_of(double rate) const;
  std::vector<Crossing> crossings(const RoofLine& roof) const;
  bool is_free(std::size_t column, std::size_t row, std::size_t length) const;
  std::string rows_text() const;
  std::string floor_text() const;

  const Glyphs& look_;
  std::size_t width_, columns_, rows_;
  LogAxis x_, y_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::vector<bool>> taken_;  ///< by a letter or the name of a roof
};

}  // namespace roofline
