#include "reporters/comparison/turn_order.hpp"

#include <gtest/gtest.h>

namespace roofline {
namespace {

using Sides = std::vector<std::size_t>;

/// A side with this plan that waits at `row`; at none: it has ended.
Waiting side(std::vector<std::string> plan, const std::string& row) { return {std::move(plan), row, row.empty()}; }

TEST(TurnOrder, SidesAtOneRowSampleItTogether) {
  EXPECT_EQ(together({side({"a", "b"}, "a"), side({"a", "b"}, "a")}), (Sides{0, 1}));
  EXPECT_EQ(together({side({"a"}, "a"), side({"a"}, "a"), side({"a"}, "a")}), (Sides{0, 1, 2}));
}

TEST(TurnOrder, OneThatIsAheadWaitsForTheOthers) {
  EXPECT_EQ(together({side({"a", "b"}, "b"), side({"a", "b"}, "a")}), (Sides{1}));
  EXPECT_EQ(together({side({"a", "b"}, "a"), side({"a", "b"}, "b"), side({"a", "b"}, "b")}), (Sides{0}));
}

TEST(TurnOrder, ARowThatOnlyOneSideHasIsSampledAlone) {
  EXPECT_EQ(together({side({"a", "b"}, "b"), side({"a", "new", "b"}, "new")}), (Sides{1}));
  EXPECT_EQ(together({side({"old", "b"}, "old"), side({"new", "b"}, "new")}), (Sides{0}));
  EXPECT_EQ(together({side({"a", "b"}, ""), side({"a", "b"}, "b")}), (Sides{1}));
}

TEST(TurnOrder, RowsInAnotherOrderStopNobody) {
  EXPECT_EQ(together({side({"a", "b"}, "a"), side({"b", "a"}, "b")}), (Sides{0}));
  EXPECT_EQ(together({side({"a"}, ""), side({"a"}, "")}), Sides{});
}

}  // namespace
}  // namespace roofline
