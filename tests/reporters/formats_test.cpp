#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/text/plain_text.hpp"
#include "reporters/files/files.hpp"
#include "reporters/imports/input.hpp"
#include "reporters/imports/profilers.hpp"
#include "tests/error_of.hpp"
#include "tests/example_results.hpp"

namespace roofline::formats_test {
namespace {

using testing::error_of;

std::string found(const std::string& name) {
  return read_plain_text(std::string(ROOFLINE_TEST_DATA "/field/found/") + name);
}

TEST(ErtJson, TheShippedExampleIsRead) {
  const auto results = parse_ert_json(found("roofline.json"), "roofline.json");
  EXPECT_EQ(results.machine.name, "edison01");
  EXPECT_NEAR(results.roofline.compute(Operation::fma)->rate, 355.79e9, 1e3);
  EXPECT_NEAR(*results.roofline.compute(Operation::fma)->theory, 460.4e9, 1);
  EXPECT_NEAR(results.roofline.bandwidth(MemoryLevel::L3)->rate, 669.08e9, 1);
  EXPECT_NEAR(*results.roofline.bandwidth(MemoryLevel::DRAM)->theory, 102.4e9, 1);
  EXPECT_NE(results.warnings.at(0).find("ordinal"), std::string::npos);
}

TEST(ErtJson, LevelsTakeTheNamesThatTheUserKnows) {
  const std::string v100 = R"({"empirical": {"gflops": {"data": [["FP64 GFLOPs", 7068.9]]},
                           "gbytes": {"data": [["L1", 2996.82], ["DRAM", 828.83]]}}})";
  InputOptions options;
  options.levels = {"L2", "DRAM"};
  const auto results = parse_input(v100, "v100.json", options);
  EXPECT_EQ(results.roofline.bandwidth(MemoryLevel::L1), nullptr);
  EXPECT_NEAR(results.roofline.bandwidth(MemoryLevel::L2)->rate, 2996.82e9, 1);
  options.levels = {"L2"};
  EXPECT_THROW(parse_input(v100, "v100.json", options), std::invalid_argument);
}

TEST(ErtJson, ErrorsNameThePlace) {
  const auto error = [](const std::string& text) { return error_of([&] { parse_ert_json(text, "r.json"); }); };
  EXPECT_EQ(error(R"({"empirical": {"gbytes": {"data": [["L1"]]}}})"),
            "r.json: /empirical/gbytes/data/0: [name, value] is expected");
  EXPECT_EQ(error(R"({"empirical": {"gbytes": {"data": [["L1", -1]]}}})"),
            "r.json: /empirical/gbytes/data/0: the value is no rate");
  EXPECT_EQ(error(found("roofline.json").substr(0, 100)).rfind("r.json:1:", 0), 0u);
}

TEST(GoogleJson, RepetitionsAreOnePointAtTheirMedian) {
  std::string rows;
  for (const int time : {3, 1, 2})
    rows += (rows.empty() ? "" : ",") +
            std::string(R"({"name": "BM/1", "run_type": "iteration", "time_unit": "us", "real_time": )") +
            std::to_string(time) + R"(, "ops": 100, "moved": 50, "nothing": -Infinity})";
  rows +=
      R"(,{"name": "BM/1_mean", "run_type": "aggregate", "aggregate_name": "mean", "time_unit": "us", "real_time": 9})";
  rows += R"(,{"name": "BM/2", "time_unit": "us", "real_time": 9})";
  InputOptions options;
  options.flops = "ops", options.bytes = "moved", options.level = "L2", options.per_iteration = true;
  const auto results = parse_google_json("{\"benchmarks\": [" + rows + "]}", "g.json", options);
  ASSERT_EQ(results.points.size(), 1u);
  EXPECT_NEAR(results.points[0].time.median, 2e-6, 1e-12);
  EXPECT_NEAR(*results.points[0].counts.intensity(MemoryLevel::L2), 2, 1e-9);
  EXPECT_EQ(results.points[0].counts.operations.flops(), 100u);
  EXPECT_NE(results.warnings.at(0).find("1 rows without ops or moved"), std::string::npos);
}

