#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bench/machine/core_units.hpp"
#include "bench/machine/machine.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/cpu/array_sweep.hpp"
#include "microkernels/working_set.hpp"

namespace roofline::bandwidth_test {
namespace {

std::string describe(const BandwidthKernel& kernel) {
  return std::string(name(kernel.mix)) + " " + std::to_string(8 * kernel.vector_bytes) + " bit, unroll " +
         std::to_string(kernel.unroll) + ", streams " + std::to_string(kernel.streams);
}

/// Each thread reads the sum of its own arrays, wherever these lie.
TEST(RemoteParts, AreReadByTheThreadThatTheyAreGivenTo) {
  const auto block = std::make_shared<MemoryBlock>(ArraySweep::block_size(96 << 10, 2));
  for (const auto& kernel : bandwidth_kernels_of_this_cpu()) {
    if (kernel.mix != Mix::read) continue;
    ArraySweep arrays(block, kernel, 96 << 10, 1, {1, 0});
    arrays.run(1);
    EXPECT_TRUE(arrays.check().ok) << describe(kernel) << ": " << arrays.check().message;
    block->data()[block->size() / 2] += 1;  // of the second part
    arrays.run(1);
    EXPECT_EQ(arrays.check().message.rfind("thread 0: sum", 0), 0u) << arrays.check().message;
  }
}

class SweptArrays : public ::testing::TestWithParam<int> {  // windows
 protected:
  bool apart() const { return GetParam() == 1; }
  static constexpr double set_bytes = 96 << 10;
  std::shared_ptr<MemoryBlock> block = std::make_shared<MemoryBlock>(ArraySweep::block_size(set_bytes, 2));
};

TEST(RemoteParts, AreThoseOfAThreadNextToAnotherNode) {
  EXPECT_EQ(parts_of_other_nodes({0, 0, 1, 1}, 4), (std::vector<int>{2, 3, 0, 1}));
  EXPECT_EQ(parts_of_other_nodes({0, 1, 0, 1}, 4), (std::vector<int>{1, 0, 3, 2}));
  EXPECT_EQ(parts_of_other_nodes({0, 1, 0, 1}, 2), (std::vector<int>{1, 0})) << "of the threads that run";
  const std::vector<int> three{0, 0, 1, 2};
  const auto parts = parts_of_other_nodes(three, 4);
  for (std::size_t thread = 0; thread < 4; ++thread)
    EXPECT_NE(three[static_cast<std::size_t>(parts.at(thread))], three[thread]);
  EXPECT_TRUE(parts_of_other_nodes({0, 0, 0, 1}, 4).empty()) << "two of the three would read their own node";
  EXPECT_TRUE(parts_of_other_nodes({0, 0}, 2).empty()) << "there is one node";
  EXPECT_TRUE(parts_of_other_nodes({}, 2).empty());
}

TEST_P(SweptArrays, HoldWhatEveryKernelShouldLeave) {
  for (const auto& kernel : bandwidth_kernels_of_this_cpu()) {
    ArraySweep arrays(block, kernel, 2, set_bytes, GetParam(), apart());
    EXPECT_FALSE(arrays.check().ok) << describe(kernel) << " passes before it has run";
    for (const long sweeps : {3, 1, 2}) {
      arrays.run(sweeps);
      const auto check = arrays.check();
      EXPECT_TRUE(check.ok) << describe(kernel) << ": " << check.message;
    }
    for (const int launches : {3, 5}) {  // in one region, round the windows
      arrays.run(2, launches);
      const auto check = arrays.check();
      EXPECT_TRUE(check.ok) << describe(kernel) << ", " << launches << " launches: " << check.message;
    }
    EXPECT_LE(arrays.set_bytes(), set_bytes);
    EXPECT_GE(arrays.set_bytes(), 0.6 * set_bytes);
  }
}

TEST_P(SweptArrays, AreCheckedToTheLastElement) {
  for (const auto& kernel : bandwidth_kernels_of_this_cpu()) {
    if (kernel.mix == Mix::read) continue;
    ArraySweep arrays(block, kernel, 2, set_bytes, GetParam(), apart());
    for (int i = 0; i < GetParam(); ++i) arrays.run(1);
    ASSERT_TRUE(arrays.check().ok);
    const auto last = static_cast<Index>(arrays.set_bytes() / facts(kernel.mix).arrays / 2 / sizeof(double)) - 1;
    const Index second_thread = apart() ? block->size() / 2 : last + 1;
    block->data()[second_thread + last] += 1;
    EXPECT_FALSE(arrays.check().ok) << describe(kernel);
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, SweptArrays, ::testing::Values(1, 4));

Machine machine_with(std::vector<CacheLevel> caches, std::uint64_t largest_llc) {
  Machine machine;
  machine.vendor = "AuthenticAMD", machine.family = 26, machine.model = 2;
  machine.clock_hz = 4e9;
  machine.caches = std::move(caches);
  machine.largest_llc = largest_llc;
  machine.memory_bytes = 64e9;
  return machine;
}
constexpr std::uint64_t kib = 1 << 10, mib = 1 << 20;

Machine zen5(std::uint64_t largest_llc = 32 * mib) {
  return machine_with({{MemoryLevel::L1, 48 * kib, 12, 64, 1},
                       {MemoryLevel::L2, 1 * mib, 16, 64, 1},
                       {MemoryLevel::L3, 32 * mib, 16, 64, 2}},
                      largest_llc);
}

std::map<std::string, CeilingVariant> ceilings_of(const Machine& machine, int threads) {
  Suite suite(cpu_target(machine, threads));
  add_bandwidth_ceilings(suite);
  std::map<std::string, CeilingVariant> by_name;
  for (const auto& variant : suite.ceilings())
    EXPECT_TRUE(by_name.emplace(variant.ceiling.name, variant).second) << variant.ceiling.name << " twice";
  return by_name;
}

TEST(WorkingSets, LieInTheirLevelAndNotInTheNearerOne) {
  const auto machine = zen5();
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L1, 1), 24 * kib);
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L1, 2), 2 * 24 * kib);
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L2, 2), 2 * 512 * kib);
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L3, 1), 8 * mib);
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L3, 2), 8 * mib) << "a shared cache is divided";
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::DRAM, 2), 128 * mib);
}

