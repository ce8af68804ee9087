#include "reporters/view/families.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reporters/plots/plots.hpp"
#include "reporters/view/point_names.hpp"
#include "tests/example_results.hpp"
#include "tests/full_results.hpp"
#include "tests/xml.hpp"

namespace roofline::families_test {
namespace {

std::vector<SweepPlot> plots_of(const std::vector<FamilyGroup>& groups, const std::string& family) {
  for (const auto& group : groups)
    if (group.family == family) return sweep_plots(group);
  return {};
}

TEST(Sweeps, PointsAreInTheOrderOfTheArgument) {
  auto results = example::results();
  std::reverse(results.points.begin(), results.points.end());
  const auto groups = group_by_family(results.points);
  const auto plots = plots_of(groups, "gpp");
  for (const auto& plot : plots)
    for (const auto& sweep : plot.sweeps) {
      double last = 0;
      for (const auto* member : sweep.members) {
        const double value = numeric_argument(argument_part(*member, plot.key))->value;
        EXPECT_GT(value, last);
        last = value;
      }
    }
}

TEST(Sweeps, AFamilyWithoutNumbersIsOnePlotOfItsPoints) {
  const auto results = example::results();
  const auto groups = group_by_family(results.points);
  const auto stream = plots_of(groups, "stream");
  ASSERT_EQ(stream.size(), 1u);
  EXPECT_TRUE(stream[0].key.empty());
  EXPECT_EQ(stream[0].sweeps.size(), 4u) << "copy has no FLOPs";
  EXPECT_EQ(plots_of(groups, "gsrb")[0].sweeps.size(), 6u);
}

TEST(Sweeps, NeighbouringValuesAreASwitchAndNotASweep) {
  auto results = example::results();
  results.points.erase(results.points.begin() + 1, results.points.end());
  for (const int flops : {7, 8})
    results.points.push_back(example::point(results.roofline, "stencil/7pt/flops:" + std::to_string(flops), 1e6,
                                            {6, 1, 0, 0}, {{{56, 8}, {33, 8}, {16, 8}, {16, 8}}}, 0.9));
  const auto groups = group_by_family(results.points);
  ASSERT_EQ(plots_of(groups, "stencil").size(), 1u);
  EXPECT_TRUE(plots_of(groups, "stencil")[0].key.empty());
}

TEST(Sweeps, TwoDistantValuesAreASweep) {
  Results results;
  results.roofline = example::roofline();
  for (const char* name : {"gpp/nw:1/fma:1", "gpp/nw:6/fma:1", "gpp/nw:6/fma:0"})
    results.points.push_back(
        example::point(results.roofline, name, 1e6, {0, 0, 50, 0}, {{{48, 0}, {22, 0}, {17, 0}, {17, 0}}}, 0.9));
  const auto groups = group_by_family(results.points);
  const auto plots = plots_of(groups, "gpp");
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].title, "gpp over nw");
  EXPECT_EQ(plots[0].sweeps[0].name, "fma:1");
  EXPECT_EQ(plots[0].sweeps[0].members.size(), 2u);
}

TEST(Sweeps, NothingToDrawIsNoPlot) {
  Results results;
  results.points.emplace_back();
  EXPECT_TRUE(sweep_plots(group_by_family(results.points)[0]).empty());
}

using Cells = std::vector<std::string>;

TEST(FamilySummary, HoldsTheExtentAndTheEndsOfAFamily) {
  const auto results = example::results(false);
  const auto groups = group_by_family(results.points);
  const auto families = summarise(groups);
  ASSERT_EQ(families.size(), 5u);
  const auto& lbm = families[4];
  EXPECT_EQ(lbm.best->label, "collide/v4");
  EXPECT_EQ(lbm.worst->label, "collide/v0");
  EXPECT_DOUBLE_EQ(lbm.best_rate, lbm.best->point->flop_rate());
  EXPECT_EQ(cells_of(families[0])[0], "stream/n:33554432");
  EXPECT_EQ(cells_of(families[0])[1], "5") << "copy included";
  EXPECT_EQ(cells_of(families[0])[2], "0.0312..0.125");
  EXPECT_NE(families[0].best->label, "copy") << "it has no place on a roofline";
}

