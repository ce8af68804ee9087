#include <gtest/gtest.h>

#include "bench/cache_model/set_launch.hpp"
#include "bench/space/buffer.hpp"
#include "tests/cache_model/launches.hpp"

// Which of the loads that a launch does are of vectors across two lines, and which are gathered.

namespace roofline::costly_loads_test {
namespace {

constexpr Index n = 1024;

/// `body(at)` for all packs of n elements.
template <int W = counted_lanes, class Body>
Counts counted(Body body) {
  return count(testing::in_chunks<W>(1, n, body), nullptr);
}

TEST(SplitLoads, AreThoseOfPacksThatCrossTheEndOfALine) {
  const Buffer a(n + 16);
  for (Index first = 0; first <= 8; ++first) {
    const auto counts = counted([p = a.data() + first](auto at) { View{const_cast<double*>(p)}[at]; });
    EXPECT_EQ(counts.at(MemoryLevel::L1)->read, 8 * n);
    EXPECT_EQ(counts.split, first % 8 == 0 ? 0 : 8 * n) << first;
  }
}

TEST(SplitLoads, AreNoneOfSingleNumbers) {
  const Buffer a(n + 16);
  const auto load = [p = a.data() + 3]<class V>(At<V, true> at) { V::load_everywhere(p + at.i); };
  EXPECT_EQ(counted(load).split, 0);
}

TEST(SplitLoads, AreUnknownOfKernelsThatAreCountedOneByOne) {
  const Buffer a(n + 16);
  const auto load = [p = a.data() + 1](auto at) { View{const_cast<double*>(p)}[at]; };
  EXPECT_EQ(counted<1>(load).at(MemoryLevel::L1)->read, 8 * n);
  EXPECT_FALSE(counted<1>(load).split);
  EXPECT_FALSE(counted<1>(load).gathered);
}

TEST(SplitLoads, OfComplexNumbersAreThoseOfBothTheirVectors) {
  const Buffer a(2 * n + 16);
  const auto load = [](const double* p) { return counted([p](auto at) { ComplexView<false>{p}[at]; }); };
  EXPECT_EQ(load(a.data()).split, 0);
  EXPECT_EQ(load(a.data() + 2).split, 16 * n);
  EXPECT_EQ(load(a.data()).gathered, 0);
}

TEST(GatheredBytes, SayWhetherInstructionsGather) {
  const Buffer a(2 * 4 * n);
  Workload work;
  set_launch<true>(work, [p = a.data()](auto space) {
    space.parallel(1, [=](Index) mutable { space.lanes(0, n, [=](auto at) { ComplexView<true>{p, 4}[at]; }); });
  });
  EXPECT_FALSE(count(work.trace, nullptr, true).gathers_by_instructions);
  gather_by_instructions(work);
  EXPECT_TRUE(count(work.trace, nullptr, true).gathers_by_instructions);
  forget_costly_loads(work);
  EXPECT_FALSE(count(work.trace, nullptr, true).gathers_by_instructions) << "of bytes that nobody knows";
}

TEST(GatheredBytes, AreThoseOfNumbersApart) {
  const Buffer a(2 * 4 * n);
  const auto counts = counted([p = a.data()](auto at) { ComplexView<true>{p, 4}[at]; });
  EXPECT_EQ(counts.at(MemoryLevel::L1)->read, 16 * n);
  EXPECT_EQ(counts.gathered, 16 * n);
  EXPECT_EQ(counts.split, 0);
  EXPECT_EQ(counted([p = a.data()](auto at) { ComplexView<true>{p, 1}[at]; }).gathered, 0) << "side by side";
}

TEST(GatheredBytes, AreScaledWithTheChunksOfAWindow) {
  constexpr Index chunks = 4096, per_chunk = 512;
  const Buffer a(chunks * per_chunk + 16);
  CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 32 << 10, .ways = 8}});
  const auto load = [p = a.data() + 1](auto at) { View{const_cast<double*>(p)}[at]; };
  const auto counts = count(testing::in_chunks(chunks, per_chunk, load), &caches);
  EXPECT_NE(counts.traffic_note.find("chunks after warm-up"), std::string::npos);
  EXPECT_DOUBLE_EQ(*counts.split, 8.0 * chunks * per_chunk);
}

/// A launch whose chunks begin one number further on than the last one's.
Counts shifting(Index per_chunk) {
  constexpr Index chunks = 4096;
  const Buffer a(chunks * (per_chunk + 8));
  CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 32 << 10, .ways = 8}});
  return count(
      [&](Sampler& sampler) {
        Counting<true> space(sampler);
        space.parallel(chunks, [&](Index chunk) {
          space.lanes(0, per_chunk,
                      [p = a.data() + chunk * (per_chunk + 1)](auto at) { View{const_cast<double*>(p)}[at]; });
        });
      },
      &caches);
}

TEST(SplitLoads, AreUnknownWhereAWindowIsNoSampleOfThem) {
  const auto counts = shifting(512);
  EXPECT_NE(counts.traffic_note.find("chunks after warm-up"), std::string::npos);
  EXPECT_FALSE(counts.split);
}

}  // namespace
}  // namespace roofline::costly_loads_test
