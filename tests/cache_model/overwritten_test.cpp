#include <gtest/gtest.h>

#include "apps/stencil/stencil.hpp"
#include "apps/stream/stream.hpp"
#include "bench/space/buffer.hpp"
#include "tests/cache_model/launches.hpp"

// Lines that come in only because of a store and are then overwritten, which a CPU that evades write-allocates does not
// read.

namespace roofline::overwritten_test {
namespace {

using testing::two_levels;

constexpr std::uint64_t KiB = 1 << 10, MiB = 1 << 20;
constexpr auto L1 = MemoryLevel::L1, L2 = MemoryLevel::L2, DRAM = MemoryLevel::DRAM;

/// Lines overwritten by stores of `bytes` at every `step` bytes of `from` to `to`.
std::uint64_t overwritten(CacheHierarchy& caches, std::uintptr_t from, std::uintptr_t to, unsigned bytes,
                          std::uintptr_t step) {
  const auto before = caches.overwritten();
  for (auto at = from; at < to; at += step) caches.store(at, bytes);
  return (caches.overwritten() - before) / 64;
}

TEST(Overwritten, IsEveryLineOfAStreamOfPlainStores) {
  for (const unsigned bytes : {4u, 8u, 16u, 64u}) {
    auto caches = two_levels();
    EXPECT_EQ(overwritten(caches, 0, 64 * KiB, bytes, bytes), 1024u) << bytes;
    EXPECT_EQ(caches.traffic(DRAM).read, 64 * KiB) << "they are read all the same";
  }
}

TEST(Overwritten, PacksAcrossLinesAddUp) {
  for (const std::uintptr_t skew : {8, 24, 56}) {
    auto caches = two_levels();
    EXPECT_EQ(overwritten(caches, skew, skew + 64 * KiB, 64, 64), 1023u) << "all but the first and the last";
  }
}

TEST(Overwritten, IsNoLineOfWhichEverySecondElementIsWritten) {
  auto caches = two_levels();
  EXPECT_EQ(overwritten(caches, 0, 64 * KiB, 8, 16), 0u);
  EXPECT_EQ(overwritten(caches, 8, 64 * KiB, 8, 16), 0u) << "nor later, when L1 has lost them";
  EXPECT_EQ(overwritten(caches, 4 * MiB, 4 * MiB + 16 * KiB, 8, 16), 0u);
  EXPECT_EQ(overwritten(caches, 4 * MiB + 8, 4 * MiB + 16 * KiB, 8, 16), 256u) << "before that it may be late";
}

TEST(Overwritten, StoresMayTakeTurnsWithLinesOfTheSameSet) {
  for (const unsigned others : {0u, 1u, 2u, 3u})
    for (const bool is_read : {false, true}) {
      CacheHierarchy caches({{L1, 8 * 64, 8}, {L2, 64 * KiB, 8}});
      const auto turn = [&] {
        for (unsigned other = 1; other <= others; ++other) caches.load(64 * other, 8);
      };
      overwritten(caches, 0, 32, 8, 8);
      turn();
      if (is_read) caches.load(0, 8);
      turn();
      overwritten(caches, 32, 64, 8, 8);
      EXPECT_EQ(caches.overwritten(), is_read ? 0u : 64u) << others;
    }
}

TEST(Overwritten, IsNoLineThatIsReadBeforeItIsFull) {
  auto caches = two_levels();
  overwritten(caches, 0, 56, 8, 8);
  caches.load(0, 8);
  caches.store(56, 8);
  EXPECT_EQ(caches.overwritten(), 0u);
  overwritten(caches, 64, 128, 8, 8);
  caches.load(64, 8);
  EXPECT_EQ(caches.overwritten(), 64u) << "after it is nothing is lost";
  overwritten(caches, 0, 128, 8, 8);
  EXPECT_EQ(caches.overwritten(), 64u) << "nor counted twice";
}

TEST(Overwritten, IsNoLineThatALoadBroughtIn) {
  auto caches = two_levels();
  for (std::uintptr_t at = 0; at < 64 * KiB; at += 8) caches.load(at, 8), caches.store(at, 8);
  EXPECT_EQ(caches.overwritten(), 0u);
}

TEST(Overwritten, IsNoLineThatLeavesTheNearestCacheBeforeItIsFull) {
  auto caches = testing::two_sets();
  caches.store(0, 32);
  caches.load(64, 8), caches.load(128, 8);  // line 0 leaves L1, changed
  caches.store(32, 32);
  EXPECT_EQ(caches.overwritten(), 0u);
  EXPECT_EQ(caches.traffic(DRAM).read, 3 * 64);
  EXPECT_EQ(caches.traffic(L2), (Traffic{4 * 64, 64})) << "and comes back as the line it was";
}

TEST(Overwritten, SurvivesAnotherLineOfItsSet) {
  auto caches = testing::two_sets();
  caches.store(0, 32);
  caches.load(64, 8);  // now the newest
  caches.store(32, 32);
  EXPECT_EQ(caches.overwritten(), 64u);
}

TEST(Overwritten, IsNoLineThatAFartherCacheHas) {
  auto caches = testing::two_sets();
  for (const std::uintptr_t line : {0, 1, 2}) caches.load(line * 64, 8);
  caches.store(0, 64);
  EXPECT_EQ(caches.overwritten(), 0u);
}

TEST(Overwritten, IsNoLineOfStreamingStores) {
  auto caches = two_levels();
  for (std::uintptr_t at = 0; at < 64 * KiB; at += 64) caches.store_streaming(at, 64);
  EXPECT_EQ(caches.overwritten(), 0u);
}

TEST(Overwritten, LinesHaveAnySize) {
  for (const unsigned line : {8u, 32u, 128u, 256u}) {
    auto caches = two_levels(line);
    for (std::uintptr_t at = 0; at < 64 * KiB; at += 8) caches.store(at, 8);
    EXPECT_EQ(caches.overwritten(), line < 256 ? 64 * KiB : 0) << "a sixteenth of 256 B is more than 8 B";
    for (std::uintptr_t at = 4 * MiB; at < 4 * MiB + 64 * KiB; at += 64) caches.store(at, 64);
    EXPECT_EQ(caches.overwritten(), line < 256 ? 128 * KiB : 64 * KiB) << line;
  }
}

TEST(Overwritten, IsForgottenWithTheTraffic) {
  auto caches = two_levels();
  overwritten(caches, 0, 64 * KiB, 64, 64);
  caches.reset_traffic();
  EXPECT_EQ(caches.overwritten(), 0u);
}

// ---- Kernels in the counting space

template <class Body>
Counts counted(Index chunks, Index per_chunk, Body body, CacheHierarchy caches = two_levels()) {
  return count(testing::in_chunks(chunks, per_chunk, body), &caches);
}

constexpr Index chunks = 512, per_chunk = 1024;
constexpr double n = chunks * per_chunk;

TEST(Overwritten, StreamsOverwriteWhatTheyStore) {
  const Buffer a(chunks * per_chunk), b(chunks * per_chunk), c(chunks * per_chunk);
  const auto triad = counted(chunks, per_chunk, stream::Triad{a.view(), b.view(), c.view(), 0.4});
  EXPECT_NE(triad.traffic_note.find("chunks after warm-up"), std::string::npos) << "a window stood for all";
  EXPECT_EQ(triad.overwritten, 8 * n);
  EXPECT_EQ(triad.at(DRAM)->read, 24 * n);
  EXPECT_EQ(counted(chunks, per_chunk, stream::Copy{a.view(), c.view()}).overwritten, 8 * n);
  EXPECT_EQ(counted(chunks, per_chunk, stream::Scale{a.view(), a.view(), 0.5}).overwritten, 0) << "in place";
  const auto streaming = [view = a.view()](auto at) {
    using real = typename decltype(at)::real;
    view.set_streaming(at, real(2.0));
  };
  EXPECT_EQ(counted(chunks, per_chunk, streaming).overwritten, 0);
}

TEST(Overwritten, IsTheSumOverCores) {
  const Buffer a(chunks * per_chunk), c(chunks * per_chunk);
  Workload work;
  work.trace = testing::in_chunks(chunks, per_chunk, stream::Copy{a.view(), c.view()});
  CacheModel model({{L1, 32 * KiB, 8}, {L2, 1 * MiB, 16}}, 3);
  EXPECT_EQ(model.count("copy", work)->overwritten, 8 * n);
  EXPECT_FALSE(CacheModel({}, 3).count("copy", work)->overwritten) << "nobody knows without caches";
}

}  // namespace
}  // namespace roofline::overwritten_test
