#include <algorithm>

#include "bench/text/format.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/drawing/plot_style.hpp"
#include "reporters/plots/legend.hpp"

namespace roofline {
namespace {

constexpr double row_height = 17, symbol_width = 20, column_gap = 22;

struct LegendColumn {
  std::string header;
  bool numbers;
};
std::vector<LegendColumn> columns_in(const PlotUnits& units) {
  return {{"family", false}, {"kernels", true}, {units.intensity, true}, {"max " + units.compute, true},
          {"% roof", true},  {"best", false},   {"worst", false}};
}

std::string label(const Member* member) { return member ? member->label : std::string(absent); }

}  // namespace

FamilyLegend::FamilyLegend(const std::vector<FamilySummary>& families, const PlotUnits& units) : units_(units) {
  for (std::size_t f = 0; f < families.size(); ++f) {
    const auto& family = families[f];
    auto cells = cells_of(family);
    cells.push_back(label(family.best));
    cells.push_back(label(family.worst));
    const Look look = family_look(f);
    rows_.push_back({std::move(cells), look, family_class(look.hollow ? "h" : "f", f)});
  }
}

double FamilyLegend::height() const { return static_cast<double>(rows_.size() + 1) * row_height + 6; }

void FamilyLegend::draw(Svg& svg, Point corner, double width) const {
  const auto columns = columns_in(units_);
  double left = corner.x + symbol_width;
  const double head = corner.y + plot_page::text;
  const auto baseline = [&](std::size_t row) { return head + 6 + static_cast<double>(row + 1) * row_height; };
  for (std::size_t c = 0; c < std::size(columns); ++c) {
    double column = text_width(columns[c].header, plot_page::text);
    for (const auto& row : rows_)
      column = std::max(column, text_width(row.cells[c], plot_page::text) * (c == 0 ? 1.1 : 1));  // bold
    const double x = columns[c].numbers ? left + column : left;
    const auto anchor = columns[c].numbers ? Anchor::end : Anchor::start;
    svg.text({x, head}, columns[c].header, plot_page::text, "note", anchor);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      svg.text({x, baseline(r)}, rows_[r].cells[c], plot_page::text, c == 0 ? "heading" : "small", anchor);
    left += column + column_gap;
  }
  svg.line({corner.x, head + 5}, {corner.x + std::min(width, left - column_gap - corner.x), head + 5}, "rule");
  for (std::size_t r = 0; r < rows_.size(); ++r)
    svg.marker(rows_[r].look.shape, {corner.x + 8, baseline(r) - 0.36 * plot_page::text}, 4.5, rows_[r].css);
}

}  // namespace roofline
