#include "reporters/view/roof_lines.hpp"

#include <gtest/gtest.h>

#include "tests/example_results.hpp"

namespace roofline::roof_lines_test {
namespace {

const RoofLine* find(const std::vector<RoofLine>& lines, const std::string& name) {
  for (const auto& line : lines)
    if (line.name == name) return &line;
  return nullptr;
}

TEST(RoofLines, BandwidthsEndAndComputeBeginsAtTheRidges) {
  const auto lines = roof_lines(example::roofline());
  EXPECT_DOUBLE_EQ(find(lines, "DRAM")->to, 258 / 65.9);
  EXPECT_DOUBLE_EQ(find(lines, "L1")->to, 0.258);
  EXPECT_DOUBLE_EQ(find(lines, "FP64 FMA")->from, 0.258);
  EXPECT_DOUBLE_EQ(find(lines, "FP64 no-FMA")->from, 0.222);
  for (const auto& line : lines) {
    if (!line.level) continue;
    EXPECT_NEAR(line.at(line.to), 258e9, 1) << line.name;
  }
}

TEST(RoofLines, LowerCeilingsAreThin) {
  const auto lines = roof_lines(example::roofline());
  for (const char* name :
       {"FP64 add", "FP64 mul", "FP64 div", "FP64 FMA, scalar", "FP64 FMA, one chain", "DRAM read"}) {
    ASSERT_TRUE(find(lines, name)) << name;
    EXPECT_TRUE(find(lines, name)->thin) << name;
  }
  EXPECT_FALSE(find(lines, "FP64 no-FMA")->thin);
  EXPECT_EQ(find(lines, "FP64 no-FMA")->short_label(), "no-FMA: 222");
  EXPECT_EQ(find(lines, "FP64 FMA")->rate, 258e9) << "of all threads and of fp64";
}

// The lecture's ceilings of memory: without software prefetch, and on another node. Neither is the roof.
TEST(RoofLines, ReadsWithoutPrefetchAndOfAnotherNodeAreDrawnBelowReads) {
  auto ceilings = example::roofline().ceilings();
  const auto with = [&](double no_prefetch) {
    auto more = ceilings;
    more.push_back(example::memory(MemoryLevel::DRAM, "read_no_prefetch", no_prefetch));
    more.push_back(example::memory(MemoryLevel::DRAM, "read_remote", 30));
    return roof_lines(Roofline(more, 2));
  };
  const auto lines = with(40);
  for (const auto& [name, rate] : {std::pair{"DRAM read, no prefetch", 40e9}, {"DRAM read, other node", 30e9}}) {
    ASSERT_TRUE(find(lines, name)) << name;
    EXPECT_EQ(find(lines, name)->rate, rate);
    EXPECT_TRUE(find(lines, name)->thin);
  }
  EXPECT_DOUBLE_EQ(find(lines, "DRAM")->rate, 65.9e9);
  EXPECT_FALSE(find(with(50), "DRAM read, no prefetch")) << "within 5 % of reads, 51 GB/s: the same line";
}

TEST(RoofLines, OfMatrixInstructionsAreApart) {
  const auto tensor = [](const char* precision, const char* isa, double gigaflops) {
    auto ceiling = example::compute(Operation::fma, gigaflops);
    ceiling.precision = precision, ceiling.isa = isa;
    return ceiling;
  };
  const Roofline roofline({example::compute(Operation::fma, 33000), tensor("fp64", "tensor:mma.m8n8k4", 66000),
                           tensor("fp16", "tensor:mma.m16n8k16", 640000),
                           tensor("fp16", "tensor:wgmma.m64n256k16", 980000), tensor("bf16", "tensor", 990000)},
                          2);
  const auto lines = roof_lines(roofline);
  EXPECT_EQ(lines.size(), 4u);
  EXPECT_EQ(find(lines, "FP64 FMA")->rate, 33000e9);
  EXPECT_TRUE(find(lines, "FP64 tensor")->thin);
  EXPECT_EQ(find(lines, "FP16 tensor")->rate, 980000e9) << "the faster of both instructions";
  EXPECT_TRUE(find(merged(lines), "BF16, FP16 tensor")) << "within 4 %: one line";
  EXPECT_FALSE(roofline.tensor("int8"));
  const auto of_bytes =
      merged(roof_lines(Roofline({tensor("fp8", "tensor", 1979000), tensor("int8", "tensor", 1979000)}, 2)));
  EXPECT_EQ(find(of_bytes, "FP8 tensor")->label(), "FP8 tensor: 1979000 GFLOP/s");
  EXPECT_EQ(find(of_bytes, "INT8 tensor")->label(), "INT8 tensor: 1979000 GOP/s") << "its operations are no FLOPs";
}

TEST(RoofLines, WhatALoadOfSecondsLeavesIsThinAndOnlyWhereItIsLess) {
  const auto at = [](double gigaflops) {
    auto sustained = example::compute(Operation::fma, gigaflops);
    sustained.sustained = true;
    const auto lines = roof_lines(Roofline({example::compute(Operation::fma, 258), sustained}, 2));
    const auto* const line = find(lines, "FP64 FMA, sustained");
    EXPECT_TRUE(!line || line->thin);
    return line ? line->rate : 0;
  };
  EXPECT_EQ(at(200), 200e9);
  EXPECT_EQ(at(250), 0) << "97 %";
}

TEST(MemoryName, ReplacesTheLevelAndLeavesNamesOfRows) {
  auto results = example::results(false);
  const std::string line = "ert/flops:4/set:DRAM   DRAM  12 (DRAM-bound) DRAM";
  EXPECT_EQ(with_memory_name(line, results), line);
  results.gpu = Gpu{.name = "NVIDIA H200", .bus_bits = 6144};
  EXPECT_EQ(with_memory_name(line, results), "ert/flops:4/set:DRAM   HBM   12 (HBM-bound) HBM");
  Table table{"DRAM", table_columns("AI DRAM")};
  table.rows.push_back({{std::string("set:DRAM"), std::string("DRAM")}});
  table.notes.emplace_back("of DRAM");
  table = with_memory_name(table, results);
  EXPECT_EQ(table.title + table.columns[0].header + table.rows[0].cells[1] + table.notes[0], "HBMAI HBMHBMof HBM");
  EXPECT_EQ(table.rows[0].cells[0], "set:DRAM");
}

TEST(RoofLines, OnlyWhatWasMeasured) {
  EXPECT_TRUE(roof_lines(Roofline{}).empty());
  const auto lines = roof_lines(Roofline({example::memory(MemoryLevel::DRAM, "read", 51)}, 2));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].to, std::numeric_limits<double>::infinity());
  const auto scalar = roof_lines(Roofline({example::compute(Operation::fma, 8, "scalar")}, 2));
  ASSERT_EQ(scalar.size(), 1u) << "a machine without SIMD has one FMA ceiling";
  EXPECT_EQ(scalar[0].from, 0);
}

}  // namespace
}  // namespace roofline::roof_lines_test
