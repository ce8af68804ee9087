#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reporters/drawing/label_placement.hpp"

namespace roofline {

enum class Anchor { start, middle, end };

/// Marker shapes, told apart at four pixels and in black and white.
enum class Shape { circle, square, triangle, diamond, down, cross };
inline constexpr int shape_count = 6;

/// Writes an SVG picture element by element. Looks come from classes of a style sheet; text is escaped here.
class Svg {
 public:
  Svg(double width, double height, std::string_view style);

  void rectangle(const Box& box, std::string_view css);
  void line(Point from, Point to, std::string_view css);
  void polyline(const std::vector<Point>& points, std::string_view css);
  /// A plain background behind a text that is written next, so that no line runs through it.
  void mask(Point at, std::string_view text, double size, Anchor anchor = Anchor::start, double degrees = 0);
  /// `at` is the base line; `degrees` turns the text clockwise around it.
  void text(Point at, std::string_view text, double size, std::string_view css, Anchor anchor = Anchor::start,
            double degrees = 0);
  /// `tooltip` is what a browser shows when the pointer rests on the marker; may be empty.
  void marker(Shape shape, Point at, double radius, std::string_view css, std::string_view tooltip = {});

  /// The whole document. `title` is for readers that cannot see it.
  std::string document(std::string_view title) const;

 private:
  double width_, height_;
  std::string style_, body_;
};

/// Escapes text and attribute values. Characters that XML forbids, control characters and bytes that are not UTF-8
/// become '?'.
std::string escape_xml(std::string_view text);

/// A page of HTML without scripts, which fetches nothing; `body` is HTML.
std::string html_frame(std::string_view title, std::string_view style, std::string_view body);

/// Width of text in pixels, for the widest of the usual sans-serif fonts: an upper estimate.
double text_width(std::string_view text, double size);

}  // namespace roofline
