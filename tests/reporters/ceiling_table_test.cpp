#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/machine/core_units.hpp"
#include "microkernels/ert/sweep.hpp"
#include "reporters/tables/tables.hpp"
#include "tests/example_results.hpp"
#include "tests/shown.hpp"

namespace roofline::ceiling_table_test {
namespace {

using testing::headers_of, testing::row_of;

TEST(CeilingTable, ComputeRowsHaveIntervalTheoryAndVariant) {
  const auto table = compute_ceiling_table(example::results());
  EXPECT_EQ(row_of(table, "  fma"), (std::vector<std::string>{"  fma", "avx512", "full", "258.0", "257.7",
                                                              "257.5 .. 258.3", "261.9", "98.5", "12 chains"}));
  const auto div = row_of(table, "  div");
  EXPECT_EQ(div[6], "-") << "no theory is known";
  EXPECT_EQ(div[7], "-");
}

TEST(CeilingTable, ALatencyOfFewWarpsIsNotCalledFull) {
  auto results = example::results();
  auto ceilings = results.roofline.ceilings();
  ceilings.front().warps = 1;
  results.roofline = Roofline(ceilings, 2);
  EXPECT_EQ(row_of(compute_ceiling_table(results), "  fma")[2], "1 warp/SM");
}

TEST(CeilingTable, SaysAtWhichClockTheoryWasTakenWhereItIsAnother) {
  auto results = example::results();
  results.machine.family = 26, results.machine.model = 2;  // whose units are known
  const auto note = [&] {
    for (const auto& note : compute_ceiling_table(results).notes)
      if (note.starts_with("theory")) return note;
    return std::string();
  };
  auto ceilings = results.roofline.ceilings();
  for (auto& ceiling : ceilings)
    if (const auto rate = theoretical_rate(ceiling, results.machine)) ceiling.theory = *rate;
  results.roofline = Roofline(ceilings, 2);
  EXPECT_EQ(note(), "");
  for (auto& ceiling : ceilings)
    if (ceiling.theory && ceiling.isa == "avx512") *ceiling.theory *= 0.75;
  results.roofline = Roofline(ceilings, 2);
  EXPECT_EQ(note(),
            fmt::format("theory: at the clock while such instructions run, avx512 {:.2f} GHz (all else {:.2f} GHz)",
                        0.75e-9 * results.machine.clock_hz, 1e-9 * results.machine.clock_hz));
}

TEST(CeilingTable, NamesASampleAboveTheoryWithItsClock) {
  auto results = example::results();
  auto ceilings = results.roofline.ceilings();
  auto& fma = ceilings.front();
  ASSERT_EQ(fma.operation, Operation::fma);
  const auto notes = [&] {
    results.roofline = Roofline(ceilings, 2);
    const auto all = compute_ceiling_table(results).notes;
    return std::count_if(all.begin(), all.end(), [](const auto& note) { return note.starts_with("above theory"); });
  };
  EXPECT_EQ(notes(), 0);
  fma.theory = 1e9 * 255;  // between its best sample, 258.3, and the others'
  fma.clock_end = 1.98e9;
  EXPECT_EQ(notes(), 1);
  const auto all = compute_ceiling_table(results).notes;
  EXPECT_EQ(std::count(all.begin(), all.end(),
                       "above theory: fp64 avx512 fma, whose best sample is 101.3 % of it at 1.980 GHz; the sample was "
                       "too fast, or the clock was higher"),
            1);
}

TEST(CeilingTable, GroupsArePrecisionAndThreadsAllThreadsFirst) {
  const auto table = compute_ceiling_table(example::results());
  std::vector<std::string> groups;
  for (const auto& row : table.rows)
    if (row.cells.size() == 1) groups.push_back(row.cells[0]);
  EXPECT_EQ(groups, (std::vector<std::string>{"fp64, 2 threads", "fp64, 1 thread", "fp32, 2 threads"}));
}

TEST(CeilingTable, BandwidthIsLevelsByMixesWithRoofAndRidge) {
  const auto table = bandwidth_table(example::results());
  EXPECT_EQ(headers_of(table), (std::vector<std::string>{"level", "read", "write", "write_nt", "copy", "triad",
                                                         "update", "roof", "median", "range", "ridge"}));
  EXPECT_EQ(row_of(table, "DRAM"), (std::vector<std::string>{"DRAM", "51.00", "48.20", "40.50", "65.90", "63.00",
                                                             "62.10", "copy", "65.70", "65.24 .. 66.30", "3.92"}));
  EXPECT_EQ(row_of(table, "L1")[3], "-") << "not measured";
  EXPECT_EQ(row_of(table, "L1")[7], "read");
}

TEST(CeilingTable, CeilingsUnderLoadStandBesideTheRoofsWithTheirClock) {
  Results results;
  auto flops = example::compute(Operation::fma, 200, "vector"), bytes = example::memory(MemoryLevel::DRAM, "read", 50);
  for (auto* const ceiling : {&flops, &bytes})
    ceiling->sustained = true, ceiling->clock_begin = 1.98e9, ceiling->clock_end = 1.41e9;
  results.roofline = Roofline({example::memory(MemoryLevel::DRAM, "read", 60), flops, bytes}, 2);
  EXPECT_EQ(row_of(bandwidth_table(results), "DRAM")[1], "60.00");
  const auto compute = compute_ceiling_table(results), others = other_bandwidth_table(results);
  EXPECT_EQ(row_of(compute, "  fma")[2], "sustained");
  EXPECT_EQ(row_of(others, "DRAM")[1], "read, sustained");
  EXPECT_EQ(compute.notes.back(), "sustained fp64 vector: the clock went from 1980 to 1410 MHz");
  EXPECT_EQ(others.notes, (std::vector<std::string>{"sustained DRAM read: the clock went from 1980 to 1410 MHz"}));
}

TEST(CeilingTable, OnlyWhatExistsIsShown) {
  Results results;
  EXPECT_EQ(to_text(compute_ceiling_table(results)), "");
  EXPECT_EQ(to_text(bandwidth_table(results)), "");
  EXPECT_EQ(to_text(other_bandwidth_table(results)), "");
  results.roofline = Roofline({example::memory(MemoryLevel::DRAM, "triad", 63)}, 2);
  const auto table = bandwidth_table(results);
  EXPECT_EQ(headers_of(table), (std::vector<std::string>{"level", "triad", "roof", "median", "range", "ridge"}));
  EXPECT_EQ(row_of(table, "DRAM")[5], "-") << "no compute ceiling, no ridge";
}

TEST(CeilingTable, StridedRandomAndOtherThreadCountsAreRows) {
  const auto table = other_bandwidth_table(example::results());
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].cells[1], "stride:8");
  EXPECT_EQ(table.rows[1].cells[1], "random");
  EXPECT_EQ(table.rows[2].cells[2], "1");
}

