#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reporters/plots/plots.hpp"
#include "tests/example_results.hpp"
#include "tests/shown.hpp"

namespace roofline::text_plot_test {
namespace {

using Lines = std::vector<std::string>;

Lines plot(const Results& results, Characters characters = Characters::ascii, std::size_t width = 90) {
  std::vector<LabelledPoint> points;
  for (const auto& point : results.points) points.emplace_back(fmt::format("row {:02}", points.size()), &point);
  return text_plot(results, points, characters, width, 22);
}

std::ptrdiff_t count(const Lines& lines, const std::string& text) {
  return std::count_if(lines.begin(), lines.end(), [&](const auto& line) { return line.find(text) != line.npos; });
}

/// Roofs only: FMA 200 GFLOP/s over a DRAM roof of 50 GB/s.
Results two_roofs() {
  Results results;
  results.roofline =
      Roofline({example::compute(Operation::fma, 200), example::memory(MemoryLevel::DRAM, "copy", 50)}, 2);
  return results;
}

TEST(TextPlot, TheRidgeIsInItsColumn) {
  const auto lines = plot(two_roofs());
  ASSERT_EQ(lines.size(), 22u);
  // Ticks at 1 and 10 FLOP/B give the scale; the line of the compute roof begins at 4.
  const auto& floor = lines[lines.size() - 3];
  const auto corner = floor.find('+');
  const auto one = floor.find('+', corner + 1), ten = floor.find('+', one + 1);
  const double decade = static_cast<double>(ten - one);
  const auto top = std::find_if(lines.begin(), lines.end(), [](const auto& l) { return l.find("FMA 200") != l.npos; });
  ASSERT_NE(top, lines.end());
  const char flat = (*top)[top->find("FMA 200") - 2];
  std::size_t begin = top->find("FMA 200") - 2;
  while ((*top)[begin - 1] == flat) --begin;
  EXPECT_NEAR(static_cast<double>(begin), static_cast<double>(one) + decade * std::log10(4.0), 3.0)
      << "the last columns of the slope may lie at the height of the roof";
  // One decade below the roof the slope is one decade left of the ridge.
  const auto hundred = std::find_if(lines.begin(), lines.end(), [](const auto& l) { return l.find("  100 +") == 0; });
  ASSERT_NE(hundred, lines.end());
  const auto slope = hundred->find_first_not_of(' ', 7);
  EXPECT_NEAR(static_cast<double>(slope), static_cast<double>(one) + decade * std::log10(2.0), 3.0);
}

TEST(TextPlot, AsciiIsAscii) {
  for (const auto& line : plot(example::results(false)))
    for (const char c : line) EXPECT_GT(c, 0);
  EXPECT_GT(count(plot(example::results(false), Characters::utf8), "│"), 0);
}

TEST(TextPlot, PointsOfOneCellShareALetter) {
  auto results = two_roofs();
  results.roofline = example::roofline();
  for (const char* name : {"gpp/fma:1", "gpp/fma:0"})
    results.points.push_back(
        example::point(results.roofline, name, 1e6, {0, 0, 50, 0}, {{{16, 8}, {16, 8}, {16, 8}, {16, 8}}}, 0.9));
  EXPECT_EQ(count(plot(results), "a row 00"), 1);
  EXPECT_EQ(count(plot(results), "a row 01"), 1);
}

TEST(TextPlot, RoofNamesKeepOffTheLetters) {
  const auto lines = plot(example::results(false));
  for (const char* roof : {" FMA 258 ", " no-FMA 222 ", "L1", "L2", "L3", "DRAM"})
    EXPECT_EQ(count(lines, roof), 1) << roof;
}

TEST(TextPlot, WhatHasNoPlaceOnItsAxesIsNotDrawn) {
  auto results = example::results(false);
  auto& point = results.points[3];
  ASSERT_GT(point.counts.operations.flops(), 0u);
  EXPECT_EQ(count(plot(results), " row 03"), 1);
  point.time.median = 5e-324;  // of a damaged file: more FLOP/s than there are numbers for
  ASSERT_TRUE(std::isinf(point.flop_rate()));
  EXPECT_EQ(count(plot(results), " row 03"), 0);
}

TEST(TextPlot, NothingToDrawAndNoRoomAreNothing) {
  EXPECT_TRUE(plot(Results{}).empty());
  EXPECT_TRUE(plot(example::results(false), Characters::ascii, 45).empty());
}

}  // namespace
}  // namespace roofline::text_plot_test
