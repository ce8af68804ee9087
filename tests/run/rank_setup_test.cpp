#include "bench/run/rank_setup.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command_line.hpp"

namespace roofline::rank_setup_test {
namespace {

using testing::Scratch;

const std::string tiny =
    " --device=cpu --ceilings=none --stream=20000 --benchmark_filter=stream/triad --benchmark_min_time=0.001 ";

/// Rank `rank` of two on one node, as Open MPI would start it.
std::string as_rank(int rank) {
  const auto r = std::to_string(rank);
  return "ROOFLINE_NODE=n7 OMPI_COMM_WORLD_RANK=" + r + " OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=" + r +
         " OMPI_COMM_WORLD_LOCAL_SIZE=2 '" ROOFLINE_BENCH "'" + tiny;
}

/// Both of them at once.
testing::Outcome two_ranks(const std::string& flags, const Scratch& folder) {
  return testing::shell(
      "(" + as_rank(1) + flags + " >second) & first=0; " + as_rank(0) + flags + " || first=$?; wait $! && exit $first",
      folder);
}

nlohmann::ordered_json document(const std::string& path) { return testing::json_of(path); }

TEST(RankSetup, RanksHaveFoldersAndTheFirstOnePrints) {
  const Scratch folder;
  const auto outcome = two_ranks("--benchmark_out=copy.json", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(testing::contents(folder / "second"), "");
  EXPECT_NE(outcome.out.find("launcher:            Open MPI, rank 0 of 2, local 0 of 2, node n7"), std::string::npos)
      << outcome.out;
  for (const int rank : {0, 1}) {
    const auto run = document(folder / ("roofline-out/n7." + std::to_string(rank) + "/run.json"));
    const auto &context = run["context"], &place = run["roofline"]["place"];
    EXPECT_EQ(context["node"], "n7");
    EXPECT_EQ(context["launcher"], "Open MPI");
    EXPECT_EQ(context["rank"], std::to_string(rank));
    EXPECT_EQ(context["ranks"], "2");
    EXPECT_EQ(context["local_rank"], std::to_string(rank));
    EXPECT_EQ(context["local_ranks"], "2");
    EXPECT_EQ(place["rank"], rank);
    EXPECT_EQ(place["window"], "own");
    EXPECT_EQ(context["window"], "own");
    for (const auto& row : run["benchmarks"])
      EXPECT_NE(row["label"].get<std::string>().find(" window=own"), std::string::npos);
  }
  EXPECT_EQ(document(folder / "copy.json")["context"]["rank"], "0");
}

TEST(RankSetup, ErrorsOfEveryRankAreToldOnStandardError) {
  const Scratch folder;
  const auto outcome = testing::shell(as_rank(1) + "--out=/proc/nowhere", folder);
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(RankSetup, WithRanksOffEachIsAlone) {
  const Scratch folder;
  const auto outcome = testing::shell(as_rank(1) + "--ranks=off --node=mine", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto run = document(folder / "roofline-out/run.json");
  EXPECT_EQ(run["context"]["node"], "mine");
  EXPECT_FALSE(run["context"].contains("rank"));
  EXPECT_FALSE(run["roofline"]["place"].contains("window"));
  EXPECT_NE(outcome.out, "");
}

TEST(RankSetup, ABadValueIsOneWarningAndASingleProcess) {
  const Scratch folder;
  const auto outcome =
      testing::shell("PMI_RANK=x PMI_SIZE=2 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=2 '" ROOFLINE_BENCH "'" + tiny, folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto run = document(folder / "roofline-out/run.json");
  int told = 0;
  for (const auto& warning : run["roofline"]["warnings"])
    told += warning.get<std::string>().rfind("PMI_RANK=x: ", 0) == 0;
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(run["context"].contains("launcher"));
}

Gpu gpu(int index) {
  Gpu named;
  named.index = index;
  return named;
}

TEST(RankSetup, ASharedGpuIsTold) {
  RankSetup setup;
  setup.place.local_rank = 2, setup.with_these_devices = {0, 1, 2, 3};
  EXPECT_EQ(shared_device(setup, gpu(2), 4, false), "");
  EXPECT_EQ(shared_device(setup, gpu(0), 2, false), "GPU 0 is also used by local rank 0");
  EXPECT_EQ(shared_device(setup, gpu(1), 4, true), "GPU 1 is also used by local ranks 0, 1, 3");
  setup.with_these_devices = {2};  // its launcher shows each rank another one
  EXPECT_EQ(shared_device(setup, gpu(0), 1, false), "");
}

}  // namespace
}  // namespace roofline::rank_setup_test
