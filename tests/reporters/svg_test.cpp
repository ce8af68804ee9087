#include "reporters/drawing/svg.hpp"

#include <gtest/gtest.h>

#include "reporters/drawing/axes.hpp"
#include "tests/xml.hpp"

namespace roofline::svg_test {
namespace {

TEST(Svg, EscapesWhatXmlReserves) {
  EXPECT_EQ(escape_xml("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
  EXPECT_EQ(escape_xml("bell\x07"), "bell?");
  EXPECT_EQ(escape_xml("\u009b31m \u202eamf\n"), "?31m ?amf\n") << "control characters beyond ASCII too";
  EXPECT_EQ(escape_xml("µs"), "µs");
  EXPECT_EQ(escape_xml("latin\xb5 cut\xc3"), "latin? cut?");
}

TEST(Svg, EveryElementIsWellFormed) {
  Svg svg(100, 50, ".a{fill:red}");
  svg.rectangle({0, 0, 100, 50}, "a");
  svg.line({0, 0}, {10, 10}, "a");
  svg.polyline({{0, 0}, {1, 2}}, "a");
  svg.text({5, 5}, "x < y & \"z\"", 10, "a", Anchor::end, -45);
  for (int shape = 0; shape < shape_count; ++shape) {
    svg.marker(static_cast<Shape>(shape), {5, 5}, 4, "a");
    svg.marker(static_cast<Shape>(shape), {5, 5}, 4, "a", "tip <1>");
  }
  const auto elements = xml::parse(svg.document("t & t"));
  EXPECT_EQ(elements[0].name, "svg");
  EXPECT_EQ(elements[0].attributes.at("viewBox"), "0 0 100 50");
  EXPECT_EQ(elements.size(), 1u + 2 + 4 + 3 * shape_count);
}

TEST(Svg, TheCheckerRefusesWhatIsNotWellFormed) {
  for (const char* bad : {"<a>", "<a></b>", "<a b=c/>", "<a>x & y</a>", "<a/><b/>", "<a b=\"1\" b=\"2\"/>", ""})
    EXPECT_THROW(xml::parse(bad), std::runtime_error) << bad;
}

TEST(Svg, TextWidthGrowsWithTextAndSize) {
  EXPECT_GT(text_width("mmmm", 10), text_width("iiii", 10));
  EXPECT_DOUBLE_EQ(text_width("0", 20), 2 * text_width("0", 10));
  EXPECT_DOUBLE_EQ(text_width("µ", 10), text_width("u", 10)) << "one character of two bytes";
}

TEST(Axes, PositionsAreLogarithmic) {
  const LogAxis axis{0.01, 100, 50, 450};
  EXPECT_DOUBLE_EQ(axis.position(0.01), 50);
  EXPECT_DOUBLE_EQ(axis.position(1), 250);
  EXPECT_DOUBLE_EQ(axis.position(100), 450);
  EXPECT_DOUBLE_EQ(axis.per_decade(), 100);
  EXPECT_NEAR(axis.value(axis.position(3.92)), 3.92, 1e-12);
}

TEST(Axes, AnAxisMayPointUp) {
  const LogAxis axis{1, 1000, 300, 0};
  EXPECT_DOUBLE_EQ(axis.position(10), 200);
  EXPECT_NEAR(axis.value(100), 100, 1e-9);
}

TEST(Axes, TicksLieOnTheAxis) {
  const LogAxis axis{0.05, 20, 0, 1};
  EXPECT_EQ(axis.decades(), (std::vector<double>{0.1, 1, 10}));
  EXPECT_NEAR(axis.minor_ticks().front(), 0.05, 1e-12);
  EXPECT_NEAR(axis.minor_ticks().back(), 20, 1e-9);
  EXPECT_EQ(axis.labelled_ticks(), axis.decades());
  EXPECT_EQ((LogAxis{1, 10, 0, 1}.labelled_ticks()), (std::vector<double>{1, 2, 5, 10}));
}

TEST(Axes, RangesIgnoreWhatHasNoLogarithm) {
  LogRange range;
  EXPECT_TRUE(range.empty());
  for (const double value : {0.0, -1.0, 1.0 / 0.0, 3.0, 0.5}) range.include(value);
  EXPECT_EQ(range.low, 0.5);
  EXPECT_EQ(range.high, 3);
}

TEST(Axes, PaddingKeepsTheMiddleAndAMinimalLength) {
  const LogRange narrow = LogRange{1, 1}.padded(1, 2);
  EXPECT_NEAR(narrow.low, 0.1, 1e-12);
  EXPECT_NEAR(narrow.high, 10, 1e-9);
  const LogRange wide = LogRange{1, 1000}.padded(2, 1);
  EXPECT_DOUBLE_EQ(wide.low, 0.5);
  EXPECT_DOUBLE_EQ(wide.high, 2000);
}

}  // namespace
}  // namespace roofline::svg_test