TEST(CeilingTable, TheoryOfAGpusMemoryNamesWhatItIsMadeOf) {
  const auto note = [](double roof) {
    Results results;
    results.roofline = Roofline({example::memory(MemoryLevel::DRAM, "read", roof)}, 2);
    results.gpu.emplace();
    results.gpu->memory_clock_hz = 2619e6, results.gpu->bus_bits = 5120;
    return to_text(bandwidth_table(results));
  };
  EXPECT_NE(note(3117).find("2 x 2619 MHz x 5120 bit / 8 = 3352 GB/s"), std::string::npos) << note(3117);
  EXPECT_EQ(note(3117).find("doubt"), std::string::npos) << "93 % of it";
  EXPECT_NE(note(2900).find("doubt clock and width first"), std::string::npos) << note(2900);
  EXPECT_NE(note(3700).find("doubt clock and width first"), std::string::npos) << note(3700);
}

/// A sweep at one bandwidth, of sets of 1 MiB to 1 GiB.
ErtSweep sweep(int flops, double bandwidth, const char* launch = "") {
  ErtSweep s;
  s.flops_per_element = flops, s.launch = launch;
  for (double bytes = 1 << 20; bytes <= 1 << 30; bytes *= 1.1)
    s.rows.push_back({bytes, 1, 2 * bytes / bandwidth, 2 * bytes, bytes / 8 * flops});
  return s;
}

Results results(std::vector<ErtSweep> sweeps) {
  Results r;
  r.roofline = Roofline({}, 1);
  r.ert = summarize(std::move(sweeps), {{.level = MemoryLevel::L2, .size = 50 << 20}});
  return r;
}

TEST(ErtTable, OfAGpuShowsTheBestLaunchOfEachF) {
  const auto table = ert_table(results({sweep(1, 3e12, "2112 x 128"), sweep(1, 4e12, "264 x 1024"),
                                        sweep(512, 1e12, "264 x 1024"), sweep(512, 2e12, "4224 x 64")}));
  ASSERT_EQ(table.columns.size(), 5u) << "two per F";
  EXPECT_EQ(table.rows[0].cells[1], "4000");
  EXPECT_EQ(table.rows[0].cells[3], "2000");
  EXPECT_EQ(table.title.find("thread"), table.title.npos);
  EXPECT_TRUE(std::any_of(table.notes.begin(), table.notes.end(), [](const std::string& note) {
    return note.find("of 4 launches") != note.npos && note.find("264 x 1024, 4224 x 64.") != note.npos;
  }));
}

TEST(ErtTable, OfACpuNamesItsThreads) {
  const auto table = ert_table(results({sweep(1, 1e11), sweep(16, 9e10)}));
  EXPECT_NE(table.title.find("1 thread"), table.title.npos);
  EXPECT_EQ(table.columns.size(), 5u);
}

}  // namespace
}  // namespace roofline::ceiling_table_test
