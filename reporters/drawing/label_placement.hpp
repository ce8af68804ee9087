#pragma once
#include <optional>
#include <vector>

namespace roofline {

/// A position in a picture: x to the right, y down.
struct Point {
  double x = 0, y = 0;
};

/// A rectangle with its upper left corner.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;

  Point center() const { return {x + width / 2, y + height / 2}; }
  bool overlaps(const Box& other) const {
    return x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height;
  }
  bool inside(const Box& outer) const {
    return x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height;
  }
  /// The point of the box nearest to `point`.
  Point nearest(Point point) const;
};

/// Finds room for labels in a picture: they never cover each other or a marker, and lines only if there is no way.
class LabelPlacer {
 public:
  explicit LabelPlacer(Box area) : area_(area) {}

  void keep_clear(const Box& box) { taken_.push_back(box); }
  void prefer_clear(const Box& box) { lines_.push_back(box); }
  /// A line that labels should rather not cross.
  void prefer_clear(Point from, Point to);

  /// The free box nearest to a marker of radius `gap`, kept clear from then on; nothing when the area is full.
  std::optional<Box> place(Point marker, double gap, double width, double height);
  /// The first of the candidates, each a chain of boxes, that is free; kept clear from then on. Returns its index.
  std::optional<std::size_t> place_first(const std::vector<std::vector<Box>>& candidates);
  /// Whether what was placed last crosses a line: it then needs a background of its own.
  bool crosses_line() const { return crosses_line_; }

 private:
  bool free(const Box& box, bool of_lines_too) const;

  Box area_;
  std::vector<Box> taken_, lines_;
  bool crosses_line_ = false;
};

/// Boxes that cover rotated text: `length` along a direction of `degrees` (clockwise) from the centre of its start.
std::vector<Box> rotated_boxes(Point start, double length, double height, double degrees);

}  // namespace roofline
