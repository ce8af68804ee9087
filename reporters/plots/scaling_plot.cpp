#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/plots/roofline_panel.hpp"
#include "reporters/view/families.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

constexpr double panel_height = 380, chart_gap = 18;
constexpr std::size_t per_row = 2;

void sort_and_check(std::vector<Results>& runs) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const auto& a, const auto& b) { return a.roofline.threads() < b.roofline.threads(); });
  for (std::size_t i = 1; i < runs.size(); ++i)
    if (runs[i].roofline.threads() == runs[i - 1].roofline.threads())
      throw std::invalid_argument(fmt::format("--view=scaling: two files with {}; it joins runs of different --threads",
                                              threads_text(runs[i].roofline.threads())));
  for (auto& run : runs) {
    std::erase_if(run.points, [&](const KernelPoint& p) {
      return p.threads != run.roofline.threads() || p.counts.operations.flops() == 0 || !(p.time.median > 0) ||
             !outermost_level(p.counts);
    });
    // Where the line of its kernel goes.
    for (auto& point : run.points) point = at_level(point, *outermost_level(point.counts));
  }
}

/// The roofs of the most threads at the levels where kernels end, and as thin lines those of the others.
Roofline roofs_of(const std::vector<Results>& runs) {
  std::set<MemoryLevel> used;
  for (const auto& run : runs)
    for (const auto& point : run.points) used.insert(*outermost_level(point.counts));
  std::vector<Ceiling> ceilings;
  for (const auto& run : runs) {
    const bool most = &run == &runs.back();
    const auto add = [&](const Ceiling* roof, std::string_view what) {
      if (!roof) return;
      ceilings.push_back(*roof);
      if (most) return;
      ceilings.back().label = fmt::format("{}, {}", what, threads_text(run.roofline.threads()));
      ceilings.back().external = true;  // shown, never the roof of the others
    };
    add(run.roofline.compute(Operation::fma), "FMA");
    for (const auto level : memory_levels)
      if (used.contains(level)) add(run.roofline.bandwidth(level), name(level));
  }
  return Roofline(std::move(ceilings), runs.back().roofline.threads());
}

/// Speed-up between the fewest and the most threads of a kernel / the ratio of the threads, in whole percent.
std::string parallel_efficiency(const KernelPoint& few, const KernelPoint& many) {
  return fmt::format("{:.0f}", 100 * many.flop_rate() / few.flop_rate() * few.threads / many.threads);
}

/// A plot of more lines than names have room in names those that scale best and worst.
void name_extremes(PanelContent& content) {
  constexpr std::size_t most_names = 14;
  if (content.lines.size() <= most_names) return;
  std::vector<PlottedKernel*> ends;
  for (const auto& line : content.lines) ends.push_back(&content.kernels[line.back()]);
  std::stable_sort(ends.begin(), ends.end(),
                   [](const auto* a, const auto* b) { return std::stoi(a->value) > std::stoi(b->value); });
  for (std::size_t i = most_names / 2; i + most_names / 2 < ends.size(); ++i) ends[i]->label.clear();
  content.title += ": named are the " + std::to_string(most_names) + " that scale best and worst";
}

/// The plot of a family; the members that it shows are kept in `members`.
PanelContent trajectories(const FamilyGroup& group, const std::vector<Results>& runs, std::deque<Member>& members) {
  PanelContent content{group.heading, {}, {}};
  content.all_roofs = true;
  for (const auto& member : group.members) {
    std::vector<std::size_t> line;
    const KernelPoint* fewest = nullptr;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const auto* const point = find_point(runs[r].points, member.point->name);
      if (!point) continue;
      if (!fewest) fewest = point;
      members.push_back(member);
      members.back().point = point;
      line.push_back(content.kernels.size());
      content.kernels.push_back({&members.back(), {static_cast<Shape>(r % shape_count)}, {}, {}});
    }
    if (line.size() < 2) {
      content.kernels.resize(content.kernels.size() - line.size());
      continue;
    }
    auto& last = content.kernels.back();
    last.label = member.label.empty() ? group.heading : member.label;
    last.value = parallel_efficiency(*fewest, *last.member->point);
    content.lines.push_back(std::move(line));
  }
  name_extremes(content);
  for (std::size_t r = 0; r < runs.size(); ++r)
    content.key.push_back({{static_cast<Shape>(r % shape_count)}, "fnone", threads_text(runs[r].roofline.threads())});
  return content;
}

}  // namespace

std::string scaling_plot(std::vector<Results> runs) {
  if (runs.size() < 2)
    throw std::invalid_argument("--view=scaling: give the run.json of two or more runs with different --threads");
  sort_and_check(runs);
  const auto roofs = roofs_of(runs);
  std::deque<Member> members;
  std::vector<PanelContent> panels;
  const auto groups = groups_to_plot(runs.back().points);
  for (const auto& group : groups)
    if (auto panel = trajectories(group, runs, members); !panel.lines.empty()) panels.push_back(std::move(panel));
  if (panels.empty())
    throw std::invalid_argument("--view=scaling: no kernel with FLOPs and bytes is in two of the files");

  PlotWords words{"Scaling: " + plot_title(runs.back()), plot_subtitle(runs.back()), {}};
  words.caption = {
      "One line per kernel, from few threads to many, at its outermost level. Straight up: it scales at the same "
      "intensity; to the left: more bytes per FLOP with more threads, a shared cache that no longer suffices.",
      "Full lines: roofs of the most threads; broken lines: roofs of the others. %: speed-up from the fewest to the "
      "most threads of a kernel / the ratio of the threads."};
  const double pitch = panel_top + panel_height + panel_bottom + chart_gap;
  const double caption_top = plot_page::header + static_cast<double>((panels.size() + per_row - 1) / per_row) * pitch;
  auto svg = plot_page::begin(words, caption_top);
  const double width = (plot_page::width - 2 * plot_page::margin) / per_row;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double left = plot_page::margin + static_cast<double>(i % per_row) * width + panel_left;
    const double top = plot_page::header + static_cast<double>(i / per_row) * pitch + panel_top;
    draw_panel(svg, {left, top, width - panel_left - 12, panel_height}, panels[i], roofs);
  }
  return svg.document(words.title);
}

}  // namespace roofline
