#include "reporters/drawing/label_placement.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace roofline::label_placement_test {
namespace {

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
}  // namespace roofline::label_placement_test
