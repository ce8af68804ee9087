#include "reporters/drawing/label_placement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace roofline {
namespace {

constexpr double step = 4;  // pixels between candidates, and between the boxes that stand for a line

/// Right first, then up and down, then left: the order in which directions look natural next to a marker.
constexpr std::array<double, 16> directions{0,   -45, 45,  -90, 90,   180, -135, 135,
                                            -22, 22,  -67, 67,  -112, 112, -157, 157};

}  // namespace

Point Box::nearest(Point point) const {
  return {std::clamp(point.x, x, x + width), std::clamp(point.y, y, y + height)};
}

void LabelPlacer::prefer_clear(Point from, Point to) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const int boxes = std::max(1, static_cast<int>(length / step));
  for (int i = 0; i <= boxes; ++i) {
    const double t = static_cast<double>(i) / boxes;
    prefer_clear(Box{from.x + t * (to.x - from.x) - 1, from.y + t * (to.y - from.y) - 1, 2, 2});
  }
}

bool LabelPlacer::free(const Box& box, bool of_lines_too) const {
  const auto overlapping = [&](const Box& other) { return box.overlaps(other); };
  return box.inside(area_) && std::none_of(taken_.begin(), taken_.end(), overlapping) &&
         (!of_lines_too || std::none_of(lines_.begin(), lines_.end(), overlapping));
}

std::optional<Box> LabelPlacer::place(Point marker, double gap, double width, double height) {
  constexpr double near = 64;  // pixels a label may move away to keep off the lines
  const double far = std::hypot(area_.width, area_.height);
  for (const bool of_lines_too : {true, false})
    for (double distance = gap; distance < (of_lines_too ? near : far); distance += step)
      for (const double degrees : directions) {
        const double angle = degrees * std::numbers::pi / 180, dx = std::cos(angle), dy = std::sin(angle);
        const Box box{marker.x + dx * (distance + width / 2) - width / 2,
                      marker.y + dy * (distance + height / 2) - height / 2, width, height};
        if (!free(box, of_lines_too)) continue;
        keep_clear(box);
        crosses_line_ = !of_lines_too;
        return box;
      }
  return std::nullopt;
}

std::optional<std::size_t> LabelPlacer::place_first(const std::vector<std::vector<Box>>& candidates) {
  for (const bool of_lines_too : {true, false})
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto& boxes = candidates[i];
      if (!std::all_of(boxes.begin(), boxes.end(), [&](const Box& box) { return free(box, of_lines_too); })) continue;
      for (const auto& box : boxes) keep_clear(box);
      crosses_line_ = !of_lines_too;
      return i;
    }
  return std::nullopt;
}

std::vector<Box> rotated_boxes(Point start, double length, double height, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const int count = std::max(1, static_cast<int>(std::ceil(length / (height / 2))));
  std::vector<Box> boxes;
  for (int i = 0; i <= count; ++i) {
    const double along = length * i / count;
    boxes.push_back({start.x + along * std::cos(angle) - height / 2, start.y + along * std::sin(angle) - height / 2,
                     height, height});
  }
  return boxes;
}

}  // namespace roofline
