#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/model/counts.hpp"
#include "reporters/drawing/svg.hpp"

namespace roofline {

/// The range and labels of a log-log plot's axes.
struct PlotUnits {
  std::string x = "Arithmetic intensity [FLOP/B]", y = "Performance [GFLOP/s]";
  std::string intensity = "FLOP/B", compute = "GFLOP/s", bandwidth = "GB/s", moved = "bytes";
  std::string memory = "DRAM";  ///< what the outermost level is called
  /// Intensities with a name, as vertical lines below the fastest bandwidth.
  std::vector<std::pair<double, std::string>> walls = {};
};

/// The texts of a whole plot.
struct PlotWords {
  std::string title, subtitle;
  std::vector<std::string> caption;  ///< paragraphs below it
  PlotUnits units = {};
};

/// The common layout of all views: width, margin, room for the title, and the caption at the foot, in pixels.
namespace plot_page {

inline constexpr double width = 1280, margin = 20, header = 64, caption_row = 15.5;
/// Sizes of letters, in pixels.
inline constexpr double text = 11, dense_text = 10.5;

/// A picture with paper, title, subtitle, and the caption from `caption_top` down; `families`: with their colours, too.
Svg begin(const PlotWords& words, double caption_top, bool families = false);

}  // namespace plot_page

/// Writes a text where there is room next to a marker of radius `gap`, with a line to it from afar. False: there is
/// none within `farthest` pixels.
bool write_near(Svg& svg, LabelPlacer& placer, Point marker, double gap, const std::string& text, double size,
                const std::string& css, double farthest = 1e9);

/// A line with two barbs at its end; nothing where the places are one.
void draw_arrow(Svg& svg, Point from, Point to, std::string_view css);

/// Writes a text along a line, as near to its begin as there is room, above it or below.
void write_along(Svg& svg, LabelPlacer& placer, Point from, Point to, const std::string& text, double size,
                 const std::string& css);

/// The style sheet of all plots. Levels have the colours of the published ones: L1 blue, L2 green, L3 orange, DRAM red.
extern const std::string_view plot_style;

/// Additions for plots that distinguish families: six colours that no level has.
extern const std::string_view family_style;

/// Class of a level: prefix "s" for strokes, "t" for text, "f" for filled and "h" for hollow markers, then its name.
std::string level_class(std::string_view prefix, MemoryLevel level);

/// Class of a family by its place among the families, with the same prefixes but "s".
std::string family_class(std::string_view prefix, std::size_t family);

}  // namespace roofline