TEST(WorkingSets, OfDramAreFourTimesTheLastCacheWithinTheMemory) {
  EXPECT_EQ(ceiling_working_set(zen5(384 * mib), MemoryLevel::DRAM, 2), 1536 * mib);
  EXPECT_EQ(ceiling_working_set(zen5(2 * mib), MemoryLevel::DRAM, 2), 128 * mib) << "a guest may not see all caches";
  auto small = zen5(200 * mib);
  small.memory_bytes = 2048.0 * mib;
  EXPECT_EQ(ceiling_working_set(small, MemoryLevel::DRAM, 2), 512 * mib);
  small.memory_bytes = 1024.0 * mib;
  EXPECT_EQ(ceiling_working_set(small, MemoryLevel::DRAM, 2), 0) << "less than twice the cache is none of DRAM";
  for (const auto& [name, variant] : ceilings_of(small, 2)) EXPECT_NE(variant.ceiling.level, MemoryLevel::DRAM) << name;
}

TEST(WorkingSets, OfALevelThatTheMemoryCannotFillAreAbsent) {
  auto machine = zen5();
  machine.caches.back().size = 508 * mib, machine.largest_llc = 508 * mib;
  machine.memory_bytes = 256.0 * mib;
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L3, 2), 0);
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::DRAM, 2), 0);
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L2, 2), mib);
}

TEST(WorkingSets, OfAVictimCacheExceedTheNearerLevel) {
  // Skylake-SP: 1 MiB L2, 1.375 MiB of L3 per core that holds what the L2 evicts.
  const auto machine = machine_with({{MemoryLevel::L1, 32 * kib, 8, 64, 1},
                                     {MemoryLevel::L2, 1 * mib, 16, 64, 1},
                                     {MemoryLevel::L3, 20 * 1408 * kib, 11, 64, 20}},
                                    20 * 1408 * kib);
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L3, 20), 20 * 2 * mib);
}

TEST(WorkingSets, AreAbsentWithoutTheLevel) {
  auto machine = zen5();
  machine.caches.pop_back();
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L3, 1), 0);
  machine.caches.back().size = 64 * kib;  // an L2 hardly larger than L1 cannot be told from it
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L2, 1), 96 * kib);
  machine.caches.back().size = 32 * kib;
  EXPECT_EQ(ceiling_working_set(machine, MemoryLevel::L2, 1), 0);
}

