#include <gtest/gtest.h>

#include "reporters/comparison/outputs.hpp"
#include "tests/comparison/made_up.hpp"

namespace roofline::suggestions_test {
namespace {

using example::made_up_pairs;
using example::slow_down;

TEST(Suggestions, RunTwoProgramsAndWhatTheRunsChose) {
  auto pairs = made_up_pairs(1, 5, [](Side& side) {
    for (const auto& point : side.results.points) slow_down(side, point.name, 1.06);
  });
  auto &base = pairs.front().base, &next = pairs.front().next;
  const auto command = [&] { return compare(pairs).suggestions.at(0).command; };
  for (auto* const side : {&base, &next})
    side->results.command_line = "roofline_bench --quick --benchmark_filter=stream|gpp --out=roofline-out";
  EXPECT_TRUE(command().starts_with(
      "roofline ab --base='BASE/roofline_bench --quick' --new='NEW/roofline_bench --quick' --pairs="))
      << command();
  EXPECT_TRUE(command().ends_with(" --filter='stream|gpp'")) << command();
  for (auto* const side : {&base, &next})
    side->results.command_line = "roofline_bench --benchmark_filter it's --out roofline-out";
  EXPECT_TRUE(command().starts_with("roofline ab --base='BASE/roofline_bench' --new='NEW/roofline_bench' --pairs="))
      << command();
  EXPECT_EQ(command().find("filter"), std::string::npos) << command();
  next.results.command_line.clear();
  EXPECT_NE(command().find("--new='NEW/roofline_bench'"), std::string::npos) << command();
}

TEST(Suggestions, AskForMorePairsTheNoisierARowIs) {
  const auto of = [](double low, double high) {
    Finding finding{"a", "time"};
    finding.ratio = TimeRatio{1.02, Range{low, high}, 0.05};
    finding.pairs = 6;
    return pairs_needed(finding);
  };
  EXPECT_GT(of(0.9, 1.2), of(1.01, 1.06));
  EXPECT_EQ(of(1.01, 1.06), 8) << "as many as there were have not been enough";
  EXPECT_EQ(of(0.2, 9), 40);
}

TEST(Suggestions, SayHowLongTheyTake) {
  const auto comparison = compare(made_up_pairs(1, 5));
  const auto lines = suggestion_lines(comparison);
  ASSERT_EQ(lines.size(), 2u);
  // 50 s a pair.
  EXPECT_NEAR(comparison.suggestions[0].seconds, 50.0 * comparison.suggestions[0].pairs, 1e-9);
  EXPECT_NE(lines[0].find(" min)"), std::string::npos) << lines[0];
}

}  // namespace
}  // namespace roofline::suggestions_test
