#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/machine/gpu_facts.hpp"
#include "bench/result/flop_convention.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/families.hpp"
#include "reporters/view/point_names.hpp"
#include "tests/full_results.hpp"
#include "tests/xml.hpp"

namespace roofline::svg_plot_test {
namespace {

using xml::count_class, xml::has_text;
using Elements = std::vector<xml::Element>;

/// The axes of the plot of all kernels, read off the numbers at its ticks.
struct ReadAxes {
  LogAxis x, y;
  Box frame;

  explicit ReadAxes(const Elements& elements) {
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

/// The first line of a class: it belongs to the plot of all kernels, which is drawn first.
const xml::Element& first(const Elements& elements, const std::string& kind, const std::string& css) {
  return *std::find_if(elements.begin(), elements.end(),
                       [&](const auto& e) { return e.has_class(kind) && e.has_class(css); });
}

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

// ---- The pictures of the talks

TEST(SvgPlot, TheCeilingOfAMixIsALineAtItsRate) {
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

TEST(SvgPlot, TheoryIsDottedWithTheGapOfTheRoof) {
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

TEST(SvgPlot, TheWayBetweenTwoAccountsIsADiagonal) {
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

TEST(SvgPlot, IntensitiesAreVerticalLinesAndAxesAreAsAsked) {
  const PlotAdditions additions{.intensities = {{0.125, "triad"}}, .x = {0.01, 100}, .y = {1e9, 1e12}};
  const auto elements = xml::parse(svg_plot(example::results(false), additions));
  const ReadAxes axes(elements);
  const auto& wall = first(elements, "wall", "wall");
  EXPECT_NEAR(axes.x.value(wall.number("x1")), 0.125, 1e-3);
  EXPECT_NEAR(axes.x.value(axes.frame.x), 0.01, 1e-4);
  EXPECT_NEAR(axes.y.value(axes.frame.y), 1000, 5);
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