TEST(FamilySummary, OneMemberIsBestAndNotWorst) {
  auto results = example::results(false);
  results.points.erase(results.points.begin(), results.points.end() - 2);  // lbm v4 and propagate
  const auto groups = group_by_family(results.points);
  const auto family = summarise(groups)[0];
  EXPECT_EQ(family.best->label, "collide/v4");
  EXPECT_EQ(family.worst, nullptr);
  EXPECT_EQ(cells_of(family)[2].find(".."), std::string::npos);
}

TEST(FamilySummary, WithoutFlopsItIsJudgedByTime) {
  auto results = example::results(false);
  results.points.erase(results.points.begin() + 1, results.points.end());  // stream copy
  const auto groups = group_by_family(results.points);
  EXPECT_EQ(cells_of(summarise(groups)[0]), (Cells{"stream", "1", "-", "-", "99.3"}));
}

TEST(FamilySummary, WithoutRoofsTheFastestIsTheBest) {
  auto results = example::results(false);
  results.roofline = {};
  assess(results);
  const auto groups = group_by_family(results.points);
  const auto gpp = summarise(groups)[2];
  for (const auto& member : groups[2].members) EXPECT_LE(member.point->flop_rate(), gpp.best->point->flop_rate());
  EXPECT_EQ(gpp.worst, nullptr);
  EXPECT_EQ(cells_of(gpp)[4], "-");
}

std::vector<KernelPoint> named(const std::vector<std::string>& names) {
  std::vector<KernelPoint> points;
  for (const auto& name : names) {
    points.emplace_back();
    points.back().name = name;
    points.back().family = name.substr(0, name.find('/'));
  }
  return points;
}

TEST(PointNames, WhatAFamilySharesMovesIntoItsHeading) {
  struct Row {
    std::vector<std::string> names;
    std::string heading;
    std::vector<std::string> labels;
  };
  for (const auto& [names, heading, labels] :
       {Row{{"stream/copy/n:100", "gpp/nw:1", "stream/dot/n:100"}, "stream/n:100", {"copy", "dot"}},
        Row{{"gpp/nw:6/stride:8", "gpp/nw:6/stride:8/div:0"}, "gpp/nw:6", {"stride:8", "stride:8/div:0"}},
        Row{{"stencil/7pt/n:256"}, "stencil", {"7pt/n:256"}}, Row{{"lbm", "lbm"}, "lbm", {"lbm", "lbm"}}}) {
    const auto points = named(names);
    const auto group = group_by_family(points).front();
    EXPECT_EQ(group.heading, heading);
    ASSERT_EQ(group.members.size(), labels.size()) << heading;
    for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(group.members[i].label, labels[i]);
  }
}

TEST(PointNames, NumericArgumentsAreKeyAndNumber) {
  const auto argument = numeric_argument("stride:16");
  ASSERT_TRUE(argument);
  EXPECT_EQ(argument->key, "stride");
  EXPECT_EQ(argument->value, 16);
  EXPECT_FALSE(numeric_argument("op:fv4"));
  EXPECT_FALSE(numeric_argument("triad"));
  EXPECT_FALSE(numeric_argument("level:7b"));
  EXPECT_FALSE(numeric_argument("n:"));
}

