#include <fmt/format.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/panel_drawing.hpp"

namespace roofline {

void PanelDrawing::draw_lines() {
  for (const auto& line : content_.lines)
    for (const auto level : memory_levels) {
      std::vector<Point> points;
      for (const auto index : line) {
        const KernelPoint& point = *content_.kernels[index].member->point;
        if (const auto intensity = point.counts.intensity(level)) points.push_back(spot(*intensity, point.flop_rate()));
      }
      if (points.size() < 2) continue;
      svg_.polyline(points, "join " + level_class("s", level));
      for (std::size_t i = 1; i < points.size(); ++i) placer_.prefer_clear(points[i - 1], points[i]);
    }
}

void PanelDrawing::draw_before() {
  for (std::size_t i = 0; i < content_.before.size(); ++i) {
    const auto* const before = content_.before[i];
    const KernelPoint& after = *content_.kernels[i].member->point;
    const auto level = outermost_level(after.counts);
    if (!before || !level || before->flop_rate() == after.flop_rate()) continue;
    const auto from = spot(*before->counts.intensity(*level), before->flop_rate()),
               to = spot(*after.counts.intensity(*level), after.flop_rate());
    draw_arrow(svg_, from, to, "account");
    placer_.prefer_clear(from, to);
    constexpr double radius = 4;
    svg_.marker(content_.kernels[i].look.shape, from, radius, level_class("h", *level), tooltip(*before, *level));
    placer_.keep_clear({from.x - radius - 1, from.y - radius - 1, 2 * radius + 2, 2 * radius + 2});
  }
}

void PanelDrawing::draw_kernels() {
  for (const auto& kernel : content_.kernels) {
    if (kernel.family) {
      draw_in_family_colour(kernel);
      continue;
    }
    const KernelPoint& point = *kernel.member->point;
    const double flops = static_cast<double>(point.counts.operations.flops());
    const auto main_level = outermost_level(point.counts);
    std::vector<Point> levels;
    for (const auto level : memory_levels)
      if (const auto intensity = point.counts.intensity(level)) levels.push_back(spot(*intensity, point.flop_rate()));
    if (!content_.overview && content_.lines.empty() && levels.size() > 1) {
      svg_.line(levels.front(), levels.back(), "levels");
      placer_.prefer_clear(levels.front(), levels.back());
    }
    for (const auto level : memory_levels) {
      const auto intensity = point.counts.intensity(level);
      if (!intensity) continue;
      const auto at = spot(*intensity, point.flop_rate());
      const bool main = level == main_level;
      const double radius = content_.overview ? (main ? 4.6 : 3.2) : (main ? 4.2 : 3.2);
      const auto inside = [&](double y) { return std::clamp(y, frame_.y, frame_.y + frame_.height); };
      const double top = inside(axes_.y.position(flops / point.time.low)),
                   bottom = inside(axes_.y.position(flops / point.time.high));
      if (main && point.time.low > 0 && bottom - top > 2 * radius) {
        svg_.line({at.x, top}, {at.x, bottom}, "bar " + level_class("s", level));
        placer_.prefer_clear({at.x, top}, {at.x, bottom});
      }
      // A modelled interval of bytes is one of intensities.
      if (const auto& range = point.counts.range[static_cast<std::size_t>(level)]; range && range->low > 0) {
        const auto across = [&](double bytes) {
          return std::clamp(axes_.x.position(flops / bytes), frame_.x, frame_.x + frame_.width);
        };
        const double left = across(range->high), right = across(range->low);
        if (right - left > 2 * radius && (main || !content_.overview)) {
          svg_.line({left, at.y}, {right, at.y}, "bar " + level_class("s", level));
          placer_.prefer_clear({left, at.y}, {right, at.y});
        }
      }
      std::string css = kernel.look.hollow ? level_class("h", level) : level_class("f", level);
      if (content_.overview && !main) css += " faint";
      svg_.marker(kernel.look.shape, at, radius, css, tooltip(point, level));
      const Box box{at.x - radius - 1, at.y - radius - 1, 2 * radius + 2, 2 * radius + 2};
      main || !content_.overview ? placer_.keep_clear(box) : placer_.prefer_clear(box);
    }
  }
}

void PanelDrawing::draw_in_family_colour(const PlottedKernel& kernel) {
  const KernelPoint& point = *kernel.member->point;
  const auto level = outermost_level(point.counts);
  if (!level) return;
  const auto at = spot(*point.counts.intensity(*level), point.flop_rate());
  const bool chosen = !kernel.label.empty();
  const double radius = chosen ? 5 : 3.8;
  const auto css = family_class(kernel.look.hollow ? "h" : "f", *kernel.family) + (chosen ? " chosen" : "");
  svg_.marker(kernel.look.shape, at, radius, css, tooltip(point, *level));
  placer_.keep_clear({at.x - radius - 1, at.y - radius - 1, 2 * radius + 2, 2 * radius + 2});
}

std::string PanelDrawing::tooltip(const KernelPoint& point, MemoryLevel level) const {
  const auto& assessment = point.assessment;
  const auto& units = content_.units;
  auto text = fmt::format("{}: {} {}, {} {} at {}", point.name, significant(giga(point.flop_rate())), units.compute,
                          significant(point.counts.intensity(level)), units.intensity, level_name(level));
  if (assessment.roof)
    text += fmt::format(", {} % of its roof ({})", percent(assessment.roof->efficiency), name(assessment.roof->bound));
  return text;
}

void PanelDrawing::draw_key() {
  if (content_.key.empty()) return;
  const double row = size_ + 5, height = row * static_cast<double>(content_.key.size()) + 4;
  double width = 0;
  for (const auto& entry : content_.key) width = std::max(width, text_width(entry.text, size_) + 24);
  const double left = frame_.x + 6, right = frame_.x + frame_.width - 6 - width, top = frame_.y + 6,
               bottom = frame_.y + frame_.height - 6 - height;
  const std::vector<Box> corners{{right, bottom, width, height},
                                 {left, top, width, height},
                                 {left, bottom, width, height},
                                 {right, top, width, height}};
  const auto corner = placer_.place_first({{corners[0]}, {corners[1]}, {corners[2]}, {corners[3]}});
  if (!corner) return;
  const Box& box = corners[*corner];
  svg_.rectangle(box, "key");
  double y = box.y + row - 2;
  for (const auto& entry : content_.key) {
    if (entry.swatch)
      svg_.rectangle({box.x + 5, y - 0.36 * size_ - 3, 11, 6}, entry.css);
    else
      svg_.marker(entry.look.shape, {box.x + 10, y - 0.36 * size_}, 4, entry.css);
    svg_.text({box.x + 20, y}, entry.text, size_, "small");
    y += row;
  }
}

}  // namespace roofline
