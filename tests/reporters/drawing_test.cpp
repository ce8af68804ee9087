#include <gtest/gtest.h>

#include <cmath>

#include "reporters/drawing/axes.hpp"
#include "reporters/drawing/label_placement.hpp"
#include "reporters/drawing/svg.hpp"
#include "tests/xml.hpp"

namespace roofline::drawing_test {
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

TEST(LabelPlacement, BoxesTouchWithoutOverlapping) {
  const Box box{0, 0, 10, 10};
  EXPECT_TRUE(box.overlaps({9, 9, 5, 5}));
  EXPECT_FALSE(box.overlaps({10, 0, 5, 5}));
  EXPECT_TRUE((Box{2, 2, 3, 3}).inside(box));
  EXPECT_FALSE((Box{8, 2, 3, 3}).inside(box));
}

TEST(LabelPlacement, TheFirstLabelStandsToTheRight) {
  LabelPlacer placer({0, 0, 200, 100});
  const auto box = placer.place({50, 50}, 6, 30, 10);
  ASSERT_TRUE(box);
  EXPECT_DOUBLE_EQ(box->x, 56);
  EXPECT_DOUBLE_EQ(box->center().y, 50);
}

TEST(LabelPlacement, ManyLabelsAtOnePlaceNeverOverlapEachOtherOrMarkers) {
  LabelPlacer placer({0, 0, 300, 300});
  const Box marker{145, 145, 10, 10};
  placer.keep_clear(marker);
  std::vector<Box> boxes{marker};
  for (int i = 0; i < 60; ++i) {
    const auto box = placer.place({150, 150}, 6, 24, 10);
    ASSERT_TRUE(box) << i;
    EXPECT_TRUE(box->inside({0, 0, 300, 300}));
    for (const auto& other : boxes) EXPECT_FALSE(box->overlaps(other)) << i;
    boxes.push_back(*box);
  }
}

TEST(LabelPlacement, LinesAreAvoidedWhereThereIsRoom) {
  LabelPlacer placer({0, 0, 200, 100});
  placer.prefer_clear({60, 0}, {60, 100});  // crosses the place to the right
  const auto box = placer.place({50, 50}, 4, 30, 10);
  ASSERT_TRUE(box);
  EXPECT_TRUE(box->x + box->width <= 59 || box->x >= 61) << box->x;
}

TEST(LabelPlacement, LinesAreCrossedRatherThanALabelLost) {
  LabelPlacer placer({0, 0, 60, 14});
  for (double y = 0; y < 14; y += 2) placer.prefer_clear({0, y}, {60, y});
  EXPECT_TRUE(placer.place({10, 7}, 4, 30, 10));
}

TEST(LabelPlacement, AFullAreaHasNoPlace) {
  LabelPlacer placer({0, 0, 40, 12});
  EXPECT_TRUE(placer.place({5, 6}, 2, 30, 10));
  EXPECT_FALSE(placer.place({5, 6}, 2, 30, 10));
}

TEST(LabelPlacement, TheFirstFreeCandidateIsTaken) {
  LabelPlacer placer({0, 0, 100, 100});
  placer.keep_clear({0, 0, 50, 50});
  EXPECT_EQ(placer.place_first({{Box{10, 10, 5, 5}}, {Box{60, 60, 5, 5}}}), 1u);
  EXPECT_EQ(placer.place_first({{Box{60, 60, 5, 5}}, {Box{90, 90, 20, 20}}}), std::nullopt);
}

TEST(LabelPlacement, RotatedTextIsCovered) {
  const auto boxes = rotated_boxes({100, 100}, 60, 10, -45);
  const Point end{100 + 60 * std::sqrt(0.5), 100 - 60 * std::sqrt(0.5)};
  bool start_covered = false, end_covered = false;
  for (const auto& box : boxes) {
    start_covered |= Box{99.5, 99.5, 1, 1}.inside(box);
    end_covered |= Box{end.x - .5, end.y - .5, 1, 1}.inside(box);
  }
  EXPECT_TRUE(start_covered && end_covered);
}

}  // namespace
}  // namespace roofline::drawing_test
