#include <gtest/gtest.h>

#include "bench/counters/imports/imported.hpp"
#include "bench/text/output.hpp"
#include "tests/error_of.hpp"

// Written for these tests, numbers too; the row kinds, columns and paddings are those of real runs and of LIKWID's own
// printing code, named at each text.
namespace roofline::likwid_csv_test {
namespace {

// Shape of likwid-perfctr 5's file of a run on one core with marked regions: github.com/Pull-eckermann/trab2-icc,
// commit 936fb8dd3d78, FLOPS_DP.csv. Calls stand above the table; a file has this block once per region.
const std::string one_core = R"(STRUCT,Info,3
CPU name:,Intel(R) Core(TM) i7-9999 CPU @ 3.00GHz,
CPU type:,Intel Coffeelake processor,
CPU clock:,3.0 GHz,
TABLE,Region stream/triad,Group 1 Raw,FLOPS_DP,4
Region Info,HWThread 3,
RDTSC Runtime [s],0.000031,
call count,50,
Event,Counter,HWThread 3
INSTR_RETIRED_ANY,FIXC0,100000
CPU_CLK_UNHALTED_CORE,FIXC1,200000
FP_ARITH_INST_RETIRED_SCALAR_DOUBLE,PMC1,0
FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE,PMC2,5000
TABLE,Region stream/triad,Group 1 Metric,FLOPS_DP,3
Metric,HWThread 3,
Runtime (RDTSC) [s],3.100000e-05,
CPI,2,
DP [MFLOP/s],645.1613,
)";

// The output of version 5.5.1 (commit a7dee7f35ccd) for three cores of two sockets: its Lua code, run on made-up
// numbers. Memory channels are counted by one core of a socket, "-" elsewhere; metrics may be nan and inf.
const std::string two_sockets = R"(STRUCT,Info,3,,,
CPU name:,AMD EPYC 7543 32-Core Processor,,,,
CPU type:,AMD K19 (Zen3) architecture,,,,
CPU clock:,2.79475 GHz,,,,
TABLE,Region stream/triad,Group 1 Raw,MEM_DP,4,
Region Info,HWThread 0,HWThread 1,HWThread 64,,
RDTSC Runtime [s],0.501000,0.502000,0.503000,,
call count,10,10,10,,
Event,Counter,HWThread 0,HWThread 1,HWThread 64,
RETIRED_INSTRUCTIONS,PMC0,4000000,5000000,6000000,
DRAM_CHANNEL_0,DFC0,640,-,320,
DRAM_CHANNEL_0,DFC4,60,-,-,
PWR_PKG_ENERGY,PWR0,12.3456,-,1.000000e-05,
TABLE,Region stream/triad,Group 1 Raw STAT,MEM_DP,4,
Event,Counter,Sum,Min,Max,Avg
RETIRED_INSTRUCTIONS STAT,PMC0,15000000,4000000,6000000,5000000
DRAM_CHANNEL_0 STAT,DFC0,960,320,640,320
DRAM_CHANNEL_0 STAT,DFC4,60,60,60,20
PWR_PKG_ENERGY STAT,PWR0,12.3456,1.000000e-05,12.3456,4.1152
TABLE,Region stream/triad,Group 1 Metric,MEM_DP,2,
Metric,HWThread 0,HWThread 1,HWThread 64,,
CPI,nan,inf,1.5000,,
Memory bandwidth [MBytes/s],-,5.5000,nan,,
TABLE,Region stream/triad,Group 1 Metric STAT,MEM_DP,2,
Metric,Sum,Min,Max,Avg,
CPI STAT,1.5000,1.5000,1.5000,0.5000,
Memory bandwidth [MBytes/s] STAT,5.5000,5.5000,5.5000,1.8333,
)";

// A group of one's own (-g EVENT:COUNTER,...) of a whole program: no region, no metrics, the time among the events.
const std::string own_group = R"(STRUCT,Info,3
CPU name:,Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz,
CPU type:,Intel Skylake SP processor,
CPU clock:,2.4 GHz,
TABLE,Group 1 Raw,Custom,2
Event,Counter,HWThread 0
Runtime (RDTSC) [s],TSC,1.250000e+00
L1D_REPLACEMENT,PMC0,7000
)";

