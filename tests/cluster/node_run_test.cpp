#include "reporters/cluster/node_run.hpp"

#include <gtest/gtest.h>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/cluster/made_up_nodes.hpp"
#include "tests/command_line.hpp"
#include "tests/error_of.hpp"
#include "tests/mutator.hpp"

namespace roofline::node_run_test {
namespace {

using namespace cluster;
using testing::Json;

Json usual() {
  return testing::node_json("n1", [](bool) { return 1.0; });
}
NodeRun read(const Json& run) { return read_node_run(run.dump(2), "x"); }
std::string complaint(const std::string& text) {
  const auto error = testing::error_of<FileError>([&] { read_node_run(text, "x/run.json"); });
  return error == "no error" ? "" : error;
}

TEST(NodeRun, RatesAreThoseOfCeilingsAndKernels) {
  const auto run = read(usual());
  EXPECT_EQ(run.node, "n1");
  ASSERT_EQ(run.rows.size(), 14u);
  EXPECT_EQ(std::count_if(run.rows.begin(), run.rows.end(), [](const auto& r) { return r.part == Part::memory; }), 6);
  EXPECT_EQ(run.rows.front().name, "ceiling/bandwidth/DRAM/copy");
  EXPECT_DOUBLE_EQ(run.rows.front().rate, 1e11);
  EXPECT_EQ(run.rows.back().name, "kernel/6");
  EXPECT_DOUBLE_EQ(run.rows.back().rate, 1000);
  EXPECT_EQ(run.facts[index(Fact::huge_pages)], "always");
  EXPECT_DOUBLE_EQ(run.memory_bytes, 64e9);
}

TEST(NodeRun, TheCeilingsOfItsOwnAccessesSayWhatBoundsARow) {
  auto run = usual();
  auto& points = run["roofline"]["points"];
  points[0]["mix"] = {{"bound", "fma"}}, points[0]["roof"] = {{"bound", "DRAM"}};
  points[6].erase("mix"), points[6]["roof"] = {{"bound", "DRAM read"}};
  const auto rows = read(run).rows;
  const auto part = [&](const std::string& name) {
    return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; })->part;
  };
  EXPECT_EQ(part("kernel/0"), Part::core);
  EXPECT_EQ(part("kernel/6"), Part::memory) << "the roof, where there is no mix";
}

TEST(NodeRun, ARowOfAnotherSizeIsAnotherRow) {
  auto run = usual();
  run["roofline"]["points"][6]["problem"] = "n:7";
  EXPECT_EQ(read(run).rows.back().name, "kernel/6 n:7");
}

TEST(NodeRun, StoredFilesOfBothVersionsAreRead) {
  const auto first =
      read_node_run(testing::contents(ROOFLINE_TEST_DATA "/../../results/xeon-cascadelake-2cores/run.json"), "x");
  EXPECT_EQ(first.node, "vm");
  EXPECT_EQ(first.rows.size(), 90u);
  EXPECT_EQ(first.disturbed, "disturbed: do not quote");  // the file says so
  EXPECT_NEAR(first.clock_hz, 3.1998e9, 1e6);
  EXPECT_EQ(first.facts[index(Fact::threads)], "2");
}

/// This build can compare the files that it writes.
TEST(NodeRun, RunsOfThisVersionAreRead) {
  EXPECT_EQ(newest_schema, run_schema);
  auto run = usual();
  run["roofline"]["schema"] = run_schema;
  EXPECT_EQ(read(run).rows.size(), 14u);
  run["roofline"]["complete"] = false, run["roofline"]["interrupted"] = false;  // a row failed
  EXPECT_TRUE(read(run).complete);
  run["roofline"]["interrupted"] = true;
  EXPECT_FALSE(read(run).complete);
}

TEST(NodeRun, TheNodeIsTheNameThatTheRunWasGiven) {
  auto run = usual();
  run["context"]["node"] = "real-1";
  EXPECT_EQ(read(run).node, "real-1");
  run["context"]["local_ranks"] = "2", run["context"]["local_rank"] = "1";
  EXPECT_EQ(read(run).local_rank, 1);
  EXPECT_TRUE(read(run).own_windows);
  run["context"]["window"] = "common";
  EXPECT_FALSE(read(run).own_windows);
}

