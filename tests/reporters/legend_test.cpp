#include "reporters/plots/legend.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "tests/example_results.hpp"
#include "tests/xml.hpp"

namespace roofline::legend_test {
namespace {

xml::Element find(const std::vector<xml::Element>& elements, const std::string& text) {
  const auto at = std::find_if(elements.begin(), elements.end(), [&](const auto& e) { return e.text == text; });
  return at == elements.end() ? xml::Element{} : *at;
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
  EXPECT_TRUE(find(elements, "gsrb/level:7").has_class("heading"));
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
}  // namespace roofline::legend_test
