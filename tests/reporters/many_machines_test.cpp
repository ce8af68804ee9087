#include "reporters/view/many_machines.hpp"

#include <gtest/gtest.h>

#include "bench/model/assessment.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/portability.hpp"
#include "tests/example_results.hpp"

namespace roofline::many_machines_test {
namespace {

/// The example `factor` times as fast, with its roofs.
Results machine(double factor) {
  auto results = example::results(false);
  for (auto& point : results.points)
    point.time = {point.time.median / factor, point.time.low / factor, point.time.high / factor};
  auto ceilings = results.roofline.ceilings();
  for (auto& ceiling : ceilings) ceiling.rate *= factor;
  results.roofline = Roofline(std::move(ceilings), results.roofline.threads());
  return results;
}

TEST(ManyMachines, NinetyPercentLieWithin) {
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back((i * 37) % 101);
  const auto band = middle_ninety(values);
  EXPECT_EQ(band.median, 50);
  EXPECT_EQ(band.low, 5);
  EXPECT_EQ(band.high, 95);
  EXPECT_EQ(middle_ninety({3}).low, 3);
  const auto two = middle_ninety({1, 3});
  EXPECT_EQ(two.low, 1) << "of few the whole range";
  EXPECT_EQ(two.high, 3);
}

TEST(ManyMachines, AreOneRunAtTheMedians) {
  std::vector<Results> runs;
  for (int i = 0; i < 21; ++i) runs.push_back(machine(0.9 + 0.01 * ((i * 8) % 21)));
  runs[4].points.pop_back();  // one has a row less
  const auto first = example::results(false);
  const auto all = many_machines(runs);
  ASSERT_EQ(all.points.size(), first.points.size());
  EXPECT_NEAR(all.points[0].time.median, first.points[0].time.median, 1e-9 * first.points[0].time.median);
  EXPECT_NEAR(all.points[0].time.low, first.points[0].time.median / 1.09, 1e-9);
  EXPECT_NEAR(all.points[0].time.high, first.points[0].time.median / 0.91, 1e-9);
  const auto* const fma = all.roofline.compute(Operation::fma);
  EXPECT_NEAR(fma->rate, 258e9, 1);
  EXPECT_NEAR(fma->rate_low, 0.91 * 258e9, 1);
  EXPECT_NEAR(all.points[0].assessment.roof->efficiency, assess(first.roofline, first.points[0]).roof->efficiency, 0.2);
  const auto svg = svg_plot(all);
  EXPECT_NE(svg.find("medians of 21 runs"), std::string::npos);
  EXPECT_NE(svg.find("Roofline of 21 runs on"), std::string::npos);
}

TEST(ManyMachines, OfAnotherKindAreNoFleet) {
  std::vector<Results> runs(3, example::results(false));
  EXPECT_TRUE(are_alike(runs));
  runs[1].machine.name = "another";
  EXPECT_FALSE(are_alike(runs));
  runs[1] = runs[0], runs[2].points.clear();
  EXPECT_FALSE(are_alike(runs));
  runs[2] = runs[0], runs[2].failures.emplace_back("stream/triad", "wrong");
  EXPECT_TRUE(are_alike(runs));
  EXPECT_EQ(many_machines(runs).warnings,
            std::vector<std::string>{"1 of 3 runs lack rows; the medians are of those that have them"});
}

TEST(ManyMachines, ArePercentilesInTheTableOfPortability) {
  std::vector<PlatformResult> platforms;
  for (int i = 0; i < 13; ++i) platforms.push_back({"n" + std::to_string(i), {"triad"}, {{"triad", 0.80 + 0.01 * i}}});
  platforms[3].efficiency["triad"] = 0;
  const auto table = portability_table(platforms);
  ASSERT_EQ(table.columns.size(), 6u);
  EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{"triad", "12/13", "80.00", "86.50", "92.00", "0.00"}));
}

}  // namespace
}  // namespace roofline::many_machines_test
