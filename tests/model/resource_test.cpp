#include <gtest/gtest.h>

#include "bench/model/ceiling.hpp"

namespace roofline::resource_test {

using enum Resource::Kind;

TEST(Resource, IsReadBackFromItsName) {
  std::vector<Resource> all{
      {unpaired_lines, MemoryLevel::DRAM}, {gathers, MemoryLevel::L1}, {split_loads, MemoryLevel::L1}};
  for (const auto kind : {fma, nofma, multipliers, multipliers_in_div, adders, issue, divider, roots, flops, front_end,
                          fork_join, unknown})
    all.push_back(kind);
  for (const auto level : all_memory_levels) {
    all.push_back(level);
    for (const auto mix : mix_names) all.push_back({level, mix_of(mix)});
  }
  for (const auto& resource : all) EXPECT_EQ(resource_of(name(resource)), resource) << name(resource);
  EXPECT_EQ(name(Resource(MemoryLevel::DRAM, Mix::triad_nt)), "DRAM triad_nt");
  for (const char* none : {"", "DRAM ", "DRAM dance", "L4"}) EXPECT_FALSE(resource_of(none)) << none;
}

TEST(Resource, ArithmeticIsWhatUnitsDo) {
  for (const auto kind : {fma, multipliers_in_div, roots, flops}) EXPECT_TRUE(Resource(kind).is_arithmetic());
  for (const auto kind : {memory, front_end, fork_join, unknown}) EXPECT_FALSE(Resource(kind).is_arithmetic());
}

}  // namespace roofline::resource_test
