#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/machine/gpu_facts.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/families.hpp"
#include "reporters/view/point_names.hpp"
#include "tests/full_results.hpp"
#include "tests/reporters/read_axes.hpp"

namespace roofline::svg_plot_test {
namespace {

using testing::first, testing::ReadAxes;
using xml::count_class, xml::has_text;
using Elements = std::vector<xml::Element>;

/// Boxes that the text of an element covers at least; the ink of digits and lower-case letters.
std::vector<Box> ink(const xml::Element& text) {
  const double size = text.number("font-size"), width = text_width(text.text, size) * 0.9;
  const auto& anchor = text.attributes.at("text-anchor");
  const double x = text.number("x") - (anchor == "end" ? width : anchor == "middle" ? width / 2 : 0);
  const double y = text.number("y"), height = 0.75 * size;
  const auto turn = text.attributes.find("transform");
  if (turn == text.attributes.end()) return {{x, y - 0.7 * size, width, height}};
  const double degrees = std::stod(turn->second.substr(std::string("rotate(").size()));
  if (degrees == -90) return {{text.number("x") - 0.7 * size, y - width / 2, height, width}};
  const double angle = degrees * M_PI / 180, up = 0.36 * size;
  return rotated_boxes({x + up * std::sin(angle), y - up * std::cos(angle)}, width, 0.7 * size, degrees);
}

TEST(SvgPlot, IsWellFormedWhateverIsMissing) {
  for (const bool all : {true, false}) {
    auto results = example::results(all);
    results.machine.name = "Chip <A&B>", results.points[0].name = "stream/a<b&c/n:1";
    EXPECT_TRUE(has_text(xml::parse(svg_plot(results)), "Chip &lt;A&amp;B&gt;"));
    auto no_points = results;
    no_points.points.clear();
    EXPECT_NO_THROW(xml::parse(svg_plot(no_points)));
    results.roofline = {};
    EXPECT_TRUE(has_text(xml::parse(svg_plot(results)), "No ceilings were measured"));
  }
  EXPECT_NO_THROW(xml::parse(svg_plot(Results{})));
}

TEST(SvgPlot, TheRidgeOfEveryLevelIsWhereItBelongs) {
  const auto results = example::results(false);
  const auto elements = xml::parse(svg_plot(results));
  const ReadAxes axes(elements);
  for (const auto level : memory_levels) {
    const auto& line = first(elements, "roof", "s" + std::string(name(level)));
    EXPECT_NEAR(axes.x.value(line.number("x2")) / *results.roofline.ridge(level), 1, 2e-3) << name(level);
    EXPECT_NEAR(axes.y.value(line.number("y2")) / 258, 1, 2e-3) << name(level);
    const double start = axes.y.value(line.number("y1")) / axes.x.value(line.number("x1"));
    EXPECT_NEAR(start / (results.roofline.bandwidth(level)->rate * 1e-9), 1, 4e-3) << "slope of " << name(level);
  }
}

TEST(SvgPlot, AMarkerLiesAtItsIntensityAndRate) {
  auto results = example::results(false);
  results.points.erase(results.points.begin() + 1, results.points.end());
  results.points[0] =
      example::point(results.roofline, "stream/triad", 1e8, {0, 0, 1, 0}, {{{16, 8}, {24, 8}, {24, 8}, {24, 8}}}, 0.9);
  const auto elements = xml::parse(svg_plot(results));
  const ReadAxes axes(elements);
  const auto tip = std::find_if(elements.begin(), elements.end(), [](const auto& e) {
    return e.name == "title" && e.text.find("0.0625 FLOP/B at DRAM") != e.text.npos;
  });
  ASSERT_NE(tip, elements.end());
  const auto& marker = *(tip - 1);
  EXPECT_NEAR(axes.x.value(marker.number("cx")), 2. / 32, 2e-4);
  EXPECT_NEAR(axes.y.value(marker.number("cy")), results.points[0].flop_rate() * 1e-9, 0.01);
  EXPECT_TRUE(marker.has_class("fDRAM"));
}

TEST(SvgPlot, RoofsAreLabelledAsInTheTalks) {
  const auto elements = xml::parse(svg_plot(example::results(false)));
  for (const char* label :
       {"L1: 1000 GB/s", "L2: 480 GB/s", "L3: 220 GB/s", "DRAM: 65.9 GB/s", "DRAM read: 51.0 GB/s",
        "FP64 FMA: 258 GFLOP/s", "FP64 no-FMA: 222 GFLOP/s", "FP64 FMA, scalar: 32.4 GFLOP/s",
        "FP64 FMA, one chain: 65.0 GFLOP/s", "Arithmetic intensity [FLOP/B]", "Performance [GFLOP/s]"})
    EXPECT_TRUE(has_text(elements, label)) << label;
}

TEST(SvgPlot, EveryPointIsNumberedInThePlotAndNamedInTheLegend) {
  for (const auto& results : {example::results(false), example::results(true), example::full_results()}) {
    const auto elements = xml::parse(svg_plot(results));
    for (std::size_t number = 1; number <= results.points.size(); ++number) {
      const auto text = std::to_string(number);
      const auto count = [&](const char* css) {
        return std::count_if(elements.begin(), elements.end(),
                             [&](const auto& e) { return e.has_class(css) && e.text == text; });
      };
      EXPECT_EQ(count("note"), 1) << "legend of " << number;
      const bool drawn = results.points[number - 1].counts.operations.flops() > 0;
      if (is_crowded(results.points)) continue;
      EXPECT_EQ(count("label"), drawn ? 1 : 0) << "label of " << number;
    }
  }
}

/// The elements of the plot of all kernels: from the first frame to the next one.
Elements overview_of(const Elements& elements) {
  const auto is_frame = [](const auto& e) { return e.has_class("frame"); };
  const auto begin = std::find_if(elements.begin(), elements.end(), is_frame);
  return {begin, std::find_if(begin + 1, elements.end(), is_frame)};
}

TEST(SvgPlot, ACrowdedOverviewNamesTwoKernelsOfAFamilyAtMost) {
  const auto results = example::full_results();
  const auto groups = group_by_family(results.points);
  const auto overview = overview_of(xml::parse(svg_plot(results)));
  EXPECT_LE(count_class(overview, "label"), 2 * static_cast<std::ptrdiff_t>(groups.size()));
  EXPECT_GE(count_class(overview, "label"), static_cast<std::ptrdiff_t>(groups.size()));
  for (const auto& family : summarise(groups))
    for (const auto* const member : {family.best, family.worst})
      EXPECT_TRUE(has_text(overview, member->label + " ")) << member->label;
}

TEST(SvgPlot, ACrowdedOverviewHasOneMarkerForAKernelInTheColourOfItsFamily) {
  const auto results = example::full_results();
  const auto groups = group_by_family(results.points);
  const auto overview = overview_of(xml::parse(svg_plot(results)));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& members = groups[g].members;
    const auto drawn = std::count_if(members.begin(), members.end(), [](const auto& m) { return drawable(*m.point); });
    EXPECT_EQ(count_class(overview, "ffamily" + std::to_string(g)), drawn + 2) << "its key and its row in the legend";
  }
  for (const auto level : memory_levels) EXPECT_EQ(count_class(overview, "f" + std::string(name(level))), 0);
}

TEST(SvgPlot, SixtyPointsAreStillNumbered) {
  auto results = example::full_results();
  results.points.resize(crowded_from - 1);
  const auto elements = xml::parse(svg_plot(results));
  const auto overview = overview_of(elements);
  EXPECT_EQ(count_class(overview, "label"), 60);
  EXPECT_FALSE(svg_plot(results).find("family0") != std::string::npos);
  results = example::full_results();
  results.points.resize(crowded_from);
  EXPECT_LE(count_class(overview_of(xml::parse(svg_plot(results))), "label"), 4) << "ert and gpp";
}

TEST(SvgPlot, ACrowdedRunWithoutRoofsNamesTheFastest) {
  auto results = example::full_results();
  results.roofline = {};
  assess(results);
  const auto elements = xml::parse(svg_plot(results));
  EXPECT_EQ(count_class(overview_of(elements), "label"), 6);
  EXPECT_TRUE(has_text(elements, "named: the fastest of each"));
}

TEST(SvgPlot, NoTextOverlapsAnotherOrLeavesThePage) {
  for (const auto& results : {example::results(false), example::results(true), example::full_results()}) {
    const auto elements = xml::parse(svg_plot(results));
    const Box page{0, 0, elements[0].number("width"), elements[0].number("height")};
    std::vector<std::pair<std::string, std::vector<Box>>> texts;
    for (const auto& e : elements)
      if (e.name == "text") texts.emplace_back(e.text, ink(e));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (const auto& box : texts[i].second) EXPECT_TRUE(box.inside(page)) << texts[i].first;
      for (std::size_t j = 0; j < i; ++j) {
        const bool overlap = std::any_of(texts[i].second.begin(), texts[i].second.end(), [&](const Box& a) {
          return std::any_of(texts[j].second.begin(), texts[j].second.end(),
                             [&](const Box& b) { return a.overlaps(b); });
        });
        EXPECT_FALSE(overlap) << texts[i].first << " covers " << texts[j].first;
      }
    }
  }
}

