#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/text/clean.hpp"
#include "bench/text/format.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/point_names.hpp"
#include "reporters/view/time_breakdown.hpp"

namespace roofline {
namespace {

constexpr double bar_height = 4, row_gap = 6, least_row = 15, heading_height = 21, result_width = 190, axis_room = 20,
                 key_height = 26;
constexpr std::size_t longest_name = 60;

struct Bar {
  std::string css, what;
  double seconds = 0;
};

struct TimeRow {
  std::string name, result;  ///< a heading has no bars
  double time = 0;
  std::vector<Bar> bars;

  double height() const {
    return bars.empty() ? heading_height : std::max(least_row, bar_height * static_cast<double>(bars.size()) + row_gap);
  }
};

/// Arithmetic, then memory from the core outwards, then the launch: the same order in every row and in the key.
std::vector<Bar> bars_of(const Results& results, const KernelPoint& point) {
  const auto account = time_breakdown(results.roofline, point);
  std::vector<Bar> bars;
  if (account.compute) bars.push_back({"fnone", "arithmetic", *account.compute});
  for (const auto level : memory_levels)
    if (const auto& seconds = account.levels[static_cast<std::size_t>(level)])
      bars.push_back({level_class("f", level), std::string(name(level)), *seconds});
  if (!bars.empty() && results.timer.empty_region > 0 && !point.is_bound())
    bars.push_back({"hnone", "launch", results.timer.empty_region});
  return bars;
}

std::vector<TimeRow> rows_of(const Results& results) {
  std::vector<TimeRow> rows;
  for (const auto& group : group_by_family(results.points)) {
    const auto before = rows.size();
    for (const auto& member : group.members) {
      const KernelPoint& point = *member.point;
      auto bars = bars_of(results, point);
      if (bars.empty() || !(point.time.median > 0) || point.rate_only) continue;
      const auto longest = std::max_element(bars.begin(), bars.end(),
                                            [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
      rows.push_back({shortened(member.label, longest_name),
                      fmt::format("{}, {} {} %", duration(point.time.median), longest->what,
                                  percent(longest->seconds / point.time.median)),
                      point.time.median, std::move(bars)});
    }
    if (rows.size() > before)
      rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(before),
                  {shortened(group.heading, longest_name), {}, 0, {}});
  }
  return rows;
}

/// Starts at a hundredth of the shortest time, because shorter bars do not bind.
LogAxis axis_of(const std::vector<TimeRow>& rows, double begin, double end) {
  LogRange range;
  for (const auto& row : rows) {
    range.include(row.time), range.include(row.time / 100);
    for (const auto& bar : row.bars)
      if (bar.seconds > row.time) range.include(bar.seconds);
  }
  range = range.padded(1.2, 1);
  return {range.low, range.high, begin, end};
}

void draw_axis(Svg& svg, const LogAxis& axis, double top, double bottom) {
  for (const double second : axis.minor_ticks())
    svg.line({axis.position(second), top}, {axis.position(second), bottom}, "minor");
  double last = axis.begin - 100;
  for (const double second : axis.decades()) {
    const double x = axis.position(second), width = text_width(duration(second), plot_page::dense_text);
    svg.line({x, top}, {x, bottom}, "grid");
    if (x - width / 2 < last + 6) continue;
    for (const double y : {top - 6, bottom + plot_page::dense_text + 4})
      svg.text({x, y}, duration(second), plot_page::dense_text, "tick", Anchor::middle);
    last = x + width / 2;
  }
}

void draw_row(Svg& svg, const LogAxis& axis, const TimeRow& row, double top) {
  const double text_base = top + row.height() / 2 + 0.36 * plot_page::dense_text;
  svg.text({plot_page::margin + (row.bars.empty() ? 0 : 10), text_base}, row.name, plot_page::dense_text,
           row.bars.empty() ? "heading" : "small");
  if (row.bars.empty()) return;
  double y = top + row_gap / 2;
  for (const auto& bar : row.bars) {
    const double right = std::max(axis.position(bar.seconds), axis.begin + 1);
    svg.rectangle({axis.begin, y, right - axis.begin, bar_height}, bar.css);
    y += bar_height;
  }
  const double at = axis.position(row.time);
  svg.line({at, top + 1}, {at, top + row.height() - 1}, "roof scompute");
  svg.text({plot_page::width - plot_page::margin, text_base}, row.result, plot_page::dense_text, "small", Anchor::end);
}

/// One mark for each kind of bar, from left to right in the order of the bars.
void draw_key(Svg& svg, const std::vector<TimeRow>& rows, double left, double base) {
  const std::vector<Bar> kinds{{"fnone", "arithmetic", 0}, {"fL1", "L1", 0},     {"fL2", "L2", 0},
                               {"fL3", "L3", 0},           {"fDRAM", "DRAM", 0}, {"hnone", "launch", 0}};
  svg.text({left, base}, "bars, from the top:", plot_page::dense_text, "note");
  left += text_width("bars, from the top:", plot_page::dense_text) + 12;
  for (const auto& kind : kinds) {
    const auto uses = [&](const TimeRow& row) {
      return std::any_of(row.bars.begin(), row.bars.end(), [&](const Bar& bar) { return bar.what == kind.what; });
    };
    if (std::none_of(rows.begin(), rows.end(), uses)) continue;
    svg.rectangle({left, base - 7, 18, 6}, kind.css);
    svg.text({left + 23, base}, kind.what, plot_page::dense_text, "small");
    left += 23 + text_width(kind.what, plot_page::dense_text) + 16;
  }
  svg.line({left + 4, base - 9}, {left + 4, base + 1}, "roof scompute");
  svg.text({left + 12, base}, "time of a launch", plot_page::dense_text, "small");
}

}  // namespace

std::string time_plot(const Results& results) {
  const auto rows = rows_of(results);
  if (rows.empty()) throw std::invalid_argument("--view=time: no row has a resource with a ceiling");
  double names = 0, heights = 0;
  for (const auto& row : rows)
    names = std::max(names, text_width(row.name, plot_page::dense_text) * 1.1 + 10), heights += row.height();
  PlotWords words{"Where the time goes: " + plot_title(results), plot_subtitle(results), {}};
  words.caption = {
      "Bars: seconds that a resource needs by itself, instructions and accesses at the ceilings of the kernel's own "
      "mix, at the rates of its probes. The longest is the roof. The ceilings do not explain a time far beyond all of "
      "them.",
      results.timer.empty_region > 0 ? "Launch: the time of an empty parallel region of all threads; a kernel with "
                                       "several regions needs it several times."
                                     : "The cost of a launch was not measured in this run."};
  const double top = plot_page::header + key_height + axis_room, bottom = top + heights;
  const double caption_top = bottom + axis_room + 8;
  auto svg = plot_page::begin(words, caption_top);
  const double left = plot_page::margin + names + 10, right = plot_page::width - plot_page::margin - result_width;
  const auto axis = axis_of(rows, left, right);
  draw_key(svg, rows, plot_page::margin, plot_page::header + 12);
  draw_axis(svg, axis, top, bottom);
  double y = top;
  for (const auto& row : rows) draw_row(svg, axis, row, y), y += row.height();
  svg.rectangle({left, top, right - left, heights}, "frame");
  return svg.document(words.title);
}

}  // namespace roofline
