#include "bench/virtual_gpu/memory/gpu_counts.hpp"

#include <gtest/gtest.h>

namespace roofline::gpu_counts_test {
namespace {

HardwareCounts counted() {
  HardwareCounts counts;
  counts.fp64 = Operations{.add = 100, .mul = 300, .fma = 300};  // 1000 FLOPs
  counts.fp32 = Operations{.fma = 2};                            // what a division leaves behind
  counts.l1 = Traffic{640, 320}, counts.l2 = Traffic{320, 160}, counts.dram = Traffic{200, 100};
  counts.sectors_per_load = 8;
  counts.shared = 4096, counts.sysmem = 0;
  return counts;
}

Workload declaring(std::uint64_t flops) {
  Workload work;
  work.declared_flops = flops;
  return work;
}

std::optional<Counts> modelled(const std::string& row, const Workload&) {
  if (row != "known") return std::nullopt;
  Counts counts;
  counts.operations = {.add = 10, .mul = 20, .fma = 30, .div = 10};  // 100 FLOPs
  counts.at(MemoryLevel::L2) = Traffic{1, 2};
  counts.at(MemoryLevel::DRAM) = Traffic{3, 4};
  counts.traffic_note = "modelled(h200)";
  return counts;
}

CounterFunction model(modelled);

TEST(GpuCounts, CountedBytesAreHardwareAndFlopsAreTheDeclaredOnes) {
  const auto counts = gpu_counts("known", declaring(1000), counted(), nullptr, "CUPTI");
  EXPECT_EQ(counts.operations, (Operations{.add = 100, .mul = 300, .fma = 300}));
  EXPECT_EQ(counts.operations_source, Source::analytic);
  EXPECT_EQ(counts.traffic_source, Source::hardware);
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), (Traffic{200, 100}));
  EXPECT_FALSE(counts.at(MemoryLevel::L3));
  EXPECT_EQ(counts.at(MemoryLevel::shared), (Traffic{4096, 0}));
  EXPECT_FALSE(counts.at(MemoryLevel::sysmem)) << "not used, no bound";
  EXPECT_EQ(counts.traffic_label(), "hardware");
  EXPECT_EQ(counts.details.at("sectors_per_load"), 8);
  EXPECT_EQ(counts.details.at("flops_counted_fp64"), 1000);
  EXPECT_TRUE(counts.kinds_known);
}

TEST(GpuCounts, ExpandedDivisionsChangeTheMixAndNotTheFlops) {
  for (const std::uint64_t declared : {1ull, 2ull, 333ull, 500ull, 999ull}) {
    const auto counts = gpu_counts("known", declaring(declared), counted(), nullptr, "CUPTI");
    EXPECT_EQ(counts.operations.flops(), declared);
    if (declared > 100) {
      EXPECT_NEAR(counts.operations.fma_fraction(), 3.0 / 7, 0.01) << declared;
    }
  }
}

TEST(GpuCounts, DivisionsThatNvccExpandedAreFoundAgainWhereTheFlopsAgree) {
  // As counted on an H200 for ert/div: 1 addition, 1 multiplication and 8 divisions, each 7 FMAs, 1 multiplication and
  // an FMA in FP32.
  HardwareCounts divisions;
  divisions.fp64 = Operations{.add = 1, .mul = 1 + 8, .fma = 7 * 8};
  divisions.fp32 = Operations{.fma = 8};
  const auto counts = gpu_counts("k", declaring(10), divisions, nullptr, "CUPTI");
  EXPECT_EQ(counts.operations, (Operations{.add = 1, .mul = 1, .div = 8}));
  EXPECT_EQ(counts.executed, divisions.fp64);
  const auto other = gpu_counts("k", declaring(11), divisions, nullptr, "CUPTI");
  EXPECT_EQ(other.operations.div, 0u) << "another expansion: kinds in proportion";
  EXPECT_EQ(other.operations.flops(), 11u);
  const auto none = gpu_counts("known", declaring(1000), counted(), nullptr, "CUPTI");
  EXPECT_FALSE(none.executed) << "what was declared";
}

/// Knows the operations of a row and refuses to say more.
struct CompiledCode final : CounterSource {
  Operations operations_of_row, expanded;
  CompiledCode(Operations operations, Operations executed) : operations_of_row(operations), expanded(executed) {}
  std::optional<Counts> count(const std::string&, const Workload&) override { throw std::logic_error("asked"); }
  std::optional<Counts> operations(const std::string& row, const Workload&) override {
    if (row != "known") return std::nullopt;
    Counts counts;
    counts.operations = operations_of_row;
    if (expanded != operations_of_row) counts.executed = expanded;
    return counts;
  }
};

