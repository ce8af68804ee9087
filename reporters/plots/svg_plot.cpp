#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "bench/model/assessment.hpp"
#include "bench/result/reports.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/legend.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/plots/roofline_panel.hpp"
#include "reporters/view/families.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

using plot_page::header, plot_page::margin;

constexpr double overview_height = 620;
constexpr double plot_gap = 14;
constexpr double panel_gap = 18;

/// The layout of the small plots. In a crowded run each holds more kernels.
struct SmallPlots {
  std::size_t per_row;
  double height;
};
constexpr SmallPlots usual_plots{3, 250}, crowded_plots{3, 270};

/// Whole percents without the sign, which fit next to a marker.
std::string short_percent(const KernelPoint& point) {
  const auto& roof = point.assessment.roof;
  return roof ? fmt::format("{:.0f}", roof->efficiency * 100) : std::string();
}

PanelContent overview(const std::vector<FamilyGroup>& groups, const PlotUnits& units) {
  PanelContent content{
      "All kernels at every level: shape = family, colour = level; large, with a number: the outermost one",
      {},
      {},
      {},
      true};
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const auto& member : groups[g].members)
      if (drawable(*member.point))
        content.kernels.push_back({&member, family_look(g), std::to_string(member.number), {}});
  if (content.kernels.empty()) content.title = "Roofs";
  for (const auto level : memory_levels)
    if (std::any_of(content.kernels.begin(), content.kernels.end(),
                    [&](const auto& kernel) { return kernel.member->point->counts.intensity(level).has_value(); }))
      content.key.push_back(
          {{},
           level_class("f", level),
           units.moved + " of " + (level == MemoryLevel::DRAM ? units.memory : std::string(name(level))),
           true});
  return content;
}

/// In a profile, whose kernels are not families, the kernels that take most of the time; none if all take the same.
std::set<const KernelPoint*> slowest(const std::vector<FamilySummary>& families) {
  constexpr std::size_t most_names = 6;
  std::vector<const KernelPoint*> points;
  for (const auto& family : families)
    for (const auto& member : family.group->members)
      if (family.group->family == single_kernels && drawable(*member.point)) points.push_back(member.point);
  std::sort(points.begin(), points.end(), [](const auto* a, const auto* b) { return a->time.median > b->time.median; });
  if (points.empty() || !(points.front()->time.median > points.back()->time.median)) return {};
  points.resize(std::min(points.size(), most_names));
  return {points.begin(), points.end()};
}

/// The plot of everything, of a crowded run: families, and names for the best and the worst of each only.
PanelContent family_overview(const std::vector<FamilySummary>& families) {
  const bool judged = std::any_of(families.begin(), families.end(), [](const auto& f) { return f.best_efficiency; });
  PanelContent content{std::string("All kernels at their outermost level: colour and shape = family; named: ") +
                           (judged ? "best and worst by % of roof" : "the fastest of each"),
                       {},
                       {},
                       {},
                       true};
  std::vector<PlottedKernel> named;  // drawn last, above the others
  const auto matter = slowest(families);
  for (std::size_t f = 0; f < families.size(); ++f) {
    const Look look = family_look(f);
    for (const auto& member : families[f].group->members) {
      if (!drawable(*member.point)) continue;
      const bool chosen = &member == families[f].best || &member == families[f].worst || matter.contains(member.point);
      if (chosen)
        named.push_back({&member, look, member.label, short_percent(*member.point), f});
      else
        content.kernels.push_back({&member, look, {}, {}, f});
    }
    content.key.push_back({look, family_class(look.hollow ? "h" : "f", f), families[f].group->family});
  }
  content.kernels.insert(content.kernels.end(), named.begin(), named.end());
  return content;
}

/// A point's label without the arguments of one value in the whole plot: "collide/v0" of "collide/v0/fma:1".
std::string telling_label(const SweepPlot& plot, const Member& member) {
  std::string label;
  for (const auto& part : member.arguments) {
    const auto argument = numeric_argument(part);
    auto rest = member.arguments;
    std::erase(rest, part);
    const auto has_another = [&](const Sweep& sweep) {
      const auto other = argument_part(*sweep.members.front(), std::string(argument->key));
      return (!other.empty() && other != part) || sweep.members.front()->arguments == rest;
    };
    if (!argument || std::any_of(plot.sweeps.begin(), plot.sweeps.end(), has_another))
      label += (label.empty() ? "" : "/") + part;
  }
  return label.empty() ? member.label : label;
}

