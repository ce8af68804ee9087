#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/roofline.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/drawing/label_placement.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/view/point_names.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {

/// The mark of a kernel; its colour is the memory level.
struct Look {
  Shape shape = Shape::circle;
  bool hollow = false;
};

/// A kernel as a plot shows it: one marker per memory level at its FLOP/s, and one label.
struct PlottedKernel {
  const Member* member = nullptr;
  Look look;
  std::string label;  ///< its number or name; kernels of one label at one place share it; empty: none
  std::string value;  ///< shown after the label; may be empty
  /// Its place among the families: one marker, at its outermost level and in the colour of the family.
  std::optional<std::size_t> family = std::nullopt;
};

/// One line of the explanation inside a plot.
struct KeyEntry {
  Look look;
  std::string css;  ///< class of the marker
  std::string text;
  bool swatch = false;  ///< of a colour that marks of every shape have
};

/// The contents of one log-log plot.
struct PanelContent {
  std::string title;
  std::vector<PlottedKernel> kernels;           ///< with FLOPs and a time
  std::vector<std::vector<std::size_t>> lines;  ///< indices of kernels to join at every level
  std::vector<KeyEntry> key = {};               ///< may be empty
  /// The plot of everything: only the outermost level of a kernel is large; the axes hold every ridge point.
  bool overview = false;
  bool all_roofs = false;  ///< of a small plot: the lower ceilings too
  /// The roofs of another machine, thin, where the axes hold them too; may be null.
  const Roofline* behind = nullptr;
  PlotUnits units = {};
  bool theory = false;               ///< dotted lines for the theory of roofs that have one
  std::vector<RoofLine> mixes = {};  ///< ceilings of the mixes of some kernels, as lines
  /// The same kernels by another account, hollow, with an arrow to their marks; nulls where a kernel has none.
  std::vector<const KernelPoint*> before = {};
  LogRange x = {}, y = {};  ///< ranges of the axes; empty: wide enough for everything
};

/// The axes that hold the content: x in FLOP/B, y in FLOP/s, onto a frame of pixels.
struct PanelAxes {
  LogAxis x, y;
  Point at(double intensity, double rate) const { return {x.position(intensity), y.position(rate)}; }
};
PanelAxes panel_axes(const Box& frame, const PanelContent& content, const Roofline& roofline);

/// Draws axes, roofs, kernels and labels; tick labels and axis titles lie outside the frame, to the left and below.
void draw_panel(Svg& svg, const Box& frame, const PanelContent& content, const Roofline& roofline);

/// Room that tick labels, axis titles and the title take around a frame.
inline constexpr double panel_left = 62, panel_bottom = 42, panel_top = 24;

}  // namespace roofline
