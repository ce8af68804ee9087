#include "reporters/plots/text_plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reporters/view/family_summary.hpp"
#include "tests/full_results.hpp"
#include "tests/shown.hpp"

namespace roofline::text_plot_test {
namespace {

using testing::lines_of;

/// Roofs only: FMA 200 GFLOP/s over a DRAM roof of 50 GB/s.
Results two_roofs() {
  Results results;
  results.roofline =
      Roofline({example::compute(Operation::fma, 200), example::memory(MemoryLevel::DRAM, "copy", 50)}, 2);
  return results;
}

TEST(TextPlot, IsTwentyTwoLinesOfNinetyCharacters) {
  const auto lines = lines_of(text_plot(two_roofs()));
  EXPECT_EQ(lines.size(), 22u);
  for (const auto& line : lines_of(text_plot(example::results(true))))
    EXPECT_LE(testing::columns_of(line), 90u) << line;
}

TEST(TextPlot, TheRidgeIsInItsColumn) {
  const auto lines = lines_of(text_plot(two_roofs(), Characters::ascii));
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
  for (const char c : text_plot(example::results(true), Characters::ascii)) EXPECT_GT(c, 0);
  EXPECT_NE(text_plot(example::results(true)).find("│"), std::string::npos);
}

TEST(TextPlot, EveryKernelIsInTheLegendOnce) {
  const auto results = example::results(false);
  auto text = text_plot(results);
  for (auto at = text.find("\n  "); at != text.npos; at = text.find("\n  ", at)) text.replace(at, 3, " ");
  for (const char* name : {"stream triad", "gpp nw:1/fma:1/stride:8", "nw:1/fma:0/stride:8", "stencil 7pt_8flop",
                           "gsrb fp/op:fv4", "lbm collide/v1", "not drawn: stream copy, lbm propagate"})
    EXPECT_NE(text.find(name), text.npos) << name << "\n" << text;
}

TEST(TextPlot, KernelsInOneCellShareALetter) {
  auto results = two_roofs();
  results.roofline = example::roofline();
  for (const char* name : {"gpp/fma:1", "gpp/fma:0", "lbm/v0"})
    results.points.push_back(
        example::point(results.roofline, name, 1e6, {0, 0, 50, 0}, {{{16, 8}, {16, 8}, {16, 8}, {16, 8}}}, 0.9));
  const auto text = text_plot(results);
  EXPECT_NE(text.find("a gpp fma:1, fma:0; lbm v0"), text.npos) << text;
}

TEST(TextPlot, RoofNamesKeepOffTheLetters) {
  const auto lines = lines_of(text_plot(example::results(false), Characters::ascii));
  const auto count = [&](const char* text) {
    return std::count_if(lines.begin(), lines.end(), [&](const auto& l) { return l.find(text) != l.npos; });
  };
  for (const char* roof : {" FMA 258 ", " no-FMA 222 ", "L1", "L2", "L3", "DRAM"}) EXPECT_EQ(count(roof), 1) << roof;
}

TEST(TextPlot, ACrowdedRunHasOneLineOfLegendPerFamily) {
  const auto results = example::full_results();
  const auto text = text_plot(results);
  const auto lines = lines_of(text);
  EXPECT_LE(lines.size(), 22u + 2 + 6 + 3);
  for (const auto& line : lines) EXPECT_LE(testing::columns_of(line), 90u) << line;
  for (const char* row :
       {"e ert ", "g gpp ", "s gsrb ", "l lbm/nx:512/ny:512 ", "t stencil/n:256 ", "r stream/n:33554432 "})
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [&](const auto& line) { return line.find(row) == 0; }), 1)
        << row << "\n"
        << text;
  EXPECT_NE(text.find("not drawn: 1 of lbm, 1 of stream"), text.npos) << text;
}

TEST(TextPlot, ACrowdedPlotShowsTheLettersOfFamilies) {
  auto results = example::full_results();
  results.roofline = {};  // its names have letters too
  const auto lines = lines_of(text_plot(results, Characters::ascii));
  std::string seen;
  for (std::size_t row = 1; row < 19; ++row)
    for (const char c : lines[row].substr(7))
      if (c != ' ' && seen.find(c) == seen.npos) seen += c;
  EXPECT_EQ(seen.find_first_not_of("eEgGsSlLtTrR*"), seen.npos) << seen;
  for (const char* family : {"eE", "gG", "sS", "lL"}) EXPECT_NE(seen.find_first_of(family), seen.npos) << family;
}

TEST(TextPlot, FamiliesOfOneInitialHaveDifferentLetters) {
  auto results = example::full_results();
  results.points.resize(crowded_from);
  for (std::size_t i = 0; i < results.points.size(); ++i) results.points[i].family = i % 2 ? "aa" : i % 3 ? "a" : "ab";
  const auto text = text_plot(results);
  for (const char* row : {"\na ab ", "\nb aa ", "\nc a "}) EXPECT_NE(text.find(row), text.npos) << row << "\n" << text;
}

TEST(TextPlot, SixtyCellsHaveSixtyLetters) {
  Results results;
  while (results.points.size() + 1 < crowded_from) {
    const auto i = static_cast<double>(results.points.size());
    KernelPoint point;
    point.name = "k/i:" + std::to_string(results.points.size()), point.family = "k";
    point.counts.operations.add = 1000;
    point.counts.at(MemoryLevel::DRAM) = Traffic{1000 * std::pow(1.3, i), 0};
    point.time.median = 1e-6 * std::pow(1.3, i);
    results.points.push_back(point);
  }
  const auto text = text_plot(results);
  EXPECT_NE(text.find("a k i:59"), text.npos) << text;
  EXPECT_NE(text.find("7 k i:0"), text.npos) << text;
}

TEST(TextPlot, WhatHasNoPlaceOnItsAxesIsNotDrawn) {
  auto results = example::results();
  const auto not_drawn = [&] {
    const auto text = text_plot(results);
    const auto list = text.find("not drawn: ");
    return list == std::string::npos ? std::string() : text.substr(list);
  };
  const auto before = not_drawn();
  auto& point = *std::find_if(results.points.begin(), results.points.end(),
                              [](const KernelPoint& p) { return p.counts.operations.flops() > 0; });
  point.time.median = 5e-324;  // of a damaged file: more FLOP/s than there are numbers for
  ASSERT_TRUE(std::isinf(point.flop_rate()));
  EXPECT_GT(not_drawn().size(), before.size()) << not_drawn();
}

TEST(TextPlot, NothingToDrawIsNothing) { EXPECT_EQ(text_plot(Results{}), ""); }

}  // namespace
}  // namespace roofline::text_plot_test
