#include "reporters/comparison/outputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/comparison/made_up.hpp"
#include "tests/error_of.hpp"
#include "tests/mutator.hpp"
#include "tests/xml.hpp"

namespace roofline::outputs_test {
namespace {

using example::made_up_pairs;
using example::slow_down;
using nlohmann::json;

using example::triad;
const std::string hostile = "a|b<c>&\"d\"::error::x%0A`[x](javascript:y)\x1b[2J\n,=1";

/// A row slower, a row faster, a row with more FLOPs, and one with a name that every format has to escape.
Comparison eventful() {
  auto pairs = made_up_pairs(8, 7, [](Side& side) {
    slow_down(side, triad, 1.1);
    slow_down(side, "stencil/7pt/n:256", 0.9);
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

/// What a JSON schema of the kind that verdict_json_schema() writes says against a value; empty: nothing.
std::string violation(const json& value, const json& schema, const std::string& at) {
  const auto type = schema.value("type", "");
  const bool fits = type == "object"    ? value.is_object()
                    : type == "array"   ? value.is_array()
                    : type == "string"  ? value.is_string()
                    : type == "integer" ? value.is_number_integer()
                    : type == "boolean" ? value.is_boolean()
                                        : value.is_number();
  if (!fits) return at + " is no " + type;
  if (schema.contains("enum") && std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return at + " is none of its values";
  for (const auto& key : schema.value("required", json::array()))
    if (!value.contains(key.get<std::string>())) return at + " lacks " + key.get<std::string>();
  if (value.is_object() && schema.contains("properties"))
    for (const auto& [key, inner] : value.items()) {
      if (!schema["properties"].contains(key)) return at + " has an unknown " + key;
      if (auto bad = violation(inner, schema["properties"][key], at + "/" + key); !bad.empty()) return bad;
    }
  if (value.is_array() && schema.contains("items"))
    for (const auto& inner : value)
      if (auto bad = violation(inner, schema["items"], at + "/*"); !bad.empty()) return bad;
  return {};
}

TEST(ComparisonOutputs, TheVerdictKeepsToItsSchema) {
  const auto comparison = eventful();
  const auto document = json::parse(verdict_json(comparison, {}));
  EXPECT_EQ(violation(document, json::parse(verdict_json_schema()), ""), "");
  EXPECT_EQ(document["exit_code"], 1);
  EXPECT_EQ(document["counts"]["BETTER"], 1);
}

TEST(ComparisonOutputs, TheVerdictSaysEachFactorByItsName) {
  const auto document = json::parse(verdict_json(compare(made_up_pairs(1, 9, example::plant_all_factors, {0, 0})), {}));
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

TEST(ComparisonOutputs, TheVerdictLeavesOutWhatIsNoNumber) {
  auto comparison = eventful();
  comparison.findings.front().p = NAN, comparison.findings.front().ratio = Interval{1, 0, INFINITY};
  comparison.times.front().factors->work = INFINITY;
  comparison.times.back().base = NAN;
  const auto document = json::parse(verdict_json(comparison, {}));
  EXPECT_EQ(violation(document, json::parse(verdict_json_schema()), ""), "");
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
    // What the schema wants of every suite.
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
  const auto slower = compare(made_up_pairs(8, 7, [](Side& side) { slow_down(side, triad, 1.1); }));
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

TEST(ComparisonOutputs, ServicesGetTheirDocumentedShapes) {
  const auto comparison = eventful();
  const auto bencher = json::parse(bencher_json(comparison));
  const auto& latency = bencher.at(triad).at("latency");
  EXPECT_LE(latency.at("lower_value").get<double>(), latency.at("value").get<double>());
  EXPECT_LE(latency.at("value").get<double>(), latency.at("upper_value").get<double>());
  for (const auto& [row, measures] : bencher.items())
    for (const auto& [measure, metric] : measures.items())
      EXPECT_TRUE(metric.at("value").is_number()) << row << measure;
  const auto github = json::parse(github_benchmark_json(comparison));
  ASSERT_TRUE(github.is_array());
  for (const auto& entry : github)
    EXPECT_TRUE(entry.at("name").is_string() && entry.at("unit").is_string() && entry.at("value").is_number());
}

TEST(ComparisonOutputs, TheHistoryGrowsAndRefusesOtherFiles) {
  const testing::Scratch folder;
  const auto comparison = eventful();
  const auto once = history_csv(comparison, folder / "history.csv");
  write_file(folder / "history.csv", once);
  const auto twice = history_csv(comparison, folder / "history.csv");
  EXPECT_TRUE(twice.starts_with(once));
  EXPECT_EQ(count(twice, "\n"), 2 * count(once, "\n") - 1);
  write_file(folder / "other.csv", "a,b\n1,2\n");
  EXPECT_THROW(history_csv(comparison, folder / "other.csv"), FileError);
}

TEST(ComparisonOutputs, ThePlotHasAnArrowForEachRowThatMoved) {
  EXPECT_EQ(xml::count_class(xml::parse(arrows_svg(eventful())), "worse"), 3) << "the line and its barbs, of triad";
}

// Damaged inputs: the errors that the program knows, or a verdict, and reports that are well-formed.

TEST(ComparisonInputs, AThousandMutationsAreReadOrRefused) {
  auto side = example::made_up_side(1);
  auto& points = side.results.points;
  points.erase(points.begin() + 2, points.end());
  for (auto& point : points) point.samples.resize(5);
  side.results.roofline =
      Roofline({*side.results.roofline.compute(Operation::fma), *side.results.roofline.bandwidth(MemoryLevel::L2),
                *side.results.roofline.bandwidth(MemoryLevel::DRAM)},
               side.results.roofline.threads());
  nlohmann::ordered_json document;
  document["context"] = {{"fingerprint", side.fingerprint}, {"model_hash", "abc"}};
  document["roofline"] = stored_run(side.results);
  const auto good = document.dump();
  const auto base = parse_side(good, "base.json");
  int refused = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    testing::Mutator mutate(i);
    const auto bad = i % 2 ? mutate.of_values(good) : mutate.of_bytes(good);
    try {
      const auto comparison = compare({{base, parse_side(bad, "new.json")}});
      const int code = exit_code(comparison, {true, true});
      ASSERT_TRUE(code == 0 || code == 1 || code == 3 || code == 5) << i;
      if (i % 10) continue;
      ASSERT_NO_THROW(xml::parse(junit_xml(comparison, {}))) << i;
      ASSERT_NO_THROW(xml::parse(arrows_svg(comparison))) << i;
      ASSERT_TRUE(json::accept(verdict_json(comparison, {}))) << i;
      static_cast<void>(comparison_markdown(comparison));
    } catch (const FileError& error) {
      ++refused;
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << i;
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_LT(refused, 1000);
}

TEST(ComparisonInputs, ARunWithoutCeilingsIsRead) {
  auto side = example::made_up_side(1);
  side.results.roofline = Roofline({}, 2);
  nlohmann::ordered_json document;
  document["roofline"] = stored_run(side.results);
  EXPECT_TRUE(parse_side(document.dump(), "run.json").results.roofline.empty());
}

TEST(ComparisonInputs, PointsOfOneNameAreRefused) {
  auto side = example::made_up_side(1);
  side.results.points.push_back(side.results.points.front());
  nlohmann::ordered_json document;
  document["roofline"] = stored_run(side.results);
  const auto error = testing::error_of<FileError>([&] { parse_side(document.dump(), "twice.json"); });
  EXPECT_NE(error.find("given twice"), std::string::npos) << error;
}

}  // namespace
}  // namespace roofline::outputs_test