TEST(BandwidthCeilings, SayHowBytesAreCounted) {
  const auto machine = zen5();
  const auto all = ceilings_of(machine, 2);
  const auto ratio = [&](const char* name) { return all.at(name).ceiling.bytes_per_explicit_byte; };
  EXPECT_DOUBLE_EQ(ratio("ceiling/bandwidth/DRAM/triad/threads:2"), 4.0 / 3);
  EXPECT_DOUBLE_EQ(ratio("ceiling/bandwidth/L2/copy/threads:1"), 1.5);
  EXPECT_DOUBLE_EQ(ratio("ceiling/bandwidth/L3/write/threads:2"), 2);
  EXPECT_DOUBLE_EQ(ratio("ceiling/bandwidth/DRAM/write_nt/threads:2"), 1);
  EXPECT_DOUBLE_EQ(ratio("ceiling/bandwidth/L1/triad/threads:2"), 1) << "at L1: bytes loaded and stored";
  EXPECT_DOUBLE_EQ(ratio("ceiling/bandwidth/DRAM/stride:4/threads:2"), 4);
  EXPECT_DOUBLE_EQ(ratio("ceiling/bandwidth/DRAM/stride:16/threads:2"), 8) << "a line, whatever lies between";
  EXPECT_EQ(all.at("ceiling/bandwidth/L2/read/threads:2").ceiling.working_set, 1 * mib);
}

TEST(BandwidthCeilings, KnowTheTheoryOfL1) {
  const auto machine = zen5();
  const auto all = ceilings_of(machine, 2);
  const auto bytes_per_cycle = [&](const char* mix) {
    return *all.at(std::string("ceiling/bandwidth/L1/") + mix + "/threads:1").ceiling.theory / 4e9;
  };
  const double loads = std::min(128.0, 2.0 * widest_vector_bytes()), stores = std::min(64.0, loads);
  EXPECT_DOUBLE_EQ(bytes_per_cycle("read"), loads);
  EXPECT_DOUBLE_EQ(bytes_per_cycle("write"), stores);
  EXPECT_DOUBLE_EQ(bytes_per_cycle("copy"), 2 * stores);
  EXPECT_DOUBLE_EQ(bytes_per_cycle("triad"), 1.5 * loads);
  EXPECT_DOUBLE_EQ(bytes_per_cycle("update"), 2 * stores);
  EXPECT_FALSE(all.at("ceiling/bandwidth/L2/read/threads:1").ceiling.theory);
  EXPECT_FALSE(all.at("ceiling/bandwidth/L1/write_nt/threads:1").ceiling.theory);
}

/// Whether this CPU has instructions that gather.
bool has_gathers() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

TEST(BandwidthCeilings, GathersByInstructionsAreGathersThatDoNothingElse) {
  for (const auto& [name, variant] : ceilings_of(zen5(), 2)) {
    if (variant.ceiling.mix != Mix::gather_instructions) continue;
    for (const auto& make : variant.make) EXPECT_TRUE(make().variant.ends_with("gather instructions")) << name;
  }
}

TEST(BandwidthCeilings, QuickOnesAreTheRoofMixesOfAllThreads) {
  const auto machine = zen5();
  int quick = 0;
  for (const auto& [name, variant] : ceilings_of(machine, 2))
    if (variant.selection == Selection::quick) {
      ++quick;
      EXPECT_EQ(variant.ceiling.threads, 2) << name;
      EXPECT_TRUE(is_roof(variant.ceiling.mix) || variant.ceiling.mix == Mix::stride16 ||
                  is_of_costly_loads(variant.ceiling.mix))
          << name;
    }
  const bool by_instructions = ceilings_of(machine, 2).contains("ceiling/bandwidth/L1/gather_instructions/threads:2");
  EXPECT_EQ(by_instructions, has_gathers()) << "a ceiling only where there are such instructions";
  EXPECT_EQ(quick, 4 * 5 + 3 + by_instructions);
}

}  // namespace
}  // namespace roofline::bandwidth_test
