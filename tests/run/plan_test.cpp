#include "bench/run/plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bench/machine/machine.hpp"

namespace roofline::plan_test {
namespace {

class PlanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [name, selection] :
         {std::pair{"a/n:1", Selection::quick}, {"a/n:2", Selection::standard}, {"b/n:1", Selection::full}})
      suite_.add({.name = name, .family = std::string(1, name[0]), .selection = selection, .make = {}, .about = {}});
    for (const auto& [name, selection] : {std::pair{"ceiling/flops/fp64/fma/avx2/threads:2", Selection::quick},
                                          {"ceiling/bandwidth/DRAM/random/threads:2", Selection::standard},
                                          {"ceiling/flops/fp32/div/sse/threads:1", Selection::full}}) {
      CeilingVariant ceiling;
      ceiling.ceiling.name = name;
      ceiling.selection = selection;
      suite_.add_ceiling(ceiling);
    }
  }
  std::vector<std::string> kernels(const Plan& plan) const {
    std::vector<std::string> names;
    for (const auto* v : plan.kernels) names.push_back(v->name);
    return names;
  }
  Machine machine_;
  Suite suite_{cpu_target(machine_, 2)};
  Options options_;
};

using Names = std::vector<std::string>;

TEST_F(PlanTest, TheDefaultSaysWhatItSelectsAndNotWhatRan) {
  const auto plan = make_plan(suite_, options_);
  EXPECT_EQ(kernels(plan), (Names{"a/n:1", "a/n:2"}));
  EXPECT_EQ(plan.ceilings.size(), 2u);
  ASSERT_GE(plan.skipped.size(), 2u);
  EXPECT_EQ(plan.skipped[0], "b: 0 of 1 variants selected");
  EXPECT_EQ(plan.skipped[1], "ceilings: 2 of 3 selected");
}

TEST(Shuffled, IsAnOrderThatOnlyTheSeedDecides) {
  std::vector<Variant> variants(50);
  std::vector<const Variant*> registered;
  for (const auto& variant : variants) registered.push_back(&variant);
  const auto one = shuffled(registered, 1);
  EXPECT_TRUE(std::is_permutation(one.begin(), one.end(), registered.begin()));
  EXPECT_NE(one, registered);
  EXPECT_EQ(one, shuffled(registered, 1));
  EXPECT_NE(one, shuffled(registered, 2));
  EXPECT_EQ(one.front() - &variants[0], 6) << "on any machine: mt19937_64 and modulo";
  EXPECT_TRUE(shuffled({}, 0).empty());
}

TEST(Shuffled, PutsTheRowsOfQuickFirstSoThatShortTimeDoesNotLeaveThemOut) {
  std::vector<Variant> variants(40);
  for (const int quick : {3, 17, 39}) variants[static_cast<std::size_t>(quick)].selection = Selection::quick;
  std::vector<const Variant*> registered;
  for (const auto& variant : variants) registered.push_back(&variant);
  std::set<const Variant*> front;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const auto order = shuffled(registered, seed);
    EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), registered.begin()));
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i]->selection == Selection::quick, i < 3) << i;
    front.insert(order.front());
  }
  EXPECT_GT(front.size(), 1u) << "they are shuffled among themselves";
}

TEST_F(PlanTest, QuickAndFull) {
  options_.quick = true;
  EXPECT_EQ(kernels(make_plan(suite_, options_)), (Names{"a/n:1"}));
  EXPECT_EQ(make_plan(suite_, options_).ceilings.size(), 1u);
  options_.quick = false;
  options_.full = true;
  EXPECT_EQ(kernels(make_plan(suite_, options_)).size(), 3u);
  EXPECT_EQ(make_plan(suite_, options_).ceilings.size(), 3u);
  EXPECT_TRUE(make_plan(suite_, options_).skipped.empty());
}

TEST_F(PlanTest, AFilterSelectsAmongAllVariantsAndBringsTheCeilings) {
  options_.filter = "n:1";
  const auto plan = make_plan(suite_, options_);
  EXPECT_EQ(kernels(plan), (Names{"a/n:1", "b/n:1"}));
  EXPECT_EQ(plan.ceilings.size(), 1u);
  options_.filter = "-n:1";
  EXPECT_EQ(kernels(make_plan(suite_, options_)), (Names{"a/n:2"}));
}

TEST_F(PlanTest, AFilterTakesTheRepresentativeVariantsOfWhatItMatches) {
  suite_.add({.name = "a/n:3", .family = "a", .selection = Selection::full, .make = {}, .about = {}});
  options_.filter = "a/";
  const auto plan = make_plan(suite_, options_);
  EXPECT_EQ(kernels(plan), (Names{"a/n:1", "a/n:2"}));
  ASSERT_EQ(plan.skipped.size(), 2u);
  EXPECT_EQ(plan.skipped[0], "a: 2 of 3 matching variants selected");
  EXPECT_EQ(plan.skipped[1], "--full runs all that match");
  options_.full = true;
  EXPECT_EQ(kernels(make_plan(suite_, options_)).size(), 3u);
  options_.full = false, options_.filter = "a/n:3";
  EXPECT_EQ(kernels(make_plan(suite_, options_)), Names{"a/n:3"}) << "who names it wants it";
}

TEST_F(PlanTest, AFilterForCeilingsMeasuresThoseOnly) {
  options_.filter = "ceiling/.*random";
  const auto plan = make_plan(suite_, options_);
  EXPECT_TRUE(plan.kernels.empty());
  ASSERT_EQ(plan.ceilings.size(), 1u);
  EXPECT_EQ(plan.ceilings[0]->ceiling.name, "ceiling/bandwidth/DRAM/random/threads:2");
}

TEST_F(PlanTest, NothingMatches) {
  options_.filter = "nothing";
  const auto plan = make_plan(suite_, options_);
  EXPECT_TRUE(plan.kernels.empty());
  EXPECT_TRUE(plan.ceilings.empty());
  options_.filter = "[";
  EXPECT_THROW(make_plan(suite_, options_), std::invalid_argument);
}

TEST_F(PlanTest, NoCeilingsOnRequest) {
  options_.ceilings.kind = CeilingsChoice::Kind::none;
  EXPECT_TRUE(make_plan(suite_, options_).ceilings.empty());
}

}  // namespace
}  // namespace roofline::plan_test
