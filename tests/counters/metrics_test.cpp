#include "bench/counters/metrics.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace roofline::metrics_test {
namespace {

using enum Quantity;

MetricValues values(const std::map<Quantity, double>& given) {
  MetricValues result;
  for (const auto& [quantity, value] : given) result.set(quantity, value);
  return result;
}

TEST(Metrics, EveryQuantityHasOneRowAndEveryNameARollUp) {
  std::set<Quantity> seen;
  for (const auto& metric : metrics()) {
    EXPECT_TRUE(seen.insert(metric.quantity).second) << metric.meaning;
    ASSERT_FALSE(metric.names.empty());
    for (const auto name : metric.names)
      EXPECT_TRUE(name.ends_with(".sum") || name.ends_with(".max") || name.ends_with(".sum.peak_sustained_active"))
          << name << ": without a roll-up it cannot be added";
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(constant_stalls) + 1);
}

TEST(Metrics, ChipsGetTheFirstNameTheyHave) {
  const auto newer = choose_metrics([](const std::string& name) {
    return name == "dram__bytes_op_read.sum" || name == "fbpa__dram_read_bytes.sum" || name == "l1tex__t_bytes.sum";
  });
  ASSERT_EQ(newer.size(), 2u);
  EXPECT_EQ(newer[0].name, "l1tex__t_bytes.sum");
  EXPECT_EQ(newer[1].name, "dram__bytes_op_read.sum");
  EXPECT_EQ(newer[1].quantity, dram_read);
}

TEST(Metrics, Fp64IsAddMulAndTwiceFma) {
  const auto counts = translate(values({{fp64_add, 3}, {fp64_mul, 5}, {fp64_fma, 7}}));
  EXPECT_EQ(counts.fp64, (Operations{.add = 3, .mul = 5, .fma = 7}));
  EXPECT_EQ(counts.fp64->flops(), 22u);
  EXPECT_FALSE(counts.fp32);
}

TEST(Metrics, ReadsAreMergedWhereTheChipHasACoalescer) {
  const auto details = translate(values({{gpc_read_sectors, 396}, {gpc_sent_sectors, 99}})).details();
  EXPECT_EQ(details, (std::map<std::string, double>{{"l2_reads_merged", 4}}));
  EXPECT_TRUE(translate(values({{gpc_read_sectors, 396}})).details().empty()) << "absent where a chip has one counter";
}

TEST(Metrics, FiguresOfTheProfileAreSharesOfSums) {
  // Two launches of LBM's V1 as the talk has it: 21 of 64 warps, ADU 79.95 %, IDC 79.84 %, FP64 pipe 26.64 %.
  const auto profile = translate(values({{warp_cycles, 2100},
                                         {warp_cycles_possible, 6400},
                                         {l1_sectors, 400},
                                         {l1_sectors_hit, 100},
                                         {l2_sectors, 300},
                                         {l2_sectors_hit, 150},
                                         {fp64_pipe, 2664},
                                         {fp64_pipe_possible, 10000},
                                         {adu_pipe, 7995},
                                         {adu_pipe_possible, 10000},
                                         {constant_cycles, 7984},
                                         {constant_cycles_possible, 10000},
                                         {memory_stalls, 1050},
                                         {constant_stalls, 210}}))
                           .profile;
  EXPECT_EQ(profile, (std::map<std::string, double>{{"occupancy_achieved", 0.328125},
                                                    {"hit_rate_L1", 0.25},
                                                    {"hit_rate_L2", 0.5},
                                                    {"pipe_fp64", 0.2664},
                                                    {"pipe_adu", 0.7995},
                                                    {"unit_idc", 0.7984},
                                                    {"stalled_on_memory", 0.5},
                                                    {"stalled_on_constants", 0.1}}));
  EXPECT_TRUE(translate(values({{l1_sectors, 0}, {l1_sectors_hit, 0}})).profile.empty()) << "no accesses, no rate";
}

TEST(Metrics, AGridThatLeavesSmsEmptyIsSeenInTheirCycles) {
  const auto details = translate(values({{sm_cycles, 1320}, {sm_cycles_with_work, 330}})).details();
  EXPECT_EQ(details, (std::map<std::string, double>{{"sms_with_work", 0.25}}));
}

TEST(Metrics, PassesOfALaunchThatDoesNotRepeatDisagree) {
  EXPECT_EQ(repeat_complaint(values({{instructions, 1000}, {hardware_instructions, 1009}})), "");
  EXPECT_EQ(repeat_complaint(values({{instructions, 1000}})), "") << "one of them is not counted";
  EXPECT_EQ(repeat_complaint(values({{instructions, 1000}, {hardware_instructions, 980}})),
            "the launch does not repeat: 1000 instructions of warps in one pass, 980 in another");
}

TEST(Metrics, PackedFp32InstructionsAreTwoOperationsEach) {
  const auto without = translate(values({{fp32_add, 1}, {fp32_mul, 2}, {fp32_fma, 4}}));
  EXPECT_EQ(without.fp32->flops(), 11u);
  const auto with = translate(
      values({{fp32_add, 1}, {fp32_mul, 2}, {fp32_fma, 4}, {fp32_add2, 10}, {fp32_mul2, 20}, {fp32_fma2, 40}}));
  EXPECT_EQ(with.fp32, (Operations{.add = 21, .mul = 42, .fma = 84}));
  EXPECT_EQ(with.fp32->flops(), 11u + 2 * (10 + 20) + 4 * 40);
}

TEST(Metrics, WhatIsMissingOrNotANumberIsAbsentNeverZero) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto counts = translate(values({{fp64_add, 1},
                                        {fp64_mul, nan},
                                        {fp64_fma, 1},
                                        {dram_read, 64},
                                        {dram_written, nan},
                                        {load_sectors, 8},
                                        {load_requests, 0},
                                        {l2_sectors, 5}}));
  EXPECT_FALSE(counts.fp64) << "a sum with an unknown part is unknown";
  EXPECT_FALSE(counts.dram);
  EXPECT_FALSE(counts.l1);
  EXPECT_FALSE(counts.l2);
  EXPECT_FALSE(counts.sectors_per_load) << "0/0";
  EXPECT_TRUE(counts.details().empty());
  MetricValues v;
  v.set(dram_read, -1);
  v.set(cycles, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(v.empty());
}

TEST(Metrics, LevelsAreSectorsOf32BytesAndAtomicsAreWritten) {
  const auto counts = translate(values({{load_sectors, 100},
                                        {store_sectors, 10},
                                        {local_load_sectors, 5},
                                        {local_store_sectors, 6},
                                        {atomic_sectors, 1},
                                        {reduction_sectors, 2},
                                        {l2_sectors, 60},
                                        {l2_read_sectors, 50},
                                        {l2_write_sectors, 7},
                                        {dram_read, 640},
                                        {dram_written, 320},
                                        {sysmem_sectors, 2},
                                        {shared_bytes, 99}}));
  EXPECT_EQ(counts.l1, (Traffic{32 * 105.0, 32 * 19.0}));
  EXPECT_EQ(counts.l2, (Traffic{32 * 50.0, 32 * 10.0}));
  EXPECT_EQ(counts.dram, (Traffic{640, 320}));
  EXPECT_EQ(counts.sysmem, 64);
  EXPECT_EQ(counts.shared, 99);
}

TEST(Metrics, WithoutTheTotalL2CountsReadsAndWrites) {
  EXPECT_EQ(translate(values({{l2_read_sectors, 50}, {l2_write_sectors, 7}})).l2, (Traffic{32 * 50.0, 32 * 7.0}));
}

TEST(Metrics, RatiosDescribeCoalescingAndPredication) {
  const auto counts = translate(values({{load_sectors, 3200},
                                        {load_requests, 100},
                                        {store_sectors, 80},
                                        {store_requests, 10},
                                        {instructions, 10},
                                        {threads, 320},
                                        {threads_on, 240},
                                        {branches_divergent, 1},
                                        {branches_uniform, 3},
                                        {seconds, 1500}}));
  EXPECT_EQ(counts.sectors_per_load, 32);
  EXPECT_EQ(counts.sectors_per_store, 8);
  EXPECT_EQ(counts.predication, 0.75);
  EXPECT_EQ(counts.divergent_branches, 0.25);
  EXPECT_DOUBLE_EQ(*counts.seconds, 1.5e-6) << "the counter is in nanoseconds";
}

TEST(Metrics, WithoutInstrumentedCodeTheHardwareCountsAllButFlopsAndBytesOfLanes) {
  using enum Quantity;
  std::set<Quantity> found;
  for (const auto& metric : choose_hardware_metrics([](const std::string&) { return true; })) {
    EXPECT_EQ(metric.name.find("sass"), std::string::npos) << metric.name;
    found.insert(metric.quantity);
  }
  for (const auto quantity :
       {load_sectors, store_sectors, load_requests, instructions, threads_on, l2_sectors, dram_read})
    EXPECT_TRUE(found.contains(quantity)) << metric(quantity).meaning;
  EXPECT_FALSE(found.contains(fp64_fma));
  const auto few = choose_hardware_metrics([](const std::string& name) { return name.find("sass") != name.npos; });
  EXPECT_TRUE(few.empty()) << "a chip without the counters of the hardware";
}

}  // namespace
}  // namespace roofline::metrics_test