TEST(GoogleJson, WhatARowDoesNotSayIsAssumedWithAWord) {
  InputOptions options;
  options.flops = "flops", options.bytes = "bytes";
  const auto results = parse_google_json(
      R"({"benchmarks": [{"name": "BM/1", "real_time": 2e6, "flops": 1e9, "bytes": 1e9}]})", "g.json", options);
  EXPECT_DOUBLE_EQ(results.points.at(0).time.median, 2e-3);
  const auto said = fmt::format("{}", fmt::join(results.warnings, "\n"));
  EXPECT_NE(said.find("times without time_unit are taken for ns"), std::string::npos) << said;
  EXPECT_NE(said.find("rates without cpu_time are taken for those of real_time"), std::string::npos) << said;
}

TEST(GoogleJson, RowsThatFailedAreMissing) {
  InputOptions options;
  options.flops = "flops", options.bytes = "bytes";
  const auto results = parse_google_json(
      R"({"benchmarks": [{"name": "a", "time_unit": "ns", "real_time": 2e6, "flops": 1e9, "bytes": 1e9},
                         {"name": "b", "error_occurred": true, "error_message": "no device"}]})",
      "g.json", options);
  EXPECT_FALSE(results.complete());
  EXPECT_EQ(results.failures, (std::vector<std::pair<std::string, std::string>>{{"b", "no device"}}));
}

TEST(RunCsv, ErrorsNameTheLine) {
  EXPECT_EQ(error_of([] { parse_run_csv("name,flops\na\n", "e.csv"); }), "e.csv:2: 1 fields, the header has 2");
  EXPECT_EQ(error_of([] { parse_run_csv("name,flops\na,x\n", "e.csv"); }), "e.csv:2: flops: 'x' is no number");
}

std::vector<Ceiling> opinions_of(const std::string& text, const std::string& origin) {
  OpinionOptions options;
  return parse_external_ceilings(text, origin, options);
}

TEST(ExternalCeilings, EveryToolIsReadAndNamed) {
  const auto find = [](const std::string& text, const std::string& label) {
    for (const auto& ceiling : opinions_of(text, "file"))
      if (ceiling.label == label) return ceiling.external ? ceiling.rate : -1;
    return 0.0;
  };
  EXPECT_EQ(find(found("carm.csv"), "CARM L2"), 900e9);
  EXPECT_EQ(find(found("carm.csv"), "CARM no-FMA"), 130e9);
  EXPECT_EQ(find(found("carm.csv"), "CARM FMA"), 0) << "0 was not measured";
  EXPECT_EQ(find(found("rocprof.csv"), "rocprof HBMBw"), 1406.8727e9);
  EXPECT_EQ(find(found("rocprof.csv"), "rocprof FP64 FMA"), 20438.549e9);
  EXPECT_EQ(find(found("babel_mebibytes.csv"), "BabelStream Copy"), 150000 * 1048576.0);
  EXPECT_EQ(find(found("likwid_bench.txt"), "likwid-bench triad_avx512"), 50000.5e6);
  EXPECT_EQ(find(found("nvbench.json"), "nvbench copy"), 4.1e12);
  EXPECT_NE(error_of([] { opinions_of(R"({"benchmarks": [], "devices": []})", "n.json"); }).find("/meta is missing"),
            std::string::npos);
}

TEST(ExternalCeilings, IsShownAndIsNoRoof) {
  auto results = example::results(false);
  auto ceilings = results.roofline.ceilings();
  for (auto ceiling : opinions_of(found("carm.csv"), "c.csv")) {
    ceiling.rate *= 100, ceiling.threads = results.roofline.threads();
    ceilings.push_back(ceiling);
  }
  const Roofline with(ceilings, results.roofline.threads());
  EXPECT_EQ(with.bandwidth(MemoryLevel::DRAM)->rate, results.roofline.bandwidth(MemoryLevel::DRAM)->rate);
  EXPECT_EQ(with.compute(Operation::nofma)->rate, results.roofline.compute(Operation::nofma)->rate);
}

}  // namespace
}  // namespace roofline::formats_test
