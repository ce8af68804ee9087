#include <gtest/gtest.h>

#include <stdexcept>

#include "bench/result/flop_convention.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/point_names.hpp"
#include "tests/example_results.hpp"
#include "tests/reporters/read_axes.hpp"

namespace roofline::svg_plot_additions_test {
namespace {

using testing::first, testing::ReadAxes;
using xml::count_class, xml::has_text;

TEST(SvgPlotAdditions, TheCeilingOfAMixIsALineAtItsRate) {
  const auto results = example::results(false);
  const std::string row = "gpp/nw:6/fma:1/stride:1";
  const auto elements = xml::parse(svg_plot(results, PlotAdditions{.mixes = {row}}));
  const ReadAxes axes(elements);
  const auto line = std::find_if(elements.begin(), elements.end(), [](const auto& e) { return e.has_class("mix"); });
  ASSERT_NE(line, elements.end());
  const auto& counts = find_point(results.points, row)->counts;
  const double rate = results.roofline.compute_mix(counts.operations, counts.precision)->rate * 1e-9;
  for (const auto* const end : {"y1", "y2"}) EXPECT_NEAR(axes.y.value(line->number(end)) / rate, 1, 2e-3);
  EXPECT_TRUE(has_text(elements, "mix of nw:6/fma:1/stride:1 (alpha ")) << "its name and alpha";
  auto unknown = results;
  for (auto& point : unknown.points) point.counts.kinds_known = false;
  EXPECT_THROW(svg_plot(unknown, PlotAdditions{.mixes = {row}}), std::invalid_argument);
}

TEST(SvgPlotAdditions, TheoryIsDottedWithTheGapOfTheRoof) {
  auto results = example::results(false);
  results.points.clear();
  auto ceilings = results.roofline.ceilings();
  for (auto& ceiling : ceilings) ceiling.theory.reset();
  ceilings.front().theory = ceilings.front().rate / 0.9;
  results.roofline = Roofline(ceilings, 2);
  const auto elements = xml::parse(svg_plot(results, PlotAdditions{.theory = true}));
  const ReadAxes axes(elements);
  const auto& line = first(elements, "theory", "scompute");
  EXPECT_NEAR(axes.y.value(line.number("y1")) / (258 / 0.9), 1, 2e-3);
  EXPECT_TRUE(has_text(elements, "measured 10 % below"));
  EXPECT_EQ(count_class(elements, "theory"), 1) << "of what has none";
}

TEST(SvgPlotAdditions, TheWayBetweenTwoAccountsIsADiagonal) {
  auto canonical = example::results(false);
  std::erase_if(canonical.points, [](const auto& p) { return p.name != "gpp/nw:6/fma:1/stride:1"; });
  const auto counted = by_account(canonical, parse_flop_convention("11"));
  const auto elements = xml::parse(svg_plot(counted, PlotAdditions{.before = &canonical}));
  const ReadAxes axes(elements);
  const auto& way = first(elements, "account", "account");
  const auto factor = [&](const LogAxis& axis, const char* from, const char* to) {
    return axis.value(way.number(to)) / axis.value(way.number(from));
  };
  const double expected = counted.points[0].flop_rate() / canonical.points[0].flop_rate();
  EXPECT_GT(expected, 1.1);
  EXPECT_NEAR(factor(axes.x, "x1", "x2"), expected, 0.01);
  EXPECT_NEAR(factor(axes.y, "y1", "y2"), expected, 0.01);
  EXPECT_TRUE(has_text(elements, "division = 11")) << "the account of the filled marks";
}

TEST(SvgPlotAdditions, IntensitiesAreVerticalLinesAndAxesAreAsAsked) {
  const PlotAdditions additions{.intensities = {{0.125, "triad"}}, .x = {0.01, 100}, .y = {1e9, 1e12}};
  const auto elements = xml::parse(svg_plot(example::results(false), additions));
  const ReadAxes axes(elements);
  const auto& wall = first(elements, "wall", "wall");
  EXPECT_NEAR(axes.x.value(wall.number("x1")), 0.125, 1e-3);
  EXPECT_NEAR(axes.x.value(axes.frame.x), 0.01, 1e-4);
  EXPECT_NEAR(axes.y.value(axes.frame.y), 1000, 5);
}

TEST(SvgPlotAdditions, RoofsAreNamedBesideTheNameOfAWall) {
  auto results = example::results(false);
  results.points.clear();
  const auto label = [&](const PlotAdditions& additions) {
    const auto elements = xml::parse(svg_plot(results, additions));
    return *std::find_if(elements.begin(), elements.end(), [](const auto& e) { return e.text.starts_with("DRAM: "); });
  };
  const auto alone = label({});
  const double degrees = std::stod(alone.attributes.at("transform").substr(std::string("rotate(").size()));
  const double length = text_width(alone.text, alone.number("font-size")) * std::cos(degrees * M_PI / 180);
  // The wall is just behind the end of the label, and its name stands before it, from the foot to the label and beyond.
  const ReadAxes axes(xml::parse(svg_plot(results)));
  const double wall = axes.x.value(alone.number("x") + length + 6);
  const auto beside = label({.intensities = {{wall, "a wall whose name is as long as is needed to reach the label"}}});
  EXPECT_GT(std::abs(beside.number("x") - alone.number("x")), 5);
}

}  // namespace
}  // namespace roofline::svg_plot_additions_test