TEST(SvgPlot, IntervalBarsSpanTheIntervalOfTheRate) {
  auto results = example::results(false);
  auto& point = results.points[5];  // stencil, the first of its family
  point.time.low = point.time.median / 1.5;
  point.time.high = point.time.median * 1.5;
  const auto elements = xml::parse(svg_plot(results));
  const ReadAxes axes(elements);
  const auto& bar = first(elements, "bar", "sDRAM");
  EXPECT_NEAR(axes.y.value(bar.number("y1")) / axes.y.value(bar.number("y2")), 2.25, 0.01);
}

TEST(SvgPlot, SourcesAreNamedAndPointsAboveTheRoofExplained) {
  auto results = example::results(false);
  auto elements = xml::parse(svg_plot(results));
  EXPECT_TRUE(has_text(elements, "bytes: modelled (LRU 48K/12 1M/16 32M/16)"));
  EXPECT_TRUE(has_text(elements, "canonical account"));
  EXPECT_FALSE(has_text(elements, "above 103 % in its whole interval"));
  results.points[3].time.median /= 2;
  example::add_rounds(results.roofline, results.points[3]);
  assess(results);
  elements = xml::parse(svg_plot(results));
  EXPECT_TRUE(has_text(elements, "above 103 % in its whole interval"));
  EXPECT_TRUE(has_text(elements, "181.")) << "not clamped";
}

