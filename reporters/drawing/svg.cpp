#include "reporters/drawing/svg.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "bench/text/clean.hpp"

namespace roofline {
namespace {

/// Corners of a shape of radius 1, of about the area of the circle.
std::vector<Point> corners(Shape shape) {
  constexpr double a = .42, b = 1.15;  // half the width and the length of a cross's arm
  switch (shape) {
    case Shape::square:
      return {{-.88, -.88}, {.88, -.88}, {.88, .88}, {-.88, .88}};
    case Shape::triangle:
      return {{0, -1.2}, {1.1, .8}, {-1.1, .8}};
    case Shape::diamond:
      return {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}};
    case Shape::down:
      return {{0, 1.2}, {1.1, -.8}, {-1.1, -.8}};
    case Shape::cross:
      return {{-a, -b}, {a, -b}, {a, -a}, {b, -a}, {b, a},   {a, a},
              {a, b},   {-a, b}, {-a, a}, {-b, a}, {-b, -a}, {-a, -a}};
    case Shape::circle:
      break;
  }
  return {};
}

}  // namespace

Svg::Svg(double width, double height, std::string_view style) : width_(width), height_(height), style_(style) {}

void Svg::rectangle(const Box& box, std::string_view css) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", css, box.x,
                 box.y, box.width, box.height);
}

void Svg::line(Point from, Point to, std::string_view css) {
  fmt::format_to(std::back_inserter(body_),
                 "<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n", css, from.x, from.y,
                 to.x, to.y);
}

void Svg::polyline(const std::vector<Point>& points, std::string_view css) {
  std::string list;
  for (const auto& point : points) list += fmt::format("{}{:.2f},{:.2f}", list.empty() ? "" : " ", point.x, point.y);
  fmt::format_to(std::back_inserter(body_), "<polyline class=\"{}\" points=\"{}\"/>\n", css, list);
}

void Svg::text(Point at, std::string_view text, double size, std::string_view css, Anchor anchor, double degrees) {
  constexpr std::array anchors{"start", "middle", "end"};
  const auto turn = degrees == 0 ? "" : fmt::format(" transform=\"rotate({:.2f} {:.2f} {:.2f})\"", degrees, at.x, at.y);
  fmt::format_to(std::back_inserter(body_),
                 "<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", css,
                 at.x, at.y, size, anchors[static_cast<std::size_t>(anchor)], turn, escape_xml(text));
}

void Svg::mask(Point at, std::string_view text, double size, Anchor anchor, double degrees) {
  const double width = text_width(text, size) + 2;
  const double left = at.x - (anchor == Anchor::end ? width : anchor == Anchor::middle ? width / 2 : 0);
  const auto turn = degrees == 0 ? "" : fmt::format(" transform=\"rotate({:.2f} {:.2f} {:.2f})\"", degrees, at.x, at.y);
  fmt::format_to(std::back_inserter(body_),
                 "<rect class=\"mask\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"{}/>\n", left,
                 at.y - 0.82 * size, width, 1.05 * size, turn);
}

void Svg::marker(Shape shape, Point at, double radius, std::string_view css, std::string_view tooltip) {
  std::string element;
  if (shape == Shape::circle) {
    element = fmt::format("<circle class=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"", css, at.x, at.y, radius);
  } else {
    std::string path;
    for (const auto& corner : corners(shape))
      path +=
          fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", at.x + radius * corner.x, at.y + radius * corner.y);
    element = fmt::format("<path class=\"{}\" d=\"{}Z\"", css, path);
  }
  if (tooltip.empty())
    body_ += element + "/>\n";
  else
    body_ += fmt::format("{}><title>{}</title></{}>\n", element, escape_xml(tooltip),
                         shape == Shape::circle ? "circle" : "path");
}

std::string Svg::document(std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n<style>\n{3}</style>\n{4}</svg>\n",
      width_, height_, escape_xml(title), style_, body_);
}

std::string html_frame(std::string_view title, std::string_view style, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n"
      "<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      escape_xml(title), style, body);
}

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text.substr(i));
    if (code == '&')
      escaped += "&amp;";
    else if (code == '<')
      escaped += "&lt;";
    else if (code == '>')
      escaped += "&gt;";
    else if (code == '"')
      escaped += "&quot;";
    else if (code == '\n' || code == '\t')
      escaped += text[i];
    else if (length == 0 || is_obeyed(text.substr(i, length)))
      escaped += '?', i += length > 1 ? length - 1 : 0;
    else
      escaped += text.substr(i, length), i += length - 1;
  }
  return escaped;
}

double text_width(std::string_view text, double size) {
  // DejaVu Sans, rounded up: in thousandths of the size.
  constexpr std::string_view narrow = "ijl.,:;|!'/()[]tfrI ", wide = "mwMW%@";
  int thousandths = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) == 0x80) continue;  // inside a UTF-8 character
    thousandths += narrow.find(c) != narrow.npos ? 400
                   : wide.find(c) != wide.npos   ? 990
                   : c >= 'A' && c <= 'Z'        ? 720
                                                 : 645;
  }
  return thousandths * size / 1000;
}

}  // namespace roofline