TEST(PointNames, PatternsMeanRowsOfAnySize) {
  EXPECT_TRUE(fits_row("stream/triad", "stream/triad"));
  EXPECT_TRUE(fits_row("stream/triad", "stream/triad/n:33554432"));
  EXPECT_FALSE(fits_row("stream/triad", "stream/triad/tuned"));
  EXPECT_TRUE(fits_row("stream/triad/n:64", "stream/triad/n:64"));
  EXPECT_FALSE(fits_row("stream/triad/n:64", "stream/triad"));
  EXPECT_TRUE(fits_row("stencil/7pt", "stencil/7pt/n:256/flops:7")) << "of earlier versions";
  EXPECT_FALSE(fits_row("stencil/7pt", "stencil/7pt/n:256/flops:8"));
  EXPECT_TRUE(fits_row("lbm/collide/v0/fma:1", "lbm/collide/v0/lx:1920/ly:7680/fma:1"));
  EXPECT_TRUE(fits_row("gpp/nw:*/fma:1/stride:1", "gpp/nw:6/fma:1/stride:1"));
  EXPECT_FALSE(fits_row("gpp/fma:1/stride:1", "gpp/nw:6/fma:1/stride:1")) << "nw is no size";
}

constexpr std::array<example::Bytes, 4> bytes{{{80, 40}, {40, 20}, {30, 15}, {20, 10}}};

/// Hundreds of kernels of a profile, whose long names begin alike: no heading for each, and no two names alike.
TEST(Plots, OfAProfileHaveShortNamesThatDiffer) {
  Results results;
  results.roofline = example::roofline();
  for (int i = 0; i < 12; ++i) {
    const auto name = "void " + std::string(180, 'k') + std::to_string(i) + "_step(double*)";
    results.points.push_back(example::point(results.roofline, name, 1e6, {10, 12, 6, 1}, bytes, 0.1 + 0.07 * i));
  }
  const auto check = [&](const std::string& svg, const std::string& what) {
    std::set<std::string> names;
    int headings = 0;
    for (const auto& element : xml::parse(svg)) {
      headings += element.name == "text" && element.has_class("heading");
      if (element.name != "text" || element.text.find("_step") == element.text.npos) continue;
      EXPECT_LE(element.text.size(), 60u) << what;
      EXPECT_TRUE(names.insert(element.text).second) << what << ": " << element.text;
    }
    EXPECT_GE(names.size(), 8u) << what;
    return headings;
  };
  check(panel_plot(results, "*", 480), "--only");
  for (int i = 0; i < 8; ++i) {
    results.points.push_back(example::point(results.roofline, "other" + std::to_string(i), 1e6, {1}, bytes, 0.5));
  }
  EXPECT_EQ(check(time_plot(results), "time"), 1) << "one heading for 20 families of one kernel";
}

TEST(Plots, OfSeveralFamiliesForAPaperNameTheFamily) {
  Results results;
  results.roofline = example::roofline();
  double share = 0.1;
  for (const auto* const name : {"a/nw:1", "a/nw:6", "b/nw:1", "b/nw:6"}) {
    results.points.push_back(example::point(results.roofline, name, 1e6, {10, 12, 6, 1}, bytes, share += 0.2));
  }
  const auto is_label = [&](const char* rows, const std::string& text) {
    const auto elements = xml::parse(panel_plot(results, rows, 480));
    return std::any_of(elements.begin(), elements.end(), [&](const auto& e) { return e.text == text; });
  };
  EXPECT_TRUE(is_label("*", "b/nw:6"));
  EXPECT_FALSE(is_label("b", "b/nw:6")) << "nw:6 is enough";
  EXPECT_TRUE(is_label("b", "nw:6"));
}

TEST(Plots, HundredsOfKernelsWithoutAnArgumentHaveNoSmallPlot) {
  const auto frames = [](int kernels) {
    Results results;
    results.roofline = example::roofline();
    for (int i = 0; i < kernels; ++i) {
      const auto name = "data/k" + std::string(1, char('a' + i % 26)) + std::string(1, char('a' + i / 26));
      results.points.push_back(example::point(results.roofline, name, 1e6, {10, 12, 6, 1}, bytes, 0.5));
    }
    const auto elements = xml::parse(svg_plot(results));
    return std::count_if(elements.begin(), elements.end(), [](const auto& e) { return e.has_class("frame"); });
  };
  EXPECT_EQ(frames(100), 1);
  EXPECT_EQ(frames(10), 2);
}

}  // namespace
}  // namespace roofline::families_test