TEST(SvgPlot, SweepsAreJoinedAtEveryLevel) {
  const auto elements = xml::parse(svg_plot(example::results(true)));
  EXPECT_TRUE(has_text(elements, "gpp over nw (stride:1)"));
  EXPECT_TRUE(has_text(elements, "gpp over stride (nw:6)"));
  const auto lines = std::count_if(elements.begin(), elements.end(), [](const auto& e) { return e.has_class("join"); });
  EXPECT_EQ(lines, 2 * 2 * 4) << "two sweeps, two builds, four levels";
}

/// The labels of the plots behind the first, without their percents.
std::multiset<std::string> labels_of_small_plots(const Results& results) {
  const auto elements = xml::parse(svg_plot(results));
  const auto is_frame = [](const auto& e) { return e.has_class("frame"); };
  const auto first = std::find_if(elements.begin(), elements.end(), is_frame);
  std::multiset<std::string> labels;
  for (auto e = std::find_if(first + 1, elements.end(), is_frame); e != elements.end(); ++e)
    if (e->has_class("label")) labels.insert(e->text.substr(0, e->text.find(' ')));
  return labels;
}

TEST(SvgPlot, SweepsOfManyPointsAreNamedAtBothEnds) {
  auto results = example::full_results();
  std::erase_if(results.points,
                [](const KernelPoint& p) { return p.name.find("op:fv4") == p.name.npos || p.name.ends_with("fma:0"); });
  ASSERT_EQ(results.points.size(), 18u);
  const auto labels = labels_of_small_plots(results);
  for (const char* const end : {"fp/level:8", "branch/level:8", "stride2/level:8"})
    EXPECT_EQ(labels.count(end), 1u) << end;
  EXPECT_GE(labels.count("level:3"), 1u) << "one label where marks are at one place";
  EXPECT_EQ(labels.count("level:5"), 0u);
  EXPECT_EQ(labels.count("2"), 0u) << "no number";
}

