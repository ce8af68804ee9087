#pragma once
#include <string>
#include <vector>

#include "reporters/drawing/svg.hpp"
#include "reporters/plots/roofline_panel.hpp"
#include "reporters/view/family_summary.hpp"

namespace roofline {

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
