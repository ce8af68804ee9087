#include <fstream>
#include <map>

#include "tests/any_program/counted.hpp"

namespace roofline::parts_test {
namespace {

using namespace ::roofline::testing;

/// The kinds of rows: loops, inlined functions, regions.
class CountedParts : public Counted {
 protected:
  /// FLOPs by row, of those that have some.
  std::map<std::string, double> flops(const std::string& arguments) {
    const auto outcome = count("--min-share=0 --no-bytes " + arguments, folder);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    table = outcome.out;
    std::map<std::string, double> all;
    for (const auto& point : read_run(folder / "out/run.json").points)
      if (const auto number = point.counts.operations.flops())
        all[point.name.substr(point.name.find('/') + 1)] += static_cast<double>(number);
    return all;
  }
  using Flops = std::map<std::string, double>;
  std::string table;
};

TEST_F(CountedParts, LoopsAreRowsByTheirLines) {
  ASSERT_EQ(compile("parts", "", folder), "");
  EXPECT_EQ(
      flops("--by=loop -- ./parts"),
      (Flops{{"nested/loop@15", 100}, {"nested/loop@17", 20000}, {"nested/loop@19", 100}, {"lengths/loop@23", 60000}}));
}

TEST_F(CountedParts, WhatIsInlinedIsARowOfItsOwn) {
  ASSERT_EQ(compile("parts", "-ffp-contract=off", folder), "");
  EXPECT_EQ(flops("--by=inlined -- ./parts"), (Flops{{"nested", 20200}, {"square", 40000}, {"length", 20000}}));
  EXPECT_EQ(flops("-- ./parts"), (Flops{{"nested", 20200}, {"lengths", 60000}}));
}

TEST_F(CountedParts, BytesOfLoopsAddUpToThoseOfTheFunction) {
  ASSERT_EQ(compile("parts", "-no-pie", folder), "");
  const auto loaded = [&](const std::string& by) {
    EXPECT_EQ(count("--min-share=0 --caches=32K/8:256K/8 --by=" + by + " -- ./parts", folder).code, 0);
    double sum = 0;
    for (const auto& point : read_run(folder / "out/run.json").points)
      if (point.name.starts_with("parts/nested") && point.counts.at(MemoryLevel::L1))
        sum += point.counts.at(MemoryLevel::L1)->total();
    return sum;
  };
  EXPECT_GE(loaded("function"), 8 * 20000);
  EXPECT_EQ(loaded("loop"), loaded("function"));
}

TEST_F(CountedParts, OnlyFunctionsAreFoundAgainInAnotherBuild) {
  ASSERT_EQ(compile("parts", "", folder), "");
  ASSERT_EQ(compile("parts", "-O1", folder, "other"), "");
  const auto outcome = count("--by=loop --time=./other -- ./parts", folder);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("--by=loop"), std::string::npos) << outcome.err;
}

TEST_F(CountedParts, RegionsAreRowsOfWhatIsDoneWhileTheyAreOpen) {
  if (!preloads()) GTEST_SKIP() << "a sanitizer's runtime must come first";
  ASSERT_EQ(compile("regions", "", folder), "");
  // 5 sums and 50 divisions in "part"; 1000 more in "whole", and 4000 of a thread that marks nothing.
  EXPECT_EQ(flops("-- ./regions"), (Flops{{"part", 55}, {"whole", 5056}}));
  EXPECT_NE(table.find("Regions of regions"), std::string::npos) << table;
  for (const auto& point : read_run(folder / "out/run.json").points) EXPECT_GT(point.time.median, 0) << point.name;
  EXPECT_EQ(flops("--by=function -- ./regions")["divide"], 5150);
  ASSERT_EQ(compile("parts", "", folder), "");
  EXPECT_EQ(flops("--by=region -- ./parts").size(), 2u) << "no regions, so functions";
}

TEST_F(CountedParts, RegionsOfTheLibraryAreRowsByTheirPaths) {
  if (!preloads()) GTEST_SKIP() << "a sanitizer's runtime must come first";
  const std::string root = ROOFLINE_TEST_DATA "/../..";
  const auto compiled =
      shell("c++ -std=c++20 -O0 -march=x86-64-v3 -I'" + root + "' -I'" + root + "/bench/library/include' '" + root +
                "/tests/any_program/programs/library_regions.cpp' -o library_regions",
            folder);
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  EXPECT_EQ(flops("-- ./library_regions")["whole/part"], 50);
  for (const auto& point : read_run(folder / "out/run.json").points)  // the library adds up the times of parts
    if (point.name.ends_with("whole")) {
      EXPECT_EQ(point.counts.operations.div, 1050u);
    }
}

TEST_F(CountedParts, MarkersWithinTheProgramAreNamed) {
  if (!preloads()) GTEST_SKIP() << "a sanitizer's runtime must come first";
  std::ofstream(folder / "own.c") << "int likwid_markerStartRegion(const char* n) { return !n; }\n"
                                     "int main(void) { return likwid_markerStartRegion(\"a\"); }\n";
  ASSERT_EQ(shell("cc -O0 own.c -o own", folder).code, 0);
  const auto outcome = count("--no-bytes -- ./own", folder);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("LIKWID's markers are linked into the program itself"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace roofline::parts_test
