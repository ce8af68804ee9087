#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reporters/cluster/verdicts.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/drawing/svg.hpp"

namespace roofline::cluster {
namespace {

constexpr double strip_height = 190, strip_gap = 56, left = 70;
constexpr std::size_t drawn_groups = 4, drawn_points = 400, drawn_labels = 24;

/// A node's rate relative to the median of its group, in percent of it.
struct Placed {
  const NodeVerdict* node = nullptr;
  double percent = 0;
};

std::vector<Placed> by_rate(const ClusterReport& report, std::size_t group, Part part) {
  std::vector<Placed> nodes;
  for (const auto& node : report.nodes) {
    const auto& ratio = part == Part::memory ? node.memory : node.core;
    if (node.group == group && ratio) nodes.push_back({&node, 100 * (*ratio - 1)});
  }
  std::stable_sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.percent < b.percent; });
  return nodes;
}

struct MarkerStyle {
  Shape shape;
  const char* css;
};

MarkerStyle style_of(Verdict verdict) {
  return verdict == Verdict::slow    ? MarkerStyle{Shape::down, "fDRAM"}
         : verdict == Verdict::fast  ? MarkerStyle{Shape::triangle, "fL2"}
         : verdict == Verdict::below ? MarkerStyle{Shape::square, "fL3"}
                                     : MarkerStyle{Shape::circle, "hDRAM"};
}

void draw_strip(Svg& svg, double top, const std::string& title, const std::vector<Placed>& nodes, double told_from) {
  constexpr double right = plot_page::width - plot_page::margin;
  double low = -5, high = 5;
  for (const auto& placed : nodes) low = std::min(low, placed.percent - 2), high = std::max(high, placed.percent + 2);
  const auto y = [&](double percent) { return top + strip_height * (high - percent) / (high - low); };
  const auto x = [&](std::size_t place) {
    return left + (right - left) * (static_cast<double>(place) + 0.5) / static_cast<double>(nodes.size());
  };
  svg.text({left, top - 10}, title, 12, "heading");
  const double step = high - low > 200  ? (high - low) / 10
                      : high - low > 60 ? 20
                      : high - low > 24 ? 10
                      : high - low > 12 ? 5
                                        : 2;
  for (double tick = std::ceil(low / step) * step; tick <= high; tick += step) {
    svg.line({left, y(tick)}, {right, y(tick)}, "grid");
    svg.text({left - 8, y(tick) + 4}, fmt::format("{:+.0f} %", tick), plot_page::dense_text, "tick", Anchor::end);
  }
  svg.line({left, y(-100 * told_from)}, {right, y(-100 * told_from)}, "thin sDRAM");
  std::vector<Point> curve;
  const auto stride = std::max<std::size_t>(1, nodes.size() / drawn_points);
  for (std::size_t i = 0; i < nodes.size();
       i += i + stride < nodes.size() || i + 1 == nodes.size() ? stride : nodes.size() - 1 - i)
    curve.push_back({x(i), y(nodes[i].percent)});
  svg.polyline(curve, "join scompute");
  svg.rectangle({left, top, right - left, strip_height}, "frame");
  std::size_t labels = 0;
  double last = -1e9;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& [node, percent] = nodes[i];
    if (node->verdict == Verdict::ok) continue;
    const auto [shape, css] = style_of(node->verdict);
    svg.marker(shape, {x(i), y(percent)}, 4, css,
               fmt::format("{} {} {:+.1f} %", node->node, name(node->verdict), percent));
    constexpr double room = 13;
    if (++labels > drawn_labels || x(i) - last < room) continue;
    last = x(i);
    const bool at_the_end = x(i) > right - 50;
    svg.text({x(i) + (at_the_end ? -8 : 4), y(percent) + (at_the_end ? 4 : -7)}, node->node, plot_page::dense_text,
             "label halo", at_the_end ? Anchor::end : Anchor::start, at_the_end ? 0 : -40);
  }
}

}  // namespace

std::string cluster_svg(const ClusterReport& report) {
  struct Strip {
    std::string title;
    std::vector<Placed> nodes;
    double told_from;
  };
  std::vector<Strip> strips;
  std::size_t groups = 0;
  for (std::size_t i = 0; i < report.groups.size(); ++i) {
    if (!report.groups[i].has_verdicts || ++groups > drawn_groups) continue;
    for (const auto part : all_parts)
      if (const auto& from = report.groups[i].told_from[index(part)])
        if (auto nodes = by_rate(report, i, part); !nodes.empty())
          strips.push_back({fmt::format("{}: {} nodes of group {}, {}", name(part), nodes.size(), i + 1,
                                        report.groups[i].about.title),
                            std::move(nodes), *from});
  }
  const double caption = plot_page::header + 24 + static_cast<double>(strips.size()) * (strip_height + strip_gap);
  const PlotWords words{
      "Nodes of a cluster",
      fmt::format("{} nodes, {} slow, {} suspects", report.nodes.size(), report.count(Verdict::slow),
                  report.count(Verdict::suspect)),
      {"Each node's rate relative to the median of its group, over the rows that test the part; nodes in the order of "
       "their rates. Below the dashed line a node is told from the others. Full triangles: SLOW; hollow circles: to be "
       "measured again; squares: BELOW."}};
  auto svg = plot_page::begin(words, caption);
  double top = plot_page::header + 30;
  for (const auto& [title, nodes, told_from] : strips) {
    draw_strip(svg, top, title, nodes, told_from);
    top += strip_height + strip_gap;
  }
  return svg.document("Nodes of a cluster");
}

}  // namespace roofline::cluster
