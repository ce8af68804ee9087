#include "reporters/plots/legend.hpp"

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "bench/text/table.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/view/explain.hpp"

namespace roofline {
namespace {

constexpr double wide_row = 15.5, dense_row = 13;
constexpr std::size_t header_rows = 2;
constexpr double number_width = 26, rate_width = 74, percent_width = 52, legend_gap = 12, mark_gap = 6;

constexpr double row_height = 17, symbol_width = 20, column_gap = 22;

std::string label(const Member* member) { return member ? member->label : std::string(absent); }

}  // namespace

Look family_look(std::size_t family) {
  return {static_cast<Shape>(family % shape_count), family / shape_count % 2 == 1};
}

Legend::Legend(const std::vector<FamilyGroup>& groups, const PlotUnits& units)
    : rate_(units.compute), bytes_rate_(units.bandwidth) {
  double names = 60;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const auto& member : groups[g].members) bounds_ = bounds_ || member.point->is_bound();
    rows_.push_back({{}, groups[g].heading, {}, {}, {}, family_look(g)});
    names = std::max(names,
                     text_width(groups[g].heading, plot_page::dense_text) * 1.1 - rate_width - percent_width);  // bold
    for (const auto& member : groups[g].members) {
      const KernelPoint& point = *member.point;
      const auto& assessment = point.assessment;
      const auto level = reported_level(point, assessment);
      const auto bytes_rate = level ? bandwidth(point, *level) : std::nullopt;
      std::string rate = significant(giga(point.flop_rate()));
      if (point.counts.operations.flops() == 0)
        rate = bytes_rate ? significant(giga(*bytes_rate)) + " " + bytes_rate_ : std::string(absent);
      std::string share(absent);
      if (point.is_bound())
        share = point.bound_by->level == MemoryLevel::DRAM ? units.memory : name(*point.bound_by);
      else if (assessment.roof)
        share = percent(assessment.roof->efficiency);
      const auto marks = std::string(contradicts(point) ? "!" : "");
      rows_.push_back({std::to_string(member.number), member.label, marks, rate, share, {}});
      names = std::max(names, text_width(member.label, plot_page::dense_text) +
                                  (marks.empty() ? 0 : mark_gap + text_width(marks, plot_page::dense_text)));
    }
  }
  column_width_ = number_width + names + rate_width + percent_width + legend_gap;
}

std::size_t Legend::columns_in(double height) const {
  const auto fitting = static_cast<std::size_t>(std::max(height / dense_row - header_rows, 1.0));
  return (rows_.size() + fitting - 1) / fitting;
}

double Legend::height_in(std::size_t columns) const {
  return static_cast<double>((rows_.size() + columns - 1) / columns + header_rows) * wide_row;
}

double Legend::dense_height_in(std::size_t columns) const { return height_in(columns) * dense_row / wide_row; }

std::vector<Legend::Row> Legend::without_widows(std::size_t columns) const {
  auto rows = rows_;
  for (std::size_t column = 1; column < columns; ++column) {
    // A row more can make the columns longer and move their feet.
    const std::size_t per_column = (rows.size() + columns - 1) / columns, last = column * per_column - 1;
    if (last + 1 < rows.size() && rows[last].number.empty() && !rows[last].name.empty())
      rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(last), Row{}), column = 0;
  }
  return rows;
}

void Legend::draw(Svg& svg, Point corner, std::size_t columns, double height) const {
  const auto rows = without_widows(columns);
  const std::size_t per_column = (rows.size() + columns - 1) / columns;
  const double pitch = std::min(wide_row, height / static_cast<double>(per_column + header_rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double left = corner.x + static_cast<double>(i / per_column) * column_width_;
    const double right = left + column_width_ - legend_gap, rate_right = right - percent_width;
    const double y = corner.y + static_cast<double>(i % per_column + header_rows) * pitch;
    if (i % per_column == 0) {
      svg.text({rate_right, corner.y + plot_page::dense_text}, rate_, plot_page::dense_text, "note", Anchor::end);
      svg.text({right, corner.y + plot_page::dense_text}, bounds_ ? "bound" : "% roof", plot_page::dense_text, "note",
               Anchor::end);
      svg.line({left, corner.y + plot_page::dense_text + 3}, {right, corner.y + plot_page::dense_text + 3}, "rule");
    }
    const Row& row = rows[i];
    if (row.number.empty() && row.name.empty()) continue;
    if (row.number.empty()) {
      svg.marker(row.look.shape, {left + 8, y - 0.36 * plot_page::dense_text}, 4, row.look.hollow ? "hnone" : "fnone");
      svg.text({left + 18, y}, row.name, plot_page::dense_text, "heading");
      continue;
    }
    svg.text({left + number_width - 5, y}, row.number, plot_page::dense_text, "note", Anchor::end);
    svg.text({left + number_width, y}, row.name, plot_page::dense_text, "small");
    if (!row.marks.empty())
      svg.text({left + number_width + text_width(row.name, plot_page::dense_text) + mark_gap, y}, row.marks,
               plot_page::dense_text, "note");
    svg.text({rate_right, y}, row.rate, plot_page::dense_text, "small", Anchor::end);
    svg.text({right, y}, row.percent, plot_page::dense_text, "small", Anchor::end);
  }
}

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
  const auto columns =
      table_columns("<family|kernels|" + units_.intensity + "|max " + units_.compute + "|% roof|<best|<worst");
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
