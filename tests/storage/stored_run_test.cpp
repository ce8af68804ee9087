#include "bench/storage/stored_run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/result/reports.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/files/files.hpp"
#include "reporters/page/page.hpp"
#include "reporters/plots/plots.hpp"
#include "tests/error_of.hpp"
#include "tests/example_results.hpp"

namespace roofline::stored_run_test {
namespace {

using Json = nlohmann::ordered_json;

std::string document(const Results& results) { return Json{{"roofline", stored_run(results)}}.dump(); }

std::string error_of(const std::string& text) {
  return testing::error_of<FileError>([&] { parse_run(text, "run.json"); });
}

/// With something in every optional part that generated runs do not have.
Results complete_results() {
  auto results = example::results();
  results.place = Place{"n1", "Slurm step", 3, 8, 1, 2, "7_1.0", "own", "8 ranks run on 2 cores"};
  results.gpu = Gpu{.index = 1, .name = "NVIDIA H200", .major = 9, .minor = 0, .sms = 132, .bus = "0000:3b:00.0"};
  results.self_test = {{"copy", {Quantity::dram_read, 4e9, 0.02, false}, 4.1e9}};
  results.timer = {1e-8, 1e-3, "gpp/y", 10, 20, 0.01, 2e-6, 1e-5};
  results.skipped = {"three"}, results.counters = "cupti", results.device_note = "why";
  results.stores = {StorePolicy::Outcome::evades, 0.5, 2, 8e10, 6e10, 5.5e10, ""};
  results.points[3].counts.evaded = 4e6, results.points[3].counts.overwritten = 8e6;
  assess(results);
  return results;
}

TEST(StoredRun, WhatIsReadIsWhatWasWritten) {
  const auto results = complete_results();
  const auto text = document(results);
  EXPECT_EQ(document(parse_run(text, "run.json")), text);
}

TEST(StoredRun, FieldsAreReadByTheNamesOfOlderFiles) {
  auto results = example::results();
  results.points[3].counts.unpaired = 2e6, results.points[3].counts.details["predication"] = 0.5;
  auto text = document(results);
  text.replace(text.find("\"unpaired\""), 10, "\"lone\"");
  EXPECT_EQ(parse_run(text, "run.json").points[3].counts.unpaired, 2e6);
  auto json = parse_json(text, "");
  json["roofline"]["points"][3]["bound_by"] = "DRAM lone lines";
  json["roofline"]["points"][3]["counts"]["details"]["counted_instructions"] = 3e9;
  const auto point = parse_run(json.dump(), "run.json").points[3];
  EXPECT_EQ(point.bound_by, Resource(Resource::Kind::unpaired_lines, MemoryLevel::DRAM));
  EXPECT_EQ(point.counts.instructions, 3e9);
}

TEST(StoredRun, EveryReportOfAStoredRunIsThatOfTheRun) {
  const auto results = example::results();
  const auto stored = parse_run(document(results), "run.json");
  EXPECT_EQ(svg_plot(stored), svg_plot(results));
  EXPECT_EQ(page_data(stored), page_data(results));
  EXPECT_EQ(efficiency_csv(stored), efficiency_csv(results));
  EXPECT_EQ(reports().screen(stored, {}), reports().screen(results, {}));
  EXPECT_EQ(reports().everything(stored, {}), reports().everything(results, {}));
}

TEST(StoredRun, UnknownIsAbsentAndNotZero) {
  Results results;
  results.points.resize(1);
  results.points[0].name = "a/b", results.points[0].time.median = std::nan("");
  const auto run = stored_run(results);
  EXPECT_FALSE(run["points"][0].contains("probes"));
  EXPECT_FALSE(run.contains("gpu"));
  EXPECT_EQ(document(results).find("nan"), std::string::npos);
}

TEST(StoredRun, WithoutCeilingsIsReadBack) {
  auto results = example::results();
  results.roofline = Roofline();
  EXPECT_EQ(parse_run(document(results), "run.json").points.size(), results.points.size());
}

TEST(StoredRun, ErrorsNameThePlaceInOneLine) {
  EXPECT_EQ(error_of(R"({"roofline": {"schema": 1, "points": [{"name": 3}]}})"),
            "run.json: /roofline/points/0/name: a string is expected");
  EXPECT_EQ(error_of(R"({"roofline": {"schema": 99}})"),
            "run.json: /roofline/schema: version 99, this program reads 1 to 5");
  EXPECT_EQ(error_of("{\n  \"a\": ]"), "run.json:2:8: not JSON, or cut short");
  EXPECT_NE(error_of(R"({"context": {}, "benchmarks": []})").find("/roofline is missing"), std::string::npos);
  EXPECT_NE(error_of(R"({"roofline": {"schema": 1, "ceilings": [{"name": "x", "kind": "slow", "rate": 1}]}})")
                .find("/roofline/ceilings/0/kind: one of these is expected: compute, bandwidth"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"roofline": {"schema": 1, "points": [{"name": "x", "family": "x",
                     "counts": {"operations": {"add": -1, "mul": 0, "fma": 0, "div": 0}}}]}})")
                .find("/operations/add: the integer is out of range"),
            std::string::npos);
  for (const auto* const text : {"", "[]", "3", "{\"roofline\": 1}", "{\"roofline\": {\"schema\": 1e999}}"}) {
    EXPECT_EQ(error_of(text).rfind("run.json", 0), 0u) << text;
    EXPECT_EQ(error_of(text).find('\n'), std::string::npos) << text;
  }
}

TEST(StoredRun, RoundsThatAreNoneAreRefused) {
  for (const auto& rounds : {std::vector{-1}, {2'000'000'000}, {1, 0}}) {
    auto json = parse_json(document(example::results()), "");
    auto times = Json::array();
    for (const int round : rounds) times.push_back({{"round", round}, {"start", 0.0}, {"seconds", 1.0}});
    json["roofline"]["points"][0]["times"] = times;
    EXPECT_EQ(error_of(json.dump()), fmt::format("run.json: /roofline/points/0/times: rounds from 0 on, in order, are "
                                                 "expected, one is {}",
                                                 rounds.back()));
  }
}

TEST(StoredRun, UnknownKeysAreIgnored) {
  auto json = parse_json(document(example::results()), "");
  json["roofline"]["later"] = {1, 2};
  json["roofline"]["points"][0]["later"] = "x";
  EXPECT_EQ(parse_run(json.dump(), "run.json").points.size(), example::results().points.size());
}

TEST(StoredRun, GoogleBenchmarksDocumentStaysAsItIsWritten) {
  const std::string rows = R"({
  "context": {
    "date": "x"
  },
  "benchmarks": [
    {"name": "a}", "flops": 1.5000000000000000e+09}
  ]
}
)";
  const auto text = run_json(rows, example::results(), {{"more", "\"y\""}});
  const auto document = parse_json(text, "");
  EXPECT_EQ(document["context"], (Json{{"more", "\"y\""}, {"date", "x"}}));
  EXPECT_EQ(document["benchmarks"][0]["name"], "a}");
  EXPECT_EQ(document["roofline"]["schema"], run_schema);
  EXPECT_NE(text.find("1.5000000000000000e+09"), text.npos);
}

TEST(StoredRun, CompleteOfOlderFilesMeantThatNothingInterruptedThem) {
  for (const bool complete : {true, false}) {
    const auto run = run_of({{"roofline", {{"schema", 2}, {"complete", complete}}}}, "run.json");
    EXPECT_EQ(run.interrupted, !complete);
  }
  EXPECT_FALSE(run_of({{"roofline", {{"schema", 3}, {"complete", false}}}}, "run.json").interrupted);
}

}  // namespace
}  // namespace roofline::stored_run_test