TEST(SvgPlot, ArgumentsThatTellNoPointFromAnotherAreNoPartOfItsName) {
  auto results = example::results(false);
  std::erase_if(results.points, [](const KernelPoint& p) { return p.family != "gpp"; });
  results.points.resize(3);
  const char* const names[] = {"gpp/wide/fma:1", "gpp/narrow/fma:1", "gpp/lone"};
  for (std::size_t i = 0; i < 3; ++i) results.points[i].name = names[i];
  EXPECT_EQ(labels_of_small_plots(results), (std::multiset<std::string>{"lone", "narrow", "wide"}));
  results.points[1].name = "gpp/narrow/fma:0";
  EXPECT_EQ(labels_of_small_plots(results), (std::multiset<std::string>{"lone", "narrow/fma:0", "wide/fma:1"}));
  results.points[1].name = "gpp/wide";
  EXPECT_EQ(labels_of_small_plots(results), (std::multiset<std::string>{"lone", "wide", "wide/fma:1"}));
}

// ---- The pictures of the talks

TEST(SvgPlot, AMarkMeansTheSameInTheKeyAndInThePlot) {
  const auto elements = xml::parse(svg_plot(example::results(false)));
  const auto key = std::find_if(elements.begin(), elements.end(), [](const auto& e) { return e.has_class("key"); });
  ASSERT_NE(key, elements.end());
  EXPECT_EQ((key + 1)->name, "rect") << "levels are colours; the shape of a mark is its family";
  EXPECT_TRUE((key + 1)->has_class("fL1"));
}

TEST(SvgPlot, MemoryIsCalledAsItsFileOrCardCallsIt) {
  auto results = example::results(false);
  EXPECT_TRUE(has_text(xml::parse(svg_plot(results)), "bytes of DRAM"));
  results.gpu = Gpu{.name = "NVIDIA H200", .bus_bits = 6144};
  const auto card = xml::parse(svg_plot(results));
  EXPECT_TRUE(has_text(card, "bytes of HBM"));
  EXPECT_TRUE(has_text(card, "HBM: 65.9 GB/s"));
  EXPECT_FALSE(has_text(card, "DRAM: "));
  results.gpu->bus_bits = 384;
  EXPECT_TRUE(has_text(xml::parse(svg_plot(results)), "bytes of DRAM")) << "GDDR";
}

TEST(SvgPlot, RoofsAloneShowTwoDecadesOfTheirSlope) {
  auto results = example::results(false);
  results.points.clear();
  const auto elements = xml::parse(svg_plot(results));
  const ReadAxes axes(elements);
  const auto& slope = first(elements, "roof", "sDRAM");
  EXPECT_GT(axes.x.value(slope.number("x2")) / axes.x.value(slope.number("x1")), 90);
}

}  // namespace
}  // namespace roofline::svg_plot_test
