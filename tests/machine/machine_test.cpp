#include "bench/machine/machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/machine/topology.hpp"

namespace roofline::machine_test {
namespace {

constexpr std::uint64_t KiB = 1 << 10, MiB = 1 << 20;

TEST(Topology, OneCpuPerCoreComesFirst) {
  const auto t = read_topology({0, 1, 2, 3}, "core:2 pu:2");
  EXPECT_EQ(t.usable_cores, 2);
  EXPECT_EQ(t.smt, 2);
  EXPECT_EQ(t.cpus, (std::vector<int>{0, 2, 1, 3}));  // 0 and 1 are threads of one core
}

TEST(Topology, KnowsTheMemoryNodeOfEachCpu) {
  EXPECT_EQ(read_topology({0, 1, 2, 3}, "numa:2 core:1 pu:2").nodes, (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(read_topology({2, 3}, "numa:2 core:1 pu:2").nodes, (std::vector<int>{1, 1})) << "the second node's alone";
  EXPECT_EQ(read_topology({0, 1}, "core:2 pu:1").nodes, (std::vector<int>{0, 0}));
}

TEST(Topology, SiblingsThatWeMayNotUseCountAsThreadsOfTheCore) {
  const auto t = read_topology({0, 4}, "core:4 pu:2");
  EXPECT_EQ(t.usable_cores, 2);
  EXPECT_EQ(t.smt, 2);
}

TEST(Topology, OfUnequalCachesTheOneThatLeavesACoreLeast) {
  // Two cores that share 2 MiB, and one that has 1.5 MiB alone.
  const auto t = read_topology({0, 1, 2}, "l2:2(size=2097152) core:2 pu:1");
  ASSERT_EQ(t.caches.size(), 1u);
  EXPECT_EQ(t.caches[0].shared_by, 2u) << "the third has as much for itself";
  EXPECT_EQ(t.caches[0].size, 2 * MiB);
  EXPECT_EQ(t.cores, 3);
}

TEST(Topology, SharersAreTheUsableCores) {
  const char* const machine = "numa:2 l3:2(size=33554432) l2:4(size=1048576) l1d:1(size=49152) core:1 pu:2";
  std::vector<int> all(32);
  for (int cpu = 0; cpu < 32; ++cpu) all[static_cast<std::size_t>(cpu)] = cpu;
  const auto whole = read_topology(all, machine);
  EXPECT_EQ(whole.usable_cores, 16);
  EXPECT_EQ(whole.numa_nodes, 2);
  ASSERT_EQ(whole.caches.size(), 3u);
  EXPECT_EQ(whole.caches[0].level, MemoryLevel::L1);
  EXPECT_EQ(whole.caches[0].size, 48 * KiB);
  EXPECT_EQ(whole.caches[0].shared_by, 1u);
  EXPECT_EQ(whole.caches[2].size, 32 * MiB);
  EXPECT_EQ(whole.caches[2].shared_by, 4u);
  EXPECT_EQ(whole.largest_llc, 4 * 32 * MiB);  // a team on all cores fills four of them

  // Three cores: two below one L3, one below another.
  const auto few = read_topology({0, 1, 2, 3, 8}, machine);
  EXPECT_EQ(few.usable_cores, 3);
  EXPECT_EQ(few.caches[2].shared_by, 2u);
  EXPECT_EQ(few.largest_llc, 2 * 32 * MiB);
}

TEST(Topology, UnknownWaysAreAssumedAndSaid) {
  const auto t = read_topology({0}, "l2:1(size=1048576) core:1 pu:1");
  ASSERT_EQ(t.caches.size(), 1u);
  EXPECT_EQ(t.caches[0].ways, 8u);
  EXPECT_EQ(t.cache_note, "L2: ways unknown, 8 assumed");
}

TEST(Topology, OfAShellThatDescribesAnotherMachineIsNotTaken) {
  const auto mine = read_topology({0});
  ::setenv(left_over_topology, "numa:2 l3:2(size=1048576) core:8 pu:2", 1);
  const auto told = read_topology({0});
  EXPECT_EQ(told.numa_nodes, mine.numa_nodes);
  EXPECT_EQ(told.smt, mine.smt);
  EXPECT_EQ(told.vendor, mine.vendor);
  EXPECT_STREQ(std::getenv(left_over_topology), "numa:2 l3:2(size=1048576) core:8 pu:2") << "it is not ours to change";
  ::unsetenv(left_over_topology);
}

TEST(Topology, NoCachesNoCoresNoTopology) {
  const auto bare = read_topology({0, 1}, "pu:2");
  EXPECT_EQ(bare.usable_cores, 2);
  EXPECT_TRUE(bare.caches.empty());
  const auto broken = read_topology({3, 5, 7}, "no such description");
  EXPECT_EQ(broken.usable_cores, 3);
  EXPECT_EQ(broken.cpus, (std::vector<int>{3, 5, 7}));
  EXPECT_EQ(read_topology({}, "core:1 pu:1").usable_cores, 1);
}

TEST(Machine, ThisOneIsConsistent) {
  const auto m = detect_machine();
  ASSERT_FALSE(m.cpus.empty());
  EXPECT_GE(m.usable_cores, 1);
  EXPECT_LE(m.usable_cores, static_cast<int>(m.cpus.size()));
  EXPECT_GE(m.smt, 1);
  EXPECT_GT(m.memory_bytes, 1e8);
  EXPECT_FALSE(m.fingerprint.empty());
  EXPECT_EQ(m.fingerprint.find('\n'), std::string::npos);
  EXPECT_NE(m.fingerprint.find(m.isa), std::string::npos);
  if (m.quota > 0) {
    EXPECT_LE(m.usable_cores, std::max(1.0, m.quota));
  }
  for (const auto& cache : m.caches) {
    EXPECT_GE(cache.shared_by, 1u);
    EXPECT_LE(cache.shared_by, static_cast<unsigned>(m.usable_cores));
    EXPECT_LE(cache.size, m.largest_llc);
  }
  if (!m.caches.empty()) {
    EXPECT_NO_THROW(CacheHierarchy{m.caches});
  }
  EXPECT_EQ(detect_machine().fingerprint, m.fingerprint);
}

#if defined(__x86_64__)
TEST(Machine, IsaIsWhatThisTestRunsWith) {
  const auto isa = detect_machine().isa;
#if defined(__AVX512F__)
  EXPECT_EQ(isa, "avx512");
#elif defined(__AVX2__)
  EXPECT_TRUE(isa == "avx2" || isa == "avx512") << isa;
#else
  EXPECT_NE(isa, "scalar");
#endif
}
#endif

TEST(Machine, ContextLeavesOutWhatIsUnknown) {
  const auto bare = Machine{}.context();
  for (const char* key : {"cpu_name", "cpu_family", "cpus", "cpu_quota", "isa", "clock_hz", "memory_bytes",
                          "transparent_huge_pages", "largest_llc_bytes", "cache_note", "cache_L1"})
    EXPECT_FALSE(bare.contains(key)) << key;

  Machine m;
  m.name = "Test CPU";
  m.cpus = {0, 2, 1, 3};
  m.quota = 1.5;
  m.clock_hz = 4.1e9;
  m.caches = {{MemoryLevel::L2, 1 * MiB, 16, 64, 2}};
  m.cache_note = "L3 28 MiB measured; the machine says 508 MiB";
  const auto context = m.context();
  EXPECT_EQ(context.at("cpu_name"), "Test CPU");
  EXPECT_EQ(context.at("cpus"), "0-3");
  EXPECT_EQ(context.at("cpu_quota"), "1.5");
  EXPECT_EQ(context.at("clock_hz"), "4100000000");
  EXPECT_EQ(context.at("cache_L2"), "1048576 B, 16 ways, 64 B lines, shared by 2");
  EXPECT_EQ(context.at("cache_note"), m.cache_note);
}

}  // namespace
}  // namespace roofline::machine_test
