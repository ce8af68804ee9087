#include "reporters/plots/roofline_panel.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/legend.hpp"
#include "reporters/view/roof_lines.hpp"
#include "tests/example_results.hpp"
#include "tests/xml.hpp"

namespace roofline::roofline_panel_test {
namespace {

constexpr Box frame{100, 50, 600, 400};

PanelContent content_of(const std::vector<FamilyGroup>& groups, bool overview) {
  PanelContent content;
  content.overview = overview;
  for (const auto& group : groups)
    for (const auto& member : group.members)
      if (member.point->counts.operations.flops() > 0) content.kernels.push_back({&member, {}, member.label, {}});
  return content;
}

TEST(RooflinePanel, TheAxesHoldEveryMarkerAndItsRoof) {
  const auto results = example::results();
  const auto groups = group_by_family(results.points);
  for (const bool overview : {true, false}) {
    const auto axes = panel_axes(frame, content_of(groups, overview), results.roofline);
    for (const auto& point : results.points) {
      if (point.counts.operations.flops() == 0) continue;
      for (const auto level : memory_levels) EXPECT_TRUE(axes.x.contains(*point.counts.intensity(level)));
      EXPECT_TRUE(axes.y.contains(point.flop_rate()));
      EXPECT_TRUE(axes.y.contains(*assess(results.roofline, point).roof->attainable));
    }
    for (const auto level : memory_levels) {
      EXPECT_TRUE(!overview || axes.x.contains(*results.roofline.ridge(level))) << name(level);
    }
  }
}

TEST(RooflinePanel, TheUpperLeftOfTheFrameIsTheLowestIntensityAndTheHighestRate) {
  const auto axes = panel_axes(frame, {}, example::roofline());
  EXPECT_NEAR(axes.at(axes.x.low, axes.y.high).x, 100, 1e-9);
  EXPECT_NEAR(axes.at(axes.x.low, axes.y.high).y, 50, 1e-9);
  EXPECT_NEAR(axes.at(axes.x.high, axes.y.low).x, 700, 1e-9);
  EXPECT_NEAR(axes.at(axes.x.high, axes.y.low).y, 450, 1e-9);
}

TEST(RooflinePanel, LinesStayInsideTheFrame) {
  const auto results = example::results();
  const auto groups = group_by_family(results.points);
  Svg svg(800, 500, plot_style);
  draw_panel(svg, frame, content_of({groups[0]}, false), results.roofline);  // stream: most roofs are cut off
  for (const auto& e : xml::parse(svg.document("t"))) {
    if (e.name != "line") continue;
    for (const char* x : {"x1", "x2"}) EXPECT_TRUE(e.number(x) >= 99.9 && e.number(x) <= 700.1);
    for (const char* y : {"y1", "y2"}) EXPECT_TRUE(e.number(y) >= 49.9 && e.number(y) <= 450.1);
  }
}

TEST(RooflinePanel, ALineBetweenManyMarkersKeepsAName) {
  Results results;
  results.roofline = example::roofline();
  std::vector<RoofLine> thin;
  for (const auto& line : merged(roof_lines(results.roofline)))
    if (line.thin && !line.level) thin.push_back(line);
  ASSERT_FALSE(thin.empty());
  // Markers along the line, nearer to one another than its full name is long.
  for (double bytes = 0.25; bytes < 1000; bytes *= 3.5) {
    auto point = example::point(results.roofline, fmt::format("gpp/bytes:{}", bytes), 1e6, {0, 0, 50, 0},
                                {{{bytes, 0}, {bytes, 0}, {bytes, 0}, {bytes, 0}}}, 0.5);
    point.time.median = point.time.low = point.time.high = point.counts.operations.flops() / thin.front().rate;
    results.points.push_back(point);
  }
  const auto groups = group_by_family(results.points);
  auto content = content_of(groups, true);
  for (auto& kernel : content.kernels) kernel.label.clear();
  Svg svg(800, 500, plot_style);
  draw_panel(svg, frame, content, results.roofline);
  const auto short_name = thin.front().short_label(content.units);
  EXPECT_TRUE(xml::has_text(xml::parse(svg.document("t")), short_name)) << short_name;
}

TEST(RooflinePanel, AShortLineIsNamedBesideIt) {
  auto ceilings = example::roofline().ceilings();
  auto tensor = example::compute(Operation::fma, 1e5);
  tensor.precision = "fp8", tensor.isa = "tensor";
  ceilings.push_back(tensor);
  Results results;
  results.roofline = Roofline(ceilings, 2);
  Svg svg(400, 500, plot_style);
  PanelContent content{"t", {}, {}, {}, true};
  content.x = {0.01, 1000};
  draw_panel(svg, {100, 50, 200, 400}, content, results.roofline);
  EXPECT_TRUE(xml::has_text(xml::parse(svg.document("t")), "FP8 tensor: 100000"));
}

TEST(RooflinePanel, KernelsOfOneLabelAtOnePlaceShareIt) {
  Results results;
  results.roofline = example::roofline();
  for (const char* name : {"gpp/nw:1/fma:1", "gpp/nw:1/fma:0"})
    results.points.push_back(
        example::point(results.roofline, name, 1e6, {0, 0, 50, 0}, {{{48, 0}, {22, 0}, {17, 0}, {17, 0}}}, 0.9));
  const auto groups = group_by_family(results.points);
  PanelContent content = content_of(groups, false);
  content.kernels[0].label = content.kernels[1].label = "nw:1";
  content.kernels[0].value = "72", content.kernels[1].value = "74";
  Svg svg(800, 500, plot_style);
  draw_panel(svg, frame, content, results.roofline);
  std::vector<std::string> labels;
  for (const auto& e : xml::parse(svg.document("t")))
    if (e.has_class("label")) labels.push_back(e.text);
  EXPECT_EQ(labels, (std::vector<std::string>{"nw:1 72, 74 %"}));
}

TEST(Legend, ARowHasNumberNameRateAndPercent) {
  const auto results = example::results(false);
  const Legend legend(group_by_family(results.points));
  Svg svg(400, 800, plot_style);
  legend.draw(svg, {0, 0}, 1, 700);
  const auto elements = xml::parse(svg.document("t"));
  const auto copy = std::find_if(elements.begin(), elements.end(), [](const auto& e) { return e.text == "copy"; });
  ASSERT_NE(copy, elements.end());
  EXPECT_EQ((copy - 1)->text, "1");
  EXPECT_EQ((copy + 1)->text, "65.4 GB/s") << "no FLOPs";
  EXPECT_EQ((copy + 2)->text, "99.3");
  EXPECT_TRUE(std::any_of(elements.begin(), elements.end(),
                          [](const auto& e) { return e.text == "gsrb/level:7" && e.has_class("heading"); }));
}

TEST(Legend, MarksStandBesideTheNameTheyBelongTo) {
  auto results = example::results(false);
  for (auto& point : results.points)
    if (point.name.find("copy") != std::string::npos) point.assessment.roof->range = Interval{1.3, 1.2, 1.4};
  Svg svg(400, 800, plot_style);
  Legend(group_by_family(results.points)).draw(svg, {0, 0}, 1, 700);
  const auto elements = xml::parse(svg.document("t"));
  const auto x = std::find_if(elements.begin(), elements.end(), [](const auto& e) { return e.text == "!"; });
  ASSERT_NE(x, elements.end());
  EXPECT_EQ((x - 1)->text, "copy");
  EXPECT_GT(x->number("x"), (x - 1)->number("x") + text_width("copy", 10.5));
  EXPECT_LT(x->number("x"), (x + 1)->number("x"));
}

TEST(Legend, TakesMoreColumnsWhenTheHeightIsSmall) {
  const auto results = example::results(true);
  const Legend legend(group_by_family(results.points));
  EXPECT_EQ(legend.columns_in(10000), 1u);
  EXPECT_GE(legend.columns_in(400), 3u);
  EXPECT_GT(legend.height_in(1), legend.height_in(2));
}

}  // namespace
}  // namespace roofline::roofline_panel_test