/// The points of a small plot that have names: all, or where these are too many both ends of each sweep. In a plot of
/// many more they have numbers.
enum class Names { of_all, of_ends, numbers };
Names names_in(const SweepPlot& plot) {
  constexpr std::size_t most_names = 16;
  std::size_t points = 0, ends = 0;
  for (const auto& [name, members] : plot.sweeps)
    points += members.size(), ends += std::min<std::size_t>(2, members.size());
  return points <= most_names ? Names::of_all : ends <= most_names ? Names::of_ends : Names::numbers;
}

std::string name_in(const SweepPlot& plot, const Sweep& sweep, const Member& member) {
  const auto names = names_in(plot);
  if (names == Names::numbers) return std::to_string(member.number);
  if (plot.key.empty()) return telling_label(plot, member);
  if (names == Names::of_ends && &member == sweep.members.back()) return member.label;
  const bool named = names == Names::of_all || &member == sweep.members.front();
  return named ? argument_part(member, plot.key) : std::string();
}

/// A small plot: sweeps are joined and told apart by their looks, single points carry their names.
PanelContent small_plot(const SweepPlot& plot, Look family) {
  PanelContent content{plot.title, {}, {}, {}, false};
  const bool swept = !plot.key.empty(), numbered = names_in(plot) == Names::numbers;
  for (std::size_t s = 0; s < plot.sweeps.size(); ++s) {
    const auto& sweep = plot.sweeps[s];
    const Look look = swept ? Look{static_cast<Shape>(s / 2 % shape_count), s % 2 == 1} : family;
    std::vector<std::size_t> line;
    for (const auto* const member : sweep.members) {
      line.push_back(content.kernels.size());
      const auto value = numbered ? std::string() : short_percent(*member->point);
      content.kernels.push_back({member, look, name_in(plot, sweep, *member), value});
    }
    if (swept) content.lines.push_back(line);
    if (swept && plot.sweeps.size() > 1) content.key.push_back({look, look.hollow ? "hnone" : "fnone", sweep.name});
  }
  return content;
}

/// Lines of mixes and points of another account to the kernels of a panel.
void add(const PlotAdditions& additions, const Results& results, PanelContent& content) {
  constexpr double one_line = 0.005;
  for (const auto& kernel : content.kernels) {
    const KernelPoint& point = *kernel.member->point;
    content.before.push_back(additions.before ? find_point(additions.before->points, point.name) : nullptr);
    const auto fits_pattern = [&](const std::string& pattern) { return fits_row(pattern, point.name); };
    if (std::none_of(additions.mixes.begin(), additions.mixes.end(), fits_pattern)) continue;
    const auto line = mix_line(results.roofline, point, kernel.member->label);
    if (line && std::none_of(content.mixes.begin(), content.mixes.end(),
                             [&](const RoofLine& other) { return std::abs(other.rate / line->rate - 1) < one_line; }))
      content.mixes.push_back(*line);
  }
}

/// Hundreds of numbers in a small plot say nothing.
bool is_legible(const SweepPlot& plot) { return !plot.key.empty() || plot.sweeps.size() < crowded_from; }

}  // namespace

std::string svg_plot(const Results& results) { return svg_plot(results, plot_words(results)); }

std::string svg_plot(const Results& results, const PlotAdditions& additions) {
  auto words = plot_words(results);
  words.units.walls = additions.intensities;
  if (additions.before)
    words.caption.push_back(
        "Hollow: canonical account (a division is one FLOP); filled: the account named above. An arrow is the way "
        "between them, a diagonal: rate and intensity change by the same factor.");
  if (additions.theory)
    words.caption.push_back("Dotted: the machine's rates in theory; solid: measured, with the gap in percent.");
  if (!additions.mixes.empty())
    words.caption.push_back(
        "Dashed: the rate of the units for the mix of FMA and other instructions of the named rows (alpha: FMA among "
        "FMA, MUL and ADD).");
  return svg_plot(results, words, additions);
}