// likwid-perfctr 4.0.1 (commit c40492118efa) names group and region in a line of their own;
// github.com/RRZE-HPC/kerncraft, commit 5d1cc67bd785, keeps such an output in tests/test_files/dummy_likwid.
const std::string version_4_0 = R"(STRUCT,Info,5
1,MEM,stream/triad
Region Info,Core 0,
RDTSC Runtime [s],10.2,
call count,2,
CPU clock,2.7 MHz,
TABLE,Group 1 Raw,MEM,2
Event,Counter,Core 0
INSTR_RETIRED_ANY,FIXC0,3.000000e+07
CAS_COUNT_RD,MBOX0C0,5.000000e+03
TABLE,Group 1 Metric,MEM,1
Metric,Core 0,
Runtime (RDTSC) [s],10.2,
)";

// likwid-mpirun, as pasted in RRZE-HPC/likwid pull request 200: cores are HOST:RANK:CPU, calls stand among the events.
const std::string mpirun = R"(Region,stream/triad,
Group,1,
Event,Counter,e0107:0:0,e0107:1:10
Runtime (RDTSC) [s],TSC,1.205799,1.2
Region calls,CTR,10,10
INSTR_RETIRED_ANY,FIXC0,5000,7000
CAS_COUNT_RD,MBOX7C0,0,40
Metric,e0107:0:0,e0107:1:10
CPI,1.2058,1.1
)";

perf::EventCounts triad(const std::string& text, const std::string& region = "stream/triad") {
  const auto rows = perf::parse_cpu_counters(text, "FILE");
  EXPECT_EQ(rows.size(), 1U);
  return rows.contains(region) ? rows.at(region) : perf::EventCounts{};
}

std::string with(std::string text, const std::string& old, const std::string& other) {
  const auto at = text.find(old);
  EXPECT_NE(at, text.npos) << old;
  return text.replace(at, old.size(), other);
}

std::string refusal(const std::string& text) {
  const auto why = testing::error_of<FileError>([&] { perf::parse_cpu_counters(text, "FILE"); });
  EXPECT_EQ(why.find('\n'), std::string::npos);
  return why;
}

TEST(LikwidCsv, CallsAboveTheTableDivideItsCounts) {
  EXPECT_EQ(triad(one_core), (perf::EventCounts{{"INSTR_RETIRED_ANY", 2000},
                                                {"CPU_CLK_UNHALTED_CORE", 4000},
                                                {"FP_ARITH_INST_RETIRED_SCALAR_DOUBLE", 0},
                                                {"FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", 100}}));
}

TEST(LikwidCsv, CoresSocketsAndChannelsAreAddedUpAndStatisticsLeftOut) {
  const auto events = triad(two_sockets);
  EXPECT_EQ(events.size(), 3U);
  EXPECT_EQ(events.at("RETIRED_INSTRUCTIONS"), 1500000);
  EXPECT_EQ(events.at("DRAM_CHANNEL_0"), 102);
  EXPECT_NEAR(events.at("PWR_PKG_ENERGY"), 1.234561, 1e-9);
}

TEST(LikwidCsv, ANanOfOneCoreIsNoCountOfTheEvent) {
  const auto text = with(two_sockets, "4000000,5000000,6000000", "4000000,nan,6000000");
  ::testing::internal::CaptureStderr();
  const auto events = triad(text);
  const auto said = ::testing::internal::GetCapturedStderr();
  EXPECT_FALSE(events.contains("RETIRED_INSTRUCTIONS")) << "two of three cores do not count for all";
  EXPECT_EQ(events.at("DRAM_CHANNEL_0"), 102) << "a dash is a core that does not read this unit";
  EXPECT_NE(said.find("RETIRED_INSTRUCTIONS is not counted"), std::string::npos) << said;
}

TEST(LikwidCsv, RegionsAreKeptApart) {
  const auto rows = perf::parse_cpu_counters(
      one_core + with(with(one_core, "stream/triad,Group 1 Raw", "gpp/a,b,Group 1 Raw"), "count,50", "count,1"),
      "FILE");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at("stream/triad").at("INSTR_RETIRED_ANY"), 2000);
  EXPECT_EQ(rows.at("gpp/a,b").at("INSTR_RETIRED_ANY"), 100000);
}

