#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reporters/drawing/axes.hpp"
#include "reporters/drawing/svg.hpp"
#include "tests/xml.hpp"

namespace roofline::testing {

/// The axes of the plot of all kernels, read off the numbers at its ticks.
struct ReadAxes {
  LogAxis x, y;
  Box frame;

  explicit ReadAxes(const std::vector<xml::Element>& elements) {
    const auto rect = std::find_if(elements.begin(), elements.end(), [](auto& e) { return e.has_class("frame"); });
    frame = {rect->number("x"), rect->number("y"), rect->number("width"), rect->number("height")};
    std::vector<std::pair<double, double>> xs, ys;  // position, value
    for (auto e = elements.begin(); e != rect; ++e) {
      if (!e->has_class("tick")) continue;
      const bool below = e->attributes.at("text-anchor") == "middle";
      (below ? xs : ys).emplace_back(e->number(below ? "x" : "y"), std::stod(e->text));
    }
    // Tick numbers of the upward axis stand a third of their size below their line.
    const double shift = 0.35 * 12;
    x = {xs.front().second, xs.back().second, xs.front().first, xs.back().first};
    y = {ys.front().second, ys.back().second, ys.front().first - shift, ys.back().first - shift};
  }
};

/// The first element of a class: it belongs to the plot of all kernels, which is drawn first.
inline const xml::Element& first(const std::vector<xml::Element>& elements, std::string_view kind,
                                 std::string_view css) {
  return *std::find_if(elements.begin(), elements.end(),
                       [&](const auto& e) { return e.has_class(std::string(kind)) && e.has_class(std::string(css)); });
}

}  // namespace roofline::testing