std::string svg_plot(const Results& results, const PlotWords& words, const PlotAdditions& additions) {
  const auto groups = groups_to_plot(results.points);
  std::vector<PanelContent> panels;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const auto& plot : sweep_plots(groups[g])) {
      if (!is_legible(plot)) continue;
      panels.push_back(small_plot(plot, family_look(g)));
      panels.back().units = words.units;
      add(additions, results, panels.back());
    }
  const bool crowded = is_crowded(results.points);
  const auto families = crowded ? summarise(groups) : std::vector<FamilySummary>{};
  const FamilyLegend family_legend(families, words.units);
  const SmallPlots& small = crowded ? crowded_plots : usual_plots;

  // From the top: title, all kernels with their names next to them (of a crowded run their families below them), small
  // plots, names that found no room, caption.
  const Legend legend(groups, words.units);
  const double content_width = plot_page::width - 2 * margin, legend_height = overview_height + panel_bottom;
  const std::size_t columns_beside = legend.columns_in(legend_height);
  const bool beside = !crowded && columns_beside <= 2;
  const double legend_width = beside && !legend.empty() ? plot_gap + columns_beside * legend.column_width() : 0;
  const auto columns_below = std::max<std::size_t>(1, static_cast<std::size_t>(content_width / legend.column_width()));
  const double below_height = crowded ? legend.dense_height_in(columns_below) : legend.height_in(columns_below);
  const auto panel_rows = (panels.size() + small.per_row - 1) / small.per_row;
  const double panel_pitch = panel_top + small.height + panel_bottom + panel_gap;

  const Box frame{margin + panel_left, header + panel_top, content_width - panel_left - legend_width, overview_height};
  const double families_top = frame.y + frame.height + panel_bottom + panel_gap;
  const double panels_top = families_top + (crowded ? family_legend.height() + panel_gap : 0);
  const double legend_top = panels_top + static_cast<double>(panel_rows) * panel_pitch;
  const double caption_top = legend_top + (beside ? 0 : below_height);

  auto svg = plot_page::begin(words, caption_top, crowded);
  auto everything = crowded ? family_overview(families) : overview(groups, words.units);
  everything.units = words.units;
  add(additions, results, everything);
  everything.theory = additions.theory, everything.x = additions.x, everything.y = additions.y;
  for (const auto& pattern : additions.mixes)
    if (std::none_of(results.points.begin(), results.points.end(), [&](const KernelPoint& point) {
          return fits_row(pattern, point.name) && mix_line(results.roofline, point, {});
        }))
      throw std::invalid_argument(fmt::format(
          "--mix={}: no row of that name has known kinds of operations, or there are no roofs for it", pattern));
  draw_panel(svg, frame, everything, results.roofline);
  if (crowded) family_legend.draw(svg, {frame.x, families_top}, frame.width);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double pitch = content_width / static_cast<double>(small.per_row);
    const Box box{margin + static_cast<double>(i % small.per_row) * pitch + panel_left,
                  panels_top + static_cast<double>(i / small.per_row) * panel_pitch + panel_top,
                  pitch - panel_left - 12, small.height};
    draw_panel(svg, box, panels[i], results.roofline);
  }
  if (!legend.empty() && beside)
    legend.draw(svg, {frame.x + frame.width + plot_gap, frame.y - plot_page::dense_text}, columns_beside,
                legend_height);
  else if (!legend.empty())
    legend.draw(svg, {margin, legend_top}, columns_below, below_height);
  return svg.document(words.title);
}

std::string panel_plot(const Results& results, const std::string& rows, double width) {
  std::vector<KernelPoint> points;
  for (const auto& point : results.points) {
    const auto of_run = point.name.find(": ");  // several runs: "b: gpp/nw:6"
    const auto name = of_run == point.name.npos ? point.name : point.name.substr(of_run + 2);
    if (drawable(point) && (point.family == rows || fits_row(rows, name) || fits_row(rows, point.name)))
      points.push_back(point);
  }
  const auto groups = groups_to_plot(points, group_by_family(points).size() > 1);
  if (groups.empty())
    throw std::invalid_argument(fmt::format(
        "--only={}: no row with FLOPs and a time has this name or family; roofline show --all lists the rows", rows));
  constexpr std::size_t most_names = 16;
  const auto families = summarise(groups);
  PanelContent content;
  if (points.size() > most_names) {
    content = family_overview(families);
    content.title.clear();  // a paper has its own caption
  } else {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const auto& member : groups[g].members)
        content.kernels.push_back({&member, family_look(g), member.label, short_percent(*member.point)});
    content.all_roofs = true;
  }
  const double height = std::round(width * 0.66);
  Svg svg(width, height, std::string(plot_style) + std::string(family_style));
  svg.rectangle({0, 0, width, height}, "paper");
  draw_panel(svg, {panel_left, 8, width - panel_left - 10, height - 8 - panel_bottom}, content, results.roofline);
  return svg.document(plot_title(results));
}

namespace {
const ReportFile svg_file("roofline.svg", [](const Results& results) { return svg_plot(results); });
}

}  // namespace roofline
