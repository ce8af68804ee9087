#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reporters/comparison/outputs.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/plots/roofline_panel.hpp"

namespace roofline {
namespace {

constexpr double width = 1100, height = 680;
/// Not the colours of levels: red is DRAM and green L2.
constexpr std::string_view arrow_style =
    ".arrow{stroke-width:1.8;fill:none}.worse{stroke:#7b2cbf}.better{stroke:#00838f}.open{stroke:#777}";

KernelPoint point_of(const TimeChange& change, const Spot& place, double seconds) {
  KernelPoint point;
  point.name = change.row, point.family = change.row.substr(0, change.row.find('/'));
  point.counts.operations.add = static_cast<std::uint64_t>(std::min(place.flops, 9e18));
  if (place.level) point.counts.at(*place.level) = Traffic{place.bytes, 0};
  point.time = {seconds, seconds, seconds};
  return point;
}

const char* css_of(Verdict verdict) {
  return verdict == Verdict::worse ? "arrow worse" : verdict == Verdict::better ? "arrow better" : "arrow open";
}

}  // namespace

std::string arrows_svg(const Comparison& comparison) {
  std::vector<KernelPoint> before, after;
  std::vector<Verdict> verdicts;
  for (const auto& change : comparison.times) {
    if (!(change.before.flops > 0) || !(change.after.flops > 0) || !change.before.level || !change.after.level)
      continue;
    before.push_back(point_of(change, change.before, change.base));
    after.push_back(point_of(change, change.after, change.next));
    verdicts.push_back(comparison.findings[change.finding].verdict);
  }
  std::vector<Member> members;
  members.reserve(2 * before.size());
  PanelContent content{"Hollow: base, filled: new; violet: WORSE, teal: BETTER, grey: neither", {}, {}, {}, true};
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool decided = verdicts[i] == Verdict::worse || verdicts[i] == Verdict::better;
    members.push_back({&before[i], {}, {}, {}});
    content.kernels.push_back({&members.back(), {Shape::circle, true}, {}, {}});
    members.push_back({&after[i], {}, {}, {}});
    content.kernels.push_back({&members.back(), {Shape::circle, false}, decided ? after[i].name : std::string(), {}});
  }
  Svg svg(width, height, std::string(plot_style) + std::string(arrow_style));
  svg.rectangle({0, 0, width, height}, "paper");
  svg.text({20, 32}, "Roofline comparison", 20, "title");
  svg.text({20, 52}, headline(comparison), 12, "note");
  const Box frame{20 + panel_left, 64 + panel_top, width - 40 - panel_left, height - 84 - panel_top - panel_bottom};
  draw_panel(svg, frame, content, comparison.roofline);
  const auto axes = panel_axes(frame, content, comparison.roofline);
  const auto place = [&](const KernelPoint& point) {
    const auto level = point.counts.at(MemoryLevel::DRAM) ? MemoryLevel::DRAM : MemoryLevel::L1;
    auto intensity = point.counts.intensity(level);
    for (const auto other : memory_levels)
      if (!intensity) intensity = point.counts.intensity(other);
    const auto at = axes.at(intensity.value_or(1), point.flop_rate());
    return Point{std::clamp(at.x, frame.x, frame.x + frame.width), std::clamp(at.y, frame.y, frame.y + frame.height)};
  };
  for (std::size_t i = 0; i < before.size(); ++i)
    draw_arrow(svg, place(before[i]), place(after[i]), css_of(verdicts[i]));
  return svg.document("Roofline comparison: " + headline(comparison));
}

}  // namespace roofline
