#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <sstream>

#include "bench/text/parse_json.hpp"
#include "reporters/comparison/outputs.hpp"
#include "tests/comparison/made_up.hpp"

// In every output of generated comparisons the verdict of a time is the one that its printed range has.

namespace roofline::agreement_test {
namespace {

using example::made_up_pairs;

struct Printed {
  Verdict verdict = Verdict::same;
  std::optional<Range> range;
};
using Rows = std::map<std::string, Printed>;  // by the row's name

Verdict verdict_named(const std::string& text) {
  for (const auto verdict :
       {Verdict::same, Verdict::better, Verdict::worse, Verdict::undecided, Verdict::not_comparable, Verdict::invalid})
    if (text == name(verdict)) return verdict;
  throw std::invalid_argument(text);
}

/// All rows in which a pattern finds a verdict, a row and, in percent, the ends of its range.
Rows found_in(const std::string& text, const std::string& pattern) {
  Rows rows;
  const std::regex row(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    const auto number = [&](std::size_t group) { return 1 + std::stod((*at)[group].str()) / 100; };
    rows[(*at)[2].str()] = {verdict_named((*at)[1].str()),
                            (*at)[3].matched ? std::optional(Range{number(3), number(4)}) : std::nullopt};
  }
  return rows;
}

const std::string ends = R"(([+-][0-9.]+) \.\. ([+-][0-9.]+))";

Rows of_terminal(const Comparison& c) {
  return found_in(comparison_text(c, 400),
                  R"((?:^|\n) *([A-Z_]+) +([a-z]\S*/\S+) [^\n]*? +(?:)" + ends + R"(|-)(?=\n))");
}
Rows of_markdown(const Comparison& c) {
  auto text = comparison_markdown(c);
  std::erase(text, '\\');  // names are escaped
  return found_in(text, R"(\| ([A-Z_]+) \| ([a-z]\S*/\S+) \| [^\n]* \| (?:)" + ends + R"(|-) \|)");
}
Rows of_junit(const Comparison& c) {
  return found_in(junit_xml(c, {}), R"x(message="([A-Z]+) time of (\S+?): \S+ % \()x" + ends + R"x( %\)")x");
}
Rows of_annotations(const Comparison& c) {
  return found_in(github_annotations(c, {}), R"x(::([A-Z]+) time of (\S+?): \S+ %25 \()x" + ends + R"x( %25\))x");
}
Rows of_json(const Comparison& c) {
  Rows rows;
  const auto document = parse_json(verdict_json(c, {}), "");
  for (const auto& finding : document["findings"]) {
    if (finding["metric"] != "time") continue;
    auto& row = rows[finding["row"].get<std::string>()];
    row.verdict = verdict_named(finding["verdict"].get<std::string>());
    if (finding.contains("ratio") && finding["ratio"].contains("low"))
      row.range = Range{finding["ratio"]["low"].get<double>(), finding["ratio"]["high"].get<double>()};
  }
  return rows;
}

/// Some pairs of runs with noise from none to much, every row of the new side changed by chance, few or many rounds.
Comparison generated(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const double noise = 0.03 * (seed % 4) / 3, changes = 0.15 * (seed % 3) / 2;
  const std::size_t rounds = seed % 5 == 0 ? 5 : 12;
  auto pairs = made_up_pairs(1 + static_cast<int>(seed % 7), seed,
                             [&](Side& side) {
                               std::mt19937 same_for_all(seed);
                               for (auto& point : side.results.points)
                                 example::slow_down(side, point.name, std::exp(changes * normal(same_for_all)));
                             },
                             {noise, noise});
  for (auto& [base, next] : pairs)
    for (auto* const side : {&base, &next})
      for (auto& point : side->results.points)
        if (point.family != "gpp") point.samples.resize(rounds);
  return compare(pairs, {.drift = 0.02 * (seed % 6)});
}

TEST(VerdictsAndRanges, AgreeInEveryRowOfEveryOutput) {
  std::map<Verdict, int> seen;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const auto comparison = generated(seed);
    Rows judged;
    int worse = 0, better = 0;
    for (const auto& finding : comparison.findings) {
      if (finding.metric != "time") continue;
      judged[finding.row] = {finding.verdict, finding.ratio ? finding.ratio->range : std::nullopt};
      worse += finding.verdict == Verdict::worse, better += finding.verdict == Verdict::better;
      ++seen[finding.verdict];
      ASSERT_EQ(finding.ratio ? finding.ratio->floor : 0.05, 0.05) << finding.row;
    }
    const auto check = [&](const char* output, const Rows& printed, std::size_t least) {
      EXPECT_GE(printed.size(), least) << output << " " << seed;
      for (const auto& [row, shown] : printed) {
        ASSERT_TRUE(judged.contains(row)) << output << ": " << row;
        const auto unranged = shown.verdict == Verdict::invalid ? Verdict::invalid : Verdict::undecided;
        EXPECT_EQ(shown.verdict, shown.range ? verdict_of(*shown.range, 0.05) : unranged)
            << output << ": " << row << ", seed " << seed;
        EXPECT_EQ(shown.verdict, judged[row].verdict) << output << ": " << row << ", seed " << seed;
      }
    };
    const auto changed = static_cast<std::size_t>(worse + better);
    check("terminal", of_terminal(comparison), judged.size());
    check("json", of_json(comparison), judged.size());
    check("markdown", of_markdown(comparison), 20);
    check("junit", of_junit(comparison), static_cast<std::size_t>(worse));
    check("annotations", of_annotations(comparison), std::min<std::size_t>(changed, 5));
  }
  for (const auto verdict : {Verdict::same, Verdict::better, Verdict::worse, Verdict::undecided})
    EXPECT_GT(seen[verdict], 50) << name(verdict);
}

TEST(VerdictOf, NeedsTheWholeRangeOnOneSideOfTheFloor) {
  EXPECT_EQ(verdict_of({1.051, 1.3}, 0.05), Verdict::worse);
  EXPECT_EQ(verdict_of({1.05, 1.3}, 0.05), Verdict::undecided);
  EXPECT_EQ(verdict_of({0.949, 1.3}, 0.05), Verdict::undecided);
  EXPECT_EQ(verdict_of({0.5, 0.949}, 0.05), Verdict::better);
  EXPECT_EQ(verdict_of({0.5, 0.95}, 0.05), Verdict::undecided);
  EXPECT_EQ(verdict_of({0.95, 1.05}, 0.05), Verdict::same);
  EXPECT_EQ(verdict_of({0.95, 1.051}, 0.05), Verdict::undecided);
  EXPECT_EQ(verdict_of({1, 1}, 0.05), Verdict::same);
}

TEST(Outwards, RoundsToTenthsOfAPercentThatHoldTheInterval) {
  EXPECT_EQ(outwards(1.0004, 1.0496), (Range{1, 1.05}));
  EXPECT_EQ(outwards(0.9501, 0.9509), (Range{0.95, 0.951}));
  EXPECT_EQ(outwards(1, 1), (Range{1, 1}));
  EXPECT_EQ(outwards(1.001, 1.002), (Range{1.001, 1.002}));
}

}  // namespace
}  // namespace roofline::agreement_test
