#include "bench/model/ceiling.hpp"

#include <gtest/gtest.h>

namespace roofline::ceiling_test {
namespace {

class CeilingName : public ::testing::TestWithParam<const char*> {};

TEST_P(CeilingName, IsWhatItsPartsSay) {
  const auto ceiling = parse_ceiling_name(GetParam());
  ASSERT_TRUE(ceiling);
  EXPECT_EQ(ceiling_name(*ceiling), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Names, CeilingName,
    ::testing::Values("ceiling/flops/fp64/fma/avx512/threads:2", "ceiling/flops/fp32/divfma/scalar/chain/threads:1",
                      "ceiling/flops/fp64/fma/avx512/sustained/threads:2",
                      "ceiling/flops/fp64/fma/vector/chain/warps:4",
                      "ceiling/flops/fp16/fma/tensor:mma.m16n8k16.f16sums", "ceiling/flops/fp16/fma/tensor/sustained",
                      "ceiling/flops/fp64/nofma/v100", "ceiling/bandwidth/DRAM/triad/threads:2",
                      "ceiling/bandwidth/DRAM/stride:16/threads:12", "ceiling/bandwidth/L2/read/v100",
                      "ceiling/bandwidth/sysmem/h2d", "ceiling/bandwidth/sysmem/both_ways",
                      "ceiling/instructions/front_end/threads:2", "ceiling/instructions/issue",
                      "ceiling/overhead/fork_join/threads:2", "ceiling/rate/sqrt/threads:2",
                      "ceiling/bandwidth/DRAM/read/sustained"));

TEST(CeilingNames, TellOccupancyApartFromAFullRate) {
  EXPECT_TRUE(parse_ceiling_name("ceiling/flops/fp64/fma/vector")->full_rate());
  const auto one_warp = parse_ceiling_name("ceiling/flops/fp64/fma/vector/warps:1");
  EXPECT_EQ(one_warp->warps, 1);
  EXPECT_TRUE(one_warp->ilp);
  EXPECT_FALSE(one_warp->full_rate());
  EXPECT_EQ(parse_ceiling_name("ceiling/flops/fp64/divfma/avx2/threads:2")->operation, Operation::divfma);
}

TEST(CeilingNames, NothingElseIsOne) {
  for (const char* const text :
       {"", "ceiling", "ceiling/flops/fp64/fmaa/avx2", "ceiling/bandwidth/L7/read", "ceiling/bandwidth/L2/reed",
        "ceiling/flops/fp64/fma/avx2/threads:x", "ceiling/flops/fp64/fma/avx2/threads:0", "ceiling/other/a/b",
        "ceiling/instructions/back_end/threads:2", "ceiling/flops/fp64", "ceiling/rate//threads:2",
        "ceiling/instructions/issue/threads:2", "ceiling/instructions/front_end",
        "ceiling/overhead/front_end/threads:2", "ceiling/instructions/fork_join/threads:2",
        "ceiling/instructions/front_end/avx2/threads:2", "ceiling/flops/fp64/fma/avx2/unknown",
        "ceiling/bandwidth/DRAM/triad//threads:2", "stream/triad/n:4/x:1"})
    EXPECT_FALSE(parse_ceiling_name(text)) << text;
}

using enum Resource::Kind;

TEST(Resource, IsReadBackFromItsName) {
  std::vector<Resource> all{
      {unpaired_lines, MemoryLevel::DRAM}, {gathers, MemoryLevel::L1}, {split_loads, MemoryLevel::L1}};
  for (const auto kind : {fma, nofma, multipliers, multipliers_in_div, adders, issue, divider, roots, flops, front_end,
                          fork_join, unknown})
    all.push_back(kind);
  for (const auto level : all_memory_levels) {
    all.push_back(level);
    for (const auto& mix : mixes) all.push_back({level, mix_of(mix.name)});
  }
  for (const auto& resource : all) EXPECT_EQ(resource_of(name(resource)), resource) << name(resource);
  EXPECT_EQ(name(Resource(MemoryLevel::DRAM, Mix::triad_nt)), "DRAM triad_nt");
  for (const char* none : {"", "DRAM ", "DRAM dance", "L4"}) EXPECT_FALSE(resource_of(none)) << none;
}

TEST(Resource, ArithmeticIsWhatUnitsDo) {
  for (const auto kind : {fma, multipliers_in_div, roots, flops}) EXPECT_TRUE(Resource(kind).is_arithmetic());
  for (const auto kind : {memory, front_end, fork_join, unknown}) EXPECT_FALSE(Resource(kind).is_arithmetic());
}

}  // namespace
}  // namespace roofline::ceiling_test
