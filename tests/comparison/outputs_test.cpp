#include "reporters/comparison/outputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "tests/command_line.hpp"
#include "tests/comparison/made_up.hpp"
#include "tests/error_of.hpp"
#include "tests/xml.hpp"

namespace roofline::outputs_test {
namespace {

using example::made_up_pairs;
using example::slow_down;
using json = nlohmann::ordered_json;

using example::triad;
const std::string hostile = "a|b<c>&\"d\"::error::x%0A`[x](javascript:y)\x1b[2J\n,=1";

/// A row slower, a row faster, a row with more FLOPs, and one with a name that every format has to escape.
Comparison eventful() {
  auto pairs = made_up_pairs(8, 7, [](Side& side) {
    slow_down(side, triad, 1.2);
    slow_down(side, "stencil/7pt/n:256", 0.8);
    ++example::point_named(side, "lbm/collide/v4/nx:512/ny:512").counts.operations.add;
    ++example::point_named(side, "stream/copy/n:33554432").counts.operations.add;
  });
  for (auto& [base, next] : pairs)
    for (auto* const side : {&base, &next}) example::point_named(*side, "stream/copy/n:33554432").name = hostile;
  return compare(pairs);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(ComparisonOutputs, TheVerdictSaysEachFactorByItsName) {
  const auto document =
      parse_json(verdict_json(compare(made_up_pairs(1, 9, example::plant_all_factors, {0, 0})), {}), "");
  const auto expect = [&](const std::string& row, double work, double traffic) {
    for (const auto& time : document["times"]) {
      if (time["row"] != row) continue;
      EXPECT_NEAR(time["work"].get<double>(), work, 1e-6) << row;
      EXPECT_NEAR(time["traffic"].get<double>(), traffic, 1e-6) << row;
      EXPECT_NEAR(time["efficiency"].get<double>(), 1.05, 1e-6) << row;
      return;
    }
    ADD_FAILURE() << row;
  };
  expect(example::compute_row, 2, 1);
  expect(triad, 1, 1.2);
}

TEST(ComparisonOutputs, TheVerdictHasItsExitCodeAndLeavesOutWhatIsNoNumber) {
  auto comparison = eventful();
  comparison.findings.front().ratio = TimeRatio{NAN, Range{0, INFINITY}};
  comparison.times.front().factors->work = INFINITY;
  comparison.times.back().base = NAN;
  const auto document = parse_json(verdict_json(comparison, {}), "");
  EXPECT_EQ(document["exit_code"], 1);
  EXPECT_EQ(document["counts"]["BETTER"], 1);
  EXPECT_EQ(document["findings"][0]["ratio"],
            (json{{"low", 0}, {"floor", 0}, {"visible", 0}, {"beside_roofs", false}}));
  EXPECT_FALSE(document["times"].front().contains("work") || document["times"].back().contains("base"));
}

TEST(ComparisonOutputs, JUnitIsWellFormedAndCountsItsCases) {
  const auto comparison = eventful();
  const auto elements = xml::parse(junit_xml(comparison, {}));
  const auto of = [&](const char* name) { return xml::count_name(elements, name); };
  EXPECT_EQ(elements.front().name, "testsuites");
  double tests = 0, failures = 0, id = 0;
  for (const auto& element : elements) {
    if (element.name != "testsuite") continue;
    tests += element.number("tests"), failures += element.number("failures");
    // The schema's requirements for every suite.
    EXPECT_EQ(element.number("id"), id++);
    EXPECT_EQ(element.attributes.at("timestamp").size(), 19u);
    for (const auto* const key : {"package", "hostname", "errors", "time"})
      EXPECT_TRUE(element.attributes.contains(key));
  }
  EXPECT_EQ(tests, of("testcase"));
  EXPECT_EQ(failures, of("failure"));
  EXPECT_EQ(of("testcase"), static_cast<long>(comparison.findings.size()));
  EXPECT_EQ(of("failure"), comparison.count(Verdict::worse) + comparison.count(Verdict::invalid));
}

TEST(ComparisonOutputs, AnnotationsAreAtMostTenOfAKindAndSayHowManyMore) {
  const auto few = github_annotations(eventful(), {});
  EXPECT_EQ(count(few, "\n::"), count(few, "\n") - 1) << few;
  EXPECT_EQ(few.find("\x1b"), few.npos);
  const auto many = github_annotations(compare(made_up_pairs(1, 7,
                                                             [](Side& side) {
                                                               for (auto& point : side.results.points)
                                                                 ++point.counts.operations.add;
                                                             })),
                                       {});
  EXPECT_EQ(count(many, "::error "), 10u);
  EXPECT_NE(many.find(" more\n"), many.npos);
}

TEST(ComparisonOutputs, ATimeThatIsNotGatedFailsNothing) {
  const auto slower = compare(made_up_pairs(8, 7, [](Side& side) { slow_down(side, triad, 1.2); }));
  EXPECT_EQ(count(junit_xml(slower, {}), "<failure "), 1u);
  EXPECT_EQ(count(github_annotations(slower, {}), "::error "), 1u);
  const Gate exact{.times = false};
  EXPECT_EQ(exit_code(slower, exact), 0);
  EXPECT_EQ(count(junit_xml(slower, exact), "<failure "), 0u);
  EXPECT_EQ(count(junit_xml(slower, exact), "<skipped message=\"WORSE time"), 1u);
  EXPECT_EQ(count(github_annotations(slower, exact), "::error "), 0u);
  EXPECT_EQ(count(github_annotations(slower, exact), "::notice title=roofline WORSE"), 1u);
}

TEST(ComparisonOutputs, MarkdownShowsTwentyRowsAndEscapesNames) {
  const auto comparison = eventful();
  const auto text = comparison_markdown(comparison);
  EXPECT_LT(text.size(), 60'000u);
  EXPECT_LE(count(text, "| SAME |") + count(text, "| WORSE |") + count(text, "| BETTER |"), 40u);
  EXPECT_NE(text.find("more rows are not shown"), text.npos);
  EXPECT_EQ(text.find("[x](javascript"), text.npos);
  EXPECT_EQ(text.find("<c>"), text.npos);
  EXPECT_LT(text.find("WORSE"), text.find("BETTER"));
}

TEST(ComparisonOutputs, TheTerminalHasNoLineAbove100ColumnsButCommands) {
  const auto comparison = eventful();
  std::istringstream lines(comparison_text(comparison, 100));
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.size() <= 100 || line.find("roofline ab --base=") != line.npos) << line;
}

TEST(ComparisonInputs, PointsOfOneNameAreRefused) {
  auto side = example::made_up_side(1);
  side.results.points.push_back(side.results.points.front());
  const auto error = testing::error_of<FileError>([&] { parse_side(run_json("", side.results), "twice.json"); });
  EXPECT_NE(error.find("given twice"), std::string::npos) << error;
}

}  // namespace
}  // namespace roofline::outputs_test
