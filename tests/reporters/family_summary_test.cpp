#include <gtest/gtest.h>

#include "reporters/view/families.hpp"
#include "tests/full_results.hpp"

namespace roofline::family_summary_test {
namespace {

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

}  // namespace
}  // namespace roofline::family_summary_test