TEST(NodeRun, NamesThatAShellOrASchedulerWouldReadOtherwiseAreRefused) {
  for (const auto* const name : {"a,b", "n[1-9]", "$(reboot)", "-w", "a b", "", "n1\nn2"}) {
    auto run = usual();
    run["context"]["host_name"] = name;
    EXPECT_NE(complaint(run.dump()), "") << name;
  }
}

TEST(NodeRun, EveryMachineMayBeCalledLocalhost) {
  for (const auto* const name : {"localhost", "localhost.localdomain", "localhost.", "unnamed"}) {
    auto run = usual();
    run["context"]["host_name"] = name;
    EXPECT_NE(complaint(run.dump()).find("--node=NAME"), std::string::npos) << name;
    run["context"]["node"] = "n7";
    EXPECT_EQ(read(run).node, "n7");
  }
}

TEST(NodeRun, FailuresOfTheFirstVersionAreThoseOfTheContext) {
  auto run = usual();
  run["roofline"]["schema"] = 1, run["context"]["failures"] = Json::array();
  EXPECT_EQ(read(run).failures, 0);
  run["context"]["failures"] = {"a: x[7]: got 1, expected 2", "b: c"};
  EXPECT_EQ(read(run).failures, 2);
  EXPECT_EQ(read(run).failure, "a: x[7]: got 1, expected 2");
  run["roofline"]["failures"] =
      Json::array({Json::array({"a", "x"}), Json::array({"b", "c"}), Json::array({"d", "e"})});
  EXPECT_EQ(read(run).failures, 3) << "those of the block say more";
}

TEST(NodeRun, FailuresAndNoiseAreKept) {
  auto run = usual();
  run["roofline"]["failures"] = Json::array({Json::array({"a", "x[7]: got 1, expected 2"}), Json::array({"b", "c"})});
  run["context"]["disturbed"] = "4 ranks share a GPU";
  run["roofline"]["noise"] = {{"steal", 0.2}, {"throttled", 0.1}};
  auto kept = read(run);
  EXPECT_EQ(kept.failures, 2);
  EXPECT_EQ(kept.failure, "a: x[7]: got 1, expected 2");
  EXPECT_EQ(kept.disturbed, "4 ranks share a GPU");
  EXPECT_DOUBLE_EQ(kept.steal, 0.2);
}

TEST(NodeRun, ComplaintsNameThePlace) {
  const auto text = usual().dump();
  EXPECT_EQ(complaint(""), "x/run.json:1:1: not JSON, or cut short");
  for (std::size_t length = 0; length < text.size(); length += 7)
    EXPECT_NE(complaint(text.substr(0, length)).find("not JSON, or cut short"), std::string::npos) << length;
  EXPECT_NE(complaint(R"({"context": {"host_name": "n"}, "benchmarks": []})").find("no run.json of this suite"),
            std::string::npos);
  auto run = usual();
  run["roofline"]["ceilings"][1]["rate"] = "fast";
  EXPECT_EQ(complaint(run.dump()), "x/run.json: /roofline/ceilings/1/rate: is not a number");
  run = usual(), run["roofline"]["schema"] = newest_schema + 1;
  EXPECT_NE(complaint(run.dump()).find("this program reads 1 to"), std::string::npos);
  run = usual(), run["roofline"]["model"] = {{"device", "v100"}};
  EXPECT_NE(complaint(run.dump()).find("modelled"), std::string::npos);
  run = usual(), run["roofline"]["points"] = Json::array(), run["roofline"]["ceilings"] = Json::array();
  EXPECT_NE(complaint(run.dump()).find("no row"), std::string::npos);
}

TEST(NodeRun, MutantsAreReadOrRefusedInOneLine) {
  const auto refused = testing::refused(usual().dump(), 1000, [](const std::string& text) {
    const auto why = complaint(text);
    EXPECT_EQ(why.find('\x1b'), std::string::npos) << why;
    if (!why.empty()) throw FileError(why);
  });
  EXPECT_GT(refused, 0.1);
  EXPECT_LT(refused, 1);
}

}  // namespace
}  // namespace roofline::node_run_test