TEST(GpuCounts, CountedWithoutFlopsTheKindsAreThoseOfTheCompiledCode) {
  auto bytes = counted();
  bytes.fp64.reset(), bytes.fp32.reset();
  // GPP with six frequencies: 6 additions, 52 multiplications, 86 FMAs are executed, 5 of them for a reciprocal.
  CompiledCode gpp({.add = 6, .mul = 52, .fma = 81, .div = 1}, {.add = 6, .mul = 52, .fma = 86});
  const auto counts = gpu_counts("known", declaring(221), bytes, &gpp, "CUPTI");
  EXPECT_TRUE(counts.kinds_known);
  EXPECT_EQ(counts.operations, gpp.operations_of_row);
  EXPECT_EQ(counts.executed, gpp.expanded);
  EXPECT_EQ(counts.traffic_source, Source::hardware);
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), (Traffic{200, 100})) << "bytes stay the counted ones";
  // Another number than was declared: the kinds in proportion.
  const auto other = gpu_counts("known", declaring(2300), bytes, &gpp, "CUPTI");
  EXPECT_EQ(other.operations, (Operations{.add = 60, .mul = 520, .fma = 860}));
  EXPECT_EQ(other.executed, gpp.expanded);
  const auto unknown = gpu_counts("unknown", declaring(1000), bytes, &gpp, "CUPTI");
  EXPECT_EQ(unknown.operations.flops(), 1000u);
  EXPECT_FALSE(unknown.kinds_known);
  EXPECT_NO_THROW(gpu_counts("known", declaring(1000), counted(), &gpp, "CUPTI")) << "nothing to ask";
}

TEST(GpuCounts, AKernelInFp32IsCountedInFp32) {
  auto single = counted();
  single.fp64 = Operations{}, single.fp32 = Operations{.add = 4, .fma = 3};
  EXPECT_EQ(gpu_counts("k", declaring(10), single, nullptr, "CUPTI").operations, (Operations{.add = 4, .fma = 3}));
}

TEST(GpuCounts, ARefusedLevelIsTakenFromTheModelAndLabelled) {
  auto partly = counted();
  partly.l2.reset();
  const auto counts = gpu_counts("known", declaring(1000), partly, &model, "CUPTI");
  EXPECT_EQ(counts.at(MemoryLevel::L2), (Traffic{1, 2}));
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), (Traffic{200, 100})) << "what was counted stays";
  EXPECT_EQ(counts.traffic_label(), "hardware(L2:modelled)");
  EXPECT_EQ(counts.traffic_note, "CUPTI, L2 modelled(h200)");
  EXPECT_FALSE(gpu_counts("unknown", declaring(1000), partly, &model, "CUPTI").at(MemoryLevel::L2))
      << "absent, never zero";
}

TEST(GpuCounts, WithoutCountersAllIsModelledAndWithoutAModelUnknown) {
  const auto modelled = gpu_counts("known", declaring(100), std::nullopt, &model, "");
  EXPECT_EQ(modelled.traffic_source, Source::modelled);
  EXPECT_EQ(modelled.operations.div, 10u);
  EXPECT_EQ(modelled.traffic_note, "modelled(h200)");
  const auto nothing = gpu_counts("known", declaring(101), std::nullopt, nullptr, "");
  EXPECT_EQ(nothing.operations.flops(), 101u);
  EXPECT_FALSE(nothing.kinds_known);
  for (const auto level : memory_levels) EXPECT_FALSE(nothing.at(level));
}

TEST(GpuCounts, FewerFlopsThanDeclaredAreAComplaintMoreAreDivisions) {
  EXPECT_EQ(flops_complaint(1000, counted()), "");
  EXPECT_EQ(flops_complaint(800, counted()), "");
  EXPECT_EQ(flops_complaint(1029, counted()), "");
  EXPECT_NE(flops_complaint(1040, counted()).find("1000 FLOPs counted, 1040 declared (-3.8 %)"), std::string::npos);
  EXPECT_EQ(flops_complaint(1000, {}), "");
}

}  // namespace
}  // namespace roofline::gpu_counts_test
