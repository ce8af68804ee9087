#include <gtest/gtest.h>

#include "apps/stream/stream.hpp"
#include "bench/space/buffer.hpp"
#include "tests/cache_model/launches.hpp"

// Lines that come in from DRAM without their neighbour in an aligned pair of lines: memory that brings pairs has moved
// twice the bytes. And what else of a launch has a ceiling of its own: streaming stores, parallel regions.

namespace roofline::unpaired_lines_test {
namespace {

using testing::two_levels;

constexpr std::uint64_t KiB = 1 << 10, MiB = 1 << 20;
constexpr auto L1 = MemoryLevel::L1, L2 = MemoryLevel::L2, DRAM = MemoryLevel::DRAM;

/// Lines that came in alone while 8 B at every `step` bytes of `from` to `to` were loaded.
std::int64_t unpaired(CacheHierarchy& caches, std::uintptr_t from, std::uintptr_t to, std::uintptr_t step) {
  const auto before = caches.traffic(DRAM).read - static_cast<double>(caches.paired());
  for (auto at = from; at < to; at += step) caches.load(at, 8);
  return static_cast<std::int64_t>(caches.traffic(DRAM).read - static_cast<double>(caches.paired()) - before) / 64;
}

TEST(UnpairedLines, NoLineOfAStreamIsAlone) {
  for (const std::uintptr_t step : {8, 16, 64}) {
    auto caches = two_levels();
    EXPECT_EQ(unpaired(caches, 0, 4 * MiB, step), 0) << step;
    EXPECT_EQ(caches.traffic(DRAM).read, 4 * MiB);
  }
}

TEST(UnpairedLines, TheEndsOfAStreamMayBe) {
  auto caches = two_levels();
  EXPECT_EQ(unpaired(caches, 64, 1 * MiB + 64, 64), 2) << "of 1 MiB that begins in the middle of a pair";
}

TEST(UnpairedLines, EveryLineIsWhereEverySecondOneIsRead) {
  for (const std::uintptr_t step : {128, 256, 512}) {
    auto caches = two_levels();
    EXPECT_EQ(unpaired(caches, 64, 4 * MiB, step), static_cast<std::int64_t>(4 * MiB / step)) << step;
    EXPECT_EQ(caches.traffic(DRAM).read, 4.0 * MiB / static_cast<double>(step) * 64) << "bytes are what they were";
  }
}

TEST(UnpairedLines, ANeighbourThatComesInTimeCompletesThePair) {
  auto caches = two_levels();
  EXPECT_EQ(unpaired(caches, 0, 256 * KiB, 128), 2048);
  EXPECT_EQ(unpaired(caches, 64, 256 * KiB, 128), -2048) << "the first ones are no longer alone, nor are these";
  auto late = two_levels();
  EXPECT_EQ(unpaired(late, 0, 4 * MiB, 128), 32768);
  EXPECT_EQ(unpaired(late, 64, 4 * MiB, 128), 32768 - 2 * 8192) << "the cache has kept what fills its even sets";
}

TEST(UnpairedLines, APairIsCompletedOnce) {
  auto caches = testing::two_sets();
  EXPECT_EQ(unpaired(caches, 0, 64, 64), 1);
  EXPECT_EQ(unpaired(caches, 64, 128, 64), -1);
  EXPECT_EQ(unpaired(caches, 1024, 1024 + 7 * 128, 128), 7);  // line 0 has gone, line 1 stays
  EXPECT_EQ(unpaired(caches, 0, 64, 64), 0) << "next to its neighbour, which was counted before";
  // The other of them goes: the one that came alone stays, and waits for its neighbour no more.
  caches = CacheHierarchy({{L1, 512, 8}});
  EXPECT_EQ(unpaired(caches, 0, 64, 64), 1);
  EXPECT_EQ(unpaired(caches, 64, 128, 64), -1);
  caches.load(0, 8);
  EXPECT_EQ(unpaired(caches, 1024, 1024 + 7 * 128, 128), 7);
  EXPECT_EQ(unpaired(caches, 64, 128, 64), 0) << "its neighbour was counted when both were there";
}

TEST(UnpairedLines, TheNeighbourMayBeInANearerCacheAlone) {
  auto caches = testing::two_sets();
  unpaired(caches, 0, 64, 64);
  for (int i = 1; i <= 8; ++i) unpaired(caches, i * 1024, i * 1024 + 64, 64), caches.load(0, 8);
  EXPECT_EQ(unpaired(caches, 64, 128, 64), 0);
  EXPECT_EQ(unpaired(caches, 1024 + 64, 1024 + 128, 64), 1) << "this one's is in none";
}

TEST(UnpairedLines, AWriteToALineKeepsItWaitingForItsNeighbour) {
  for (auto caches : {testing::two_sets(), CacheHierarchy({{L1, 512, 8}})}) {
    caches.store(0, 8), caches.load(8, 8), caches.store(0, 64), caches.load(0, 8);
    EXPECT_EQ(caches.paired(), 0u);
    EXPECT_EQ(unpaired(caches, 64, 128, 64), -1);
    EXPECT_EQ(caches.traffic(DRAM).read, 128);
  }
}

// ---- Kernels in the counting space

constexpr Index chunks = 2048, per_chunk = 1024;
constexpr double n = chunks * per_chunk;

/// Reads a number of each `bytes`.
Counts counted_reads(const Buffer& a, Index bytes, bool twice = false) {
  auto caches = two_levels();
  return count(
      [&](Sampler& sampler) {
        Counting<true, 1> space(sampler);
        const auto chunk = [&](Index i) {
          for (Index at = i * per_chunk; at < (i + 1) * per_chunk; at += bytes / 8) Counted::load(a.data() + at);
        };
        space.parallel(chunks, chunk);
        if (twice) space.parallel(chunks, chunk);
      },
      &caches);
}

TEST(UnpairedLines, OfALaunchAreTheReadsOfSkippingStrides) {
  const Buffer a(chunks * per_chunk);
  EXPECT_EQ(counted_reads(a, 64).unpaired, 0);
  const auto skipping = counted_reads(a, 128);
  EXPECT_NE(skipping.traffic_note.find("chunks after warm-up"), std::string::npos) << "a window stood for all";
  EXPECT_EQ(skipping.unpaired, 4 * n);
  EXPECT_EQ(skipping.at(DRAM)->read, 4 * n);
  EXPECT_EQ(skipping.unpaired, counted_reads(a, 128).unpaired) << "repeatable";
}

TEST(UnpairedLines, AreTheSumOverCoresAndUnknownWithoutCaches) {
  const Buffer a(chunks * per_chunk);
  Workload work;
  work.trace = [&](Sampler& sampler) {
    Counting<true, 1> space(sampler);
    space.parallel(chunks, [&](Index i) {
      for (Index at = i * per_chunk; at < (i + 1) * per_chunk; at += 16) Counted::load(a.data() + at);
    });
  };
  const CacheModel known({{L1, 32 * KiB, 8}, {L2, 1 * MiB, 16}}, 3);
  EXPECT_EQ(CacheModel(known).count("row", work)->unpaired, 4 * n);
  EXPECT_FALSE(CacheModel({}, 3).count("row", work)->unpaired);
}

TEST(StreamedBytes, AreThoseOfStreamingStores) {
  const Buffer a(chunks * per_chunk), b(chunks * per_chunk);
  const auto counted = [&](auto body) {
    auto caches = two_levels();
    return count(testing::in_chunks(chunks, per_chunk, body), &caches);
  };
  const auto copy = counted([from = b.view(), to = a.view()](auto at) { to.set_streaming(at, from[at]); });
  EXPECT_EQ(copy.streamed, 8 * n);
  EXPECT_EQ(*copy.at(DRAM), (Traffic{8 * n, 8 * n}));
  EXPECT_EQ(counted(stream::Copy{a.view(), b.view()}).streamed, 0);
}

TEST(ParallelRegions, AreTheParallelLoopsOfOneLaunch) {
  const Buffer a(chunks * per_chunk);
  EXPECT_EQ(counted_reads(a, 64).regions, 1);
  EXPECT_EQ(counted_reads(a, 64, true).regions, 2);
  const auto twice = [](Sampler& sampler) {
    Counting<true> space(sampler);
    for (int i = 0; i < 2; ++i) space.parallel(3, [](Index) {});
  };
  auto caches = two_levels();
  EXPECT_EQ(count(twice, &caches).regions, 2) << "run twice to warm the caches, counted once";
  EXPECT_EQ(count(twice, nullptr).regions, 2) << "known without caches";
}

}  // namespace
}  // namespace roofline::unpaired_lines_test
