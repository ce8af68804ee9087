#pragma once
#include <string>
#include <utility>
#include <vector>

#include "reporters/drawing/svg.hpp"

namespace roofline {

/// What the axes of a log-log plot show.
struct PlotUnits {
  std::string x = "Arithmetic intensity [FLOP/B]", y = "Performance [GFLOP/s]";
  std::string intensity = "FLOP/B", compute = "GFLOP/s", bandwidth = "GB/s", moved = "bytes";
  /// Intensities with a name, as vertical lines below the fastest bandwidth.
  std::vector<std::pair<double, std::string>> walls = {};
};

/// The texts of a whole plot.
struct PlotWords {
  std::string title, subtitle;
  std::vector<std::string> caption;  ///< paragraphs below it
  PlotUnits units = {};
};

/// What the pictures of all views share: width, margin, room for the title, and the caption at the foot, in pixels.
namespace plot_page {

inline constexpr double width = 1280, margin = 20, header = 64, caption_row = 15.5;
/// Sizes of letters, in pixels.
inline constexpr double text = 11, dense_text = 10.5;

/// Paragraphs as lines that fit the width.
std::vector<std::string> fitted(const std::vector<std::string>& paragraphs);

/// Height of a picture whose caption begins at `caption_top`.
double height(double caption_top, const std::vector<std::string>& lines);

/// Paper, title and subtitle; the caption from `caption_top` down.
void draw(Svg& svg, const PlotWords& words, const std::vector<std::string>& lines, double caption_top);

}  // namespace plot_page

}  // namespace roofline
