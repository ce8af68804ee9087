#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command_line.hpp"

namespace roofline::likwid_markers_test {
namespace {

const std::string rows =
    " --device=cpu --ceilings=none --threads=2 --stream=20000 --benchmark_min_time=0.001 "
    "--benchmark_filter='stream/(copy|triad)' ";

TEST(LikwidMarkers, MakeOneLaunchOfEachRowARegionOfAllThreads) {
  testing::Scratch folder;
  const auto marked = testing::shell("LIKWID_MODE=1 LIKWID_FILEPATH=counts.csv LD_LIBRARY_PATH='" ROOFLINE_FAKE_LIKWID
                                     "' '" ROOFLINE_BENCH "' --counters=none" +
                                         rows,
                                     folder);
  ASSERT_EQ(marked.code, 0) << marked.err;
  const auto written = testing::contents(folder / "counts.csv");
  EXPECT_NE(written.find("TABLE,Region stream/triad/n:20000,Group 1 Raw,CLOCK,1\ncall count,1,1,\n"), written.npos)
      << "one region of a row, in each of two threads: " << written;
  const auto imported = testing::bench("--counters=counts.csv" + rows, folder);
  ASSERT_EQ(imported.code, 0) << imported.err;
  const auto document = testing::json_of(folder / "roofline-out/run.json");
  for (const auto& row : document["benchmarks"])
    EXPECT_EQ(row.value("counted_instructions", 0.0), 2000.0) << row["name"] << ": 1000 of each thread in one launch";
  EXPECT_EQ(document["benchmarks"].size(), 2u);
}

TEST(LikwidMarkers, WithoutTheLibraryAreRefusedInOneLine) {
  testing::Scratch folder;
  // Empty files stand before a library that may be installed: the loader looks no further.
  const auto outcome = testing::shell(
      "touch liblikwid.so.5 liblikwid.so; LIKWID_MODE=1 LIKWID_FILEPATH=counts.csv LD_LIBRARY_PATH=\"$PWD\" "
      "'" ROOFLINE_BENCH "' --counters=none" +
          rows,
      folder);
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("LD_LIBRARY_PATH=<folder"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace roofline::likwid_markers_test
