#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reporters/drawing/label_placement.hpp"
#include "reporters/plots/roofline_panel.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {

/// One drawing of a panel: the state that its steps share. Axes and roofs are in roofline_panel.cpp, kernels in
/// panel_kernels.cpp, texts in panel_labels.cpp.
class PanelDrawing {
 public:
  PanelDrawing(Svg& svg, const Box& frame, const PanelContent& content, const Roofline& roofline);
  void draw();

 private:
  static std::optional<MemoryLevel> outermost_of(const PanelContent& content);
  /// Small plots have the roofs only, and of the lower ceilings those that bound one of their kernels.
  static std::vector<RoofLine> theory_of_roofs(const PanelContent& content, const std::vector<RoofLine>& roofs);
  static std::vector<RoofLine> drawn_roofs(const PanelContent& content, const Roofline& roofline);
  /// Where a marker is drawn: an intensity far beyond every ridge at the edge.
  Point spot(double intensity, double rate) const;
  void draw_axes() const;
  /// The part of a roof inside the frame, as its two ends; nothing when it lies outside.
  std::optional<std::pair<Point, Point>> visible(const RoofLine& roof) const;
  static std::string colour(const RoofLine& roof, std::string_view prefix);
  std::string level_name(MemoryLevel level) const;
  void draw_line(const RoofLine& line, const std::string& css);
  void draw_roofs();
  void draw_walls();
  void draw_before();
  void draw_lines();
  void draw_kernels();
  void draw_in_family_colour(const PlottedKernel& kernel);
  std::string tooltip(const KernelPoint& point, MemoryLevel level) const;
  /// The looks inside the plot, in the first free corner.
  void draw_key();
  void label_roofs();
  /// Along the line, above it, as near to its lower end as there is room.
  void label_slope(const RoofLine& roof, const std::pair<Point, Point>& ends);
  /// At the right end, above the line if there is room, else below or further left.
  void label_level(const RoofLine& roof, const std::pair<Point, Point>& ends);
  /// Whether there was room for it, looked for every `step` pixels from the right end.
  bool place_level(const std::string& label, double size, double step, const std::pair<Point, Point>& ends);
  /// Names the levels of one kernel where it has its marks: colour alone would not be enough.
  void name_levels();
  void label_kernels();

  Svg& svg_;
  const Box frame_;
  const PanelContent& content_;
  const Roofline& roofline_;
  const PanelAxes axes_;
  const std::vector<RoofLine> roofs_, theory_;
  LabelPlacer placer_;
  const double size_;
  const std::optional<MemoryLevel> outermost_;  ///< of all kernels
};

}  // namespace roofline