TEST(LikwidCsv, AWholeProgramHasNoRegionAndItsTimeIsNoEvent) {
  EXPECT_EQ(triad(own_group, ""), (perf::EventCounts{{"L1D_REPLACEMENT", 7000}}));
}

TEST(LikwidCsv, OldVersionsAndMpirunAreRead) {
  EXPECT_EQ(triad(version_4_0), (perf::EventCounts{{"INSTR_RETIRED_ANY", 15000000}, {"CAS_COUNT_RD", 2500}}));
  EXPECT_EQ(triad(mpirun), (perf::EventCounts{{"INSTR_RETIRED_ANY", 1200}, {"CAS_COUNT_RD", 4}}));
}

TEST(LikwidCsv, TheProgramsOwnOutputIsPassedOver) {
  // Shape of a terminal's copy: github.com/GabrielCambe/M-todosNum-ricos, commit 94b07a7309d3, debugL3.log.
  const std::string line(80, '-');
  const auto copy = line + "\nCPU name:\tIntel(R) Core(TM) i7-9999\nCPU clock:\t3.00 GHz\n" + line +
                    "\ntime of \"triad, n = 50: 0.19 ms\ncall count,x\n" + line + "\n" + one_core;
  EXPECT_EQ(triad(with(copy, "call count,x\n", "")), triad(one_core));
  std::string windows;
  for (const char c : one_core) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(triad(windows), triad(one_core));
  // After a group without metrics nothing but the announced number of rows ends the table.
  EXPECT_EQ(triad(own_group + line + "\ndone, in 3 s, really\n", ""), triad(own_group, ""));
  EXPECT_TRUE(perf::is_cpu_counters(std::string(100000, 'x') + "\n" + one_core)) << "a program may print much";
}

TEST(LikwidCsv, RunsAppendedToAFileAreAveragedByTheirCalls) {
  const auto again = with(with(one_core, "count,50", "count,150"), "FIXC0,100000", "FIXC0,500000");
  EXPECT_EQ(triad(one_core + again).at("INSTR_RETIRED_ANY"), 3000);
  EXPECT_NE(refusal(own_group + own_group).find("two runs in one file"), std::string::npos);
}

TEST(LikwidCsv, GroupsOfARegionComplementEachOther) {
  const auto second = with(with(with(one_core, "Group 1 Raw,FLOPS_DP", "Group 2 Raw,L2"), "count,50", "count,10"),
                           "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", "L1D_REPLACEMENT");
  const auto events = triad(one_core + second);
  EXPECT_EQ(events.at("INSTR_RETIRED_ANY"), 2000) << "counted with both groups, not twice as many";
  EXPECT_EQ(events.at("L1D_REPLACEMENT"), 500);
  EXPECT_EQ(events.at("FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE"), 100);
  // Groups of a whole program take turns every two seconds, so neither saw all of it.
  EXPECT_NE(refusal(own_group + with(own_group, "Group 1", "Group 2")).find("took turns"), std::string::npos);
}

TEST(LikwidCsv, WhatWasCutShortOrDamagedIsRefusedWithItsLine) {
  EXPECT_NE(refusal(with(one_core, "call count,50", "call count,x")).find("FILE:8: 'x' is not a count"),
            std::string::npos);
  EXPECT_NE(refusal(with(two_sockets, "640,-,320,", "640")).find("FILE:11: a row of events lacks counts"),
            std::string::npos);
  const auto cut = one_core.substr(0, one_core.find("FP_ARITH_INST_RETIRED_SCALAR"));
  EXPECT_NE(refusal(cut).find("lacks 2 of its rows"), std::string::npos) << refusal(cut);
  EXPECT_NE(refusal(with(one_core, "FIXC0,100000", "FIXC0,-1")).find("FILE:10: '-1' is not a count"), std::string::npos);
  EXPECT_NE(refusal("STRUCT,Info,3\nTABLE,Group 1 Metric,L3,1\nMetric,Core 3,\nCPI,1,\n").find("no table of raw"),
            std::string::npos);
}

}  // namespace
}  // namespace roofline::likwid_csv_test
