#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/panel_drawing.hpp"

namespace roofline {

void PanelDrawing::label_roofs() {
  for (const auto* const lines : {&roofs_, &theory_, &content_.mixes})
    for (const auto& roof : *lines)
      if (const auto ends = visible(roof)) roof.level ? label_slope(roof, *ends) : label_level(roof, *ends);
}

void PanelDrawing::label_slope(const RoofLine& roof, const std::pair<Point, Point>& ends) {
  const auto label = content_.overview ? roof.label(content_.units) : roof.short_label(content_.units);
  write_along(svg_, placer_, ends.first, ends.second, label, roof.thin ? size_ - 1.5 : size_,
              "halo " + colour(roof, "t"));
}

void PanelDrawing::label_level(const RoofLine& roof, const std::pair<Point, Point>& ends) {
  const double size = roof.thin ? size_ - 1.5 : size_;
  // A line without a name would be worse than a short one between markers.
  const auto shorter = roof.short_label(content_.units);
  const auto longer = content_.overview ? roof.label(content_.units) : shorter;
  if (place_level(longer, size, 24, ends) || place_level(shorter, size - 1, 4, ends)) return;
  // A label that is longer than its line begins before it.
  place_level(shorter, size - 1, 4, {{frame_.x, ends.first.y}, ends.second});
}

bool PanelDrawing::place_level(const std::string& label, double size, double step,
                               const std::pair<Point, Point>& ends) {
  const double width = text_width(label, size);
  std::vector<std::vector<Box>> candidates;
  std::vector<Point> bases;
  for (double right = ends.second.x - 6; right - width > ends.first.x; right -= step)
    for (const double base : {ends.second.y - 4, ends.second.y + size + 2}) {
      candidates.push_back({Box{right - width, base - 0.8 * size, width, size}});
      bases.push_back({right, base});
    }
  const auto chosen = placer_.place_first(candidates);
  if (!chosen) return false;
  if (placer_.crosses_line()) svg_.mask(bases[*chosen], label, size, Anchor::end);
  svg_.text(bases[*chosen], label, size, "halo tcompute", Anchor::end);
  return true;
}

void PanelDrawing::name_levels() {
  if (content_.overview) return;
  const double size = 9;
  for (const auto& kernel : content_.kernels) {
    const KernelPoint& point = *kernel.member->point;
    std::vector<std::vector<Box>> candidates(2);
    std::vector<std::pair<MemoryLevel, Point>> spots;
    for (const auto level : memory_levels)
      if (const auto intensity = point.counts.intensity(level))
        spots.emplace_back(level, spot(*intensity, point.flop_rate()));
    if (spots.size() < 2) continue;
    // Levels at one place share one text.
    std::vector<std::pair<std::string, Point>> texts;
    for (const auto& [level, at] : spots) {
      const auto same = std::find_if(texts.begin(), texts.end(),
                                     [&, x = at.x](const auto& text) { return std::abs(text.second.x - x) < 26; });
      if (same == texts.end())
        texts.emplace_back(level_name(level), at);
      else
        same->first += " " + level_name(level);
    }
    for (const auto& [text, at] : texts) {
      const double width = text_width(text, size);
      candidates[0].push_back({at.x - width / 2, at.y + 6, width, size});
      candidates[1].push_back({at.x - width / 2, at.y - 6 - size, width, size});
    }
    const auto& row = candidates[0];
    const bool apart = std::none_of(row.begin(), row.end(), [&](const Box& box) {
      return std::any_of(row.begin(), row.end(),
                         [&](const Box& other) { return &box < &other && box.overlaps(other); });
    });
    const auto chosen = apart ? placer_.place_first(candidates) : std::nullopt;
    if (!chosen) continue;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Box& box = candidates[*chosen][i];
      const Point base{box.center().x, box.y + 0.85 * size};
      if (placer_.crosses_line()) svg_.mask(base, texts[i].first, size, Anchor::middle);
      svg_.text(base, texts[i].first, size, "halo note", Anchor::middle);
    }
    return;
  }
}

void PanelDrawing::label_kernels() {
  struct Label {
    std::string name, values;
    Point marker;
    std::string css;
  };
  constexpr double one_place = 10, gap = 6;  // pixels
  std::vector<Label> labels;
  for (const auto& kernel : content_.kernels) {
    const KernelPoint& point = *kernel.member->point;
    const auto level = outermost_level(point.counts);
    if (!level || kernel.label.empty()) continue;
    const double intensity = *point.counts.intensity(*level);
    const auto marker = spot(intensity, point.flop_rate());
    const auto same = std::find_if(labels.begin(), labels.end(), [&](const Label& other) {
      return other.name.starts_with(kernel.label) &&
             std::hypot(other.marker.x - marker.x, other.marker.y - marker.y) < one_place;
    });
    if (same != labels.end()) {
      if (!kernel.value.empty()) same->values += ", " + kernel.value;
      continue;
    }
    auto text = kernel.label;
    if (intensity > axes_.x.high) text += fmt::format(" (AI {})", significant(intensity));  // beyond the edge
    // Bytes that end nearer to the core than those of others: colour alone would say so.
    if (content_.overview && level != outermost_) text += " " + level_name(*level);
    labels.push_back(
        {text, kernel.value, marker, kernel.family ? "halo label " + family_class("t", *kernel.family) : "halo label"});
  }
  const double size = content_.overview ? 10 : 10.5;
  for (const auto& [name, values, marker, css] : labels) {
    const auto text = values.empty() ? name : name + " " + values + " %";
    write_near(svg_, placer_, marker, gap, text, size, css);
  }
}

}  // namespace roofline
