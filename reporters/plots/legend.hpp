#pragma once
#include <string>
#include <vector>

#include "bench/model/roofline.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/plots/roofline_panel.hpp"
#include "reporters/view/families.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {

/// The look of a family in the plot of all kernels, by its place among the families.
Look family_look(std::size_t family);

/// The table next to a plot that names every point: number, name and marks, GFLOP/s (GB/s without FLOPs) and percent of
/// the roof.
class Legend {
 public:
  explicit Legend(const std::vector<FamilyGroup>& groups, const PlotUnits& units = {});

  bool empty() const { return rows_.empty(); }
  double column_width() const { return column_width_; }
  /// Columns it takes in a height, its rows as dense as they may be.
  std::size_t columns_in(double height) const;
  /// Height it takes in a number of columns, its rows as wide as they should be.
  double height_in(std::size_t columns) const;
  /// The same, its rows as dense as they may be.
  double dense_height_in(std::size_t columns) const;
  /// Draws it from the upper left corner, in rows as wide as the height allows.
  void draw(Svg& svg, Point corner, std::size_t columns, double height) const;

 private:
  struct Row;
  /// The rows, an empty one before a heading that would be the last of its column.
  std::vector<Row> without_widows(std::size_t columns) const;

  struct Row {
    std::string number, name, marks, rate, percent;
    Look look;  ///< of a family's heading, which has no number
  };

  std::vector<Row> rows_;
  std::string rate_, bytes_rate_;  ///< units
  double column_width_ = 0;
  bool bounds_ = false;  ///< for a modelled run, the binding resource replaces the percentage
};

/// The table below a plot that shows families: one row for each, with its mark, its extent, its best and worst kernel.
class FamilyLegend {
 public:
  explicit FamilyLegend(const std::vector<FamilySummary>& families, const PlotUnits& units = {});

  double height() const;
  void draw(Svg& svg, Point corner, double width) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Look look;
    std::string css;
  };

  std::vector<Row> rows_;
  PlotUnits units_;
};

}  // namespace roofline
