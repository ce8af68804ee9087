#include "bench/cache_model/cache_hierarchy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "apps/stencil/stencil.hpp"
#include "apps/stream/stream.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/buffer.hpp"
#include "tests/cache_model/launches.hpp"
#include "tests/error_of.hpp"

namespace roofline::cache_hierarchy_test {
namespace {

constexpr std::uint64_t KiB = 1 << 10, MiB = 1 << 20;
constexpr auto L1 = MemoryLevel::L1, L2 = MemoryLevel::L2, L3 = MemoryLevel::L3, DRAM = MemoryLevel::DRAM;

/// Caches of a usual server core.
CacheHierarchy three_levels() { return CacheHierarchy({{L1, 32 * KiB, 8}, {L2, 1 * MiB, 16}, {L3, 8 * MiB, 16}}); }

TEST(SharedCaches, AreThoseOfTheThreadsThatRun) {
  CacheLevel cache{.level = L3, .size = 32 * MiB, .shared_by = 8};
  const auto share = [&](int threads) {
    const auto all = shared_among({cache}, threads);
    return all[0].size / all[0].shared_by;
  };
  EXPECT_EQ(share(1), 32 * MiB) << "one thread has all of it";
  EXPECT_EQ(share(2), 16 * MiB);
  EXPECT_EQ(share(64), 4 * MiB);
  cache.threads_per_core = 2;
  EXPECT_EQ(share(16), 2 * MiB) << "two on each of its cores";
}

// ---- One set, by hand.

/// One cache of 2 sets x 2 ways; lines 0, 2, 4, ... share set 0.
CacheHierarchy tiny() { return CacheHierarchy({{L1, 256, 2}}); }
void load_line(CacheHierarchy& caches, std::uintptr_t line) { caches.load(line * 64, 8); }
void store_line(CacheHierarchy& caches, std::uintptr_t line) { caches.store(line * 64, 8); }

TEST(Lru, EvictsTheLineThatWasNotUsedForLongest) {
  auto caches = tiny();
  load_line(caches, 0);
  load_line(caches, 2);
  load_line(caches, 0);  // line 2 is now the older one
  load_line(caches, 4);  // takes its place
  load_line(caches, 0);
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{3 * 64, 0}));
  load_line(caches, 2);  // gone; line 4 goes
  load_line(caches, 0);
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{4 * 64, 0}));
  load_line(caches, 1);  // the other set was never touched
  load_line(caches, 0);
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{5 * 64, 0}));
}

TEST(Lru, WritesAChangedLineBackOnceWhenItLeaves) {
  auto caches = tiny();
  store_line(caches, 0);  // read for ownership
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{64, 0}));
  store_line(caches, 0);
  load_line(caches, 2);
  load_line(caches, 4);  // line 0 leaves
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{3 * 64, 64}));
  load_line(caches, 0);  // comes back clean
  load_line(caches, 2);
  load_line(caches, 4);
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{6 * 64, 64}));
}

TEST(Lru, IsThatOfAListWhicheverWayIsUsed) {
  CacheHierarchy caches({{L1, 5 * 64, 5}, {L2, 64 * KiB, 8}});
  std::vector<std::pair<std::uintptr_t, bool>> newest_first;  // lines, and whether they are changed
  double fills = 0, write_backs = 0;
  std::uint32_t random = 1;
  for (int i = 0; i < 4000; ++i) {
    random = random * 1664525 + 1013904223;
    const std::uintptr_t line = random >> 29;  // one of eight
    bool changes = random >> 28 & 1;
    changes ? store_line(caches, line) : load_line(caches, line);
    const auto at = std::find_if(newest_first.begin(), newest_first.end(), [&](auto it) { return it.first == line; });
    fills += at == newest_first.end();
    if (at != newest_first.end()) {
      changes |= at->second;
      newest_first.erase(at);
    } else if (newest_first.size() == 5) {
      write_backs += newest_first.back().second;
      newest_first.pop_back();
    }
    newest_first.insert(newest_first.begin(), {line, changes});
  }
  EXPECT_EQ(caches.traffic(L2), (Traffic{fills * 64, write_backs * 64}));
  EXPECT_GT(write_backs, 500);
}

TEST(Lru, LoadKeepsALineChanged) {
  auto caches = tiny();
  store_line(caches, 0);
  load_line(caches, 2);
  load_line(caches, 0);
  load_line(caches, 4), load_line(caches, 6);
  EXPECT_EQ(caches.traffic(DRAM).written, 64);
}

// L1: one set of two ways; L2: one set of four.
TEST(Lru, ChangedLineGoesThroughTheNextLevelAndIsNoUseOfIt) {
  CacheHierarchy caches({{L1, 128, 2}, {L2, 256, 4}});
  store_line(caches, 0);
  load_line(caches, 1);
  load_line(caches, 2);  // line 0 leaves L1, L2 has it already
  EXPECT_EQ(caches.traffic(L2), (Traffic{3 * 64, 64}));
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{3 * 64, 0}));
  load_line(caches, 3);
  load_line(caches, 4);  // the write-back had no effect: line 0 still is the oldest in L2 and leaves, changed
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{5 * 64, 64}));
  load_line(caches, 1);  // still in L2
  EXPECT_EQ(caches.traffic(L2), (Traffic{6 * 64, 64}));
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{5 * 64, 64}));
}

TEST(CacheHierarchy, AccessAcrossALineBoundaryTouchesBoth) {
  auto caches = tiny();
  caches.load(60, 8);
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{2 * 64, 0}));
  EXPECT_EQ(caches.traffic(L1), (Traffic{8, 0}));  // what the core asked for
  caches.load(56, 8);
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{2 * 64, 0}));
}

TEST(CacheHierarchy, ResetForgetsTheTrafficAndKeepsTheLines) {
  auto caches = tiny();
  store_line(caches, 0);
  caches.reset_traffic();
  EXPECT_EQ(caches.traffic(L1), Traffic{});
  store_line(caches, 0);
  EXPECT_EQ(caches.traffic(DRAM), Traffic{});
  EXPECT_EQ(caches.traffic(L1), (Traffic{0, 8}));
  EXPECT_EQ(caches.filled_from_memory(), 64u);
}

TEST(CacheHierarchy, StreamingStoresGoToMemoryUnread) {
  CacheHierarchy caches({{L1, 128, 2}, {L2, 256, 4}});
  for (std::uintptr_t at = 0; at < 1024; at += 8) caches.store_streaming(at, 8);
  EXPECT_EQ(caches.traffic(L1), (Traffic{0, 1024}));
  EXPECT_EQ(caches.traffic(L2), Traffic{});
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{0, 1024}));
}

TEST(CacheHierarchy, LevelsAreThoseOfTheMachine) {
  const CacheHierarchy two({{L1, 32 * KiB, 8}, {L2, 1 * MiB, 16}});
  EXPECT_TRUE(two.has(L1) && two.has(L2) && two.has(DRAM));
  EXPECT_FALSE(two.has(L3));
  EXPECT_EQ(two.last_level_size(), 1 * MiB);
  EXPECT_EQ(two.describe(), "LRU L1 32K/8 L2 1M/16");
}

TEST(CacheHierarchy, ACoreHasItsShareOfASharedCache) {
  const CacheHierarchy host({{L1, 48 * KiB, 12}, {L3, 32 * MiB, 16, 64, 3}});
  EXPECT_EQ(host.last_level_size(), 32 * MiB / 3 / 1024 * 1024);  // whole sets only
}

TEST(CacheHierarchy, SetsNeedNotBeAPowerOfTwo) {
  CacheHierarchy caches({{L1, 3 * 128, 2}});  // lines 0, 3, 6 share a set
  for (const std::uintptr_t line : {0, 3, 1, 4, 2, 5}) load_line(caches, line);
  for (const std::uintptr_t line : {0, 3, 1, 4, 2, 5}) load_line(caches, line);
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{6 * 64, 0})) << "all six stay";
  load_line(caches, 6);
  load_line(caches, 0);
  EXPECT_EQ(caches.traffic(DRAM), (Traffic{8 * 64, 0}));
}

TEST(CacheHierarchy, RefusesGeometryThatHasNoSets) {
  EXPECT_THROW(CacheHierarchy({{L1, 0, 8}}), std::invalid_argument);
  EXPECT_THROW(CacheHierarchy({{L1, 32 * KiB, 0}}), std::invalid_argument);
  EXPECT_THROW(CacheHierarchy({{L1, 32 * KiB, 8, 0}}), std::invalid_argument);
  EXPECT_THROW(CacheHierarchy({{L1, 256, 8, 64}}), std::invalid_argument);
  EXPECT_THROW(CacheHierarchy({{L1, 48 * KiB, 8, 48}}), std::invalid_argument);
  EXPECT_THROW(CacheHierarchy({{L1, 32 * KiB, 8}, {L2, 1 * KiB, 8, 64, 4}}), std::invalid_argument);
  EXPECT_THROW(CacheHierarchy(std::vector<CacheLevel>{}), std::invalid_argument);
  EXPECT_EQ(testing::error_of([] {
              CacheHierarchy({{L2, 256, 8, 64}});
            }),
            "L2 cache of 256 B: its share is smaller than 8 ways of 64 B lines");
}

// ---- Bytes that follow exactly from sizes, write-allocates and write-backs, by kernels in the counting space.

Counts count_triad(Index n, CacheHierarchy caches, bool streaming = false) {
  const Buffer a(n), b(n), c(n);
  const stream::Triad triad{a.view(), b.view(), c.view(), 0.4};
  const auto non_temporal = [&](auto at) {
    using real = typename decltype(at)::real;
    const real x = b.view()[at];
    const real y = c.view()[at];
    a.view().set_streaming(at, real(x + 0.4 * y));
  };
  return count(streaming ? testing::in_chunks(1, n, non_temporal) : testing::in_chunks(1, n, triad), &caches, true);
}

TEST(ByteModel, TriadMoves24And8BytesAtEveryLevelBelowL1) {
  const Index n = Index{1} << 20;  // 24 MiB
  const auto counts = count_triad(n, three_levels());
  const auto per_element = static_cast<double>(n);
  EXPECT_EQ(*counts.at(L1), (Traffic{16 * per_element, 8 * per_element}));
  for (const auto level : {L2, L3, DRAM}) EXPECT_EQ(*counts.at(level), (Traffic{24 * per_element, 8 * per_element}));
}

TEST(ByteModel, StreamingStoresSaveTheWriteAllocate) {
  const Index n = Index{1} << 20;
  const auto counts = count_triad(n, three_levels(), true);
  const auto per_element = static_cast<double>(n);
  EXPECT_EQ(*counts.at(L1), (Traffic{16 * per_element, 8 * per_element}));
  EXPECT_EQ(*counts.at(L2), (Traffic{16 * per_element, 0}));
  EXPECT_EQ(*counts.at(DRAM), (Traffic{16 * per_element, 8 * per_element}));
}

Counts count_seven_points(Index n, CacheHierarchy caches) {
  const Buffer u(n * n * n), v(n * n * n);
  const stencil::SevenFlops body{u.view(), v.view(), n, n * n};
  const auto trace = [&](Sampler& sampler) {
    Counting<true> space(sampler);
    space.parallel(n - 2, [&](Index plane) {
      for (Index j = 1; j < n - 1; ++j) {
        const Index row = ((plane + 1) * n + j) * n;
        space.lanes(row + 1, row + n - 1, body);
      }
    });
  };
  return count(trace, &caches, true);
}

struct Published {
  Index edge;
  double l1_fill, l2_fill, write_back;  // B per interior point, of the table
  bool beyond_l3;
};

class SevenPoint : public ::testing::TestWithParam<Published> {};

TEST_P(SevenPoint, MovesThePublishedBytesPerPoint) {
  const auto [n, l1_fill, l2_fill, write_back, beyond_l3] = GetParam();
  const auto counts = count_seven_points(n, three_levels());

  const auto edge = static_cast<double>(n), m = edge - 2, points = m * m * m, row_bytes = 8 * edge;
  EXPECT_EQ(counts.operations,
            (Operations{.add = static_cast<std::uint64_t>(5 * points), .fma = static_cast<std::uint64_t>(points)}));
  EXPECT_EQ(*counts.at(L1), (Traffic{56 * points, 8 * points}));
  // Every row of three planes again and the write-allocate; every row once and the write-allocate.
  EXPECT_DOUBLE_EQ(counts.at(L2)->read, ((edge + 2 * m) * m + m * m) * row_bytes);
  EXPECT_DOUBLE_EQ(counts.at(L3)->read, ((edge * edge - 4) + m * m) * row_bytes);
  EXPECT_DOUBLE_EQ(counts.at(L2)->written, m * m * row_bytes);
  EXPECT_DOUBLE_EQ(counts.at(L3)->written, m * m * row_bytes);
  EXPECT_NEAR(counts.at(L2)->read / points, l1_fill, 0.001);
  EXPECT_NEAR(counts.at(L3)->read / points, l2_fill, 0.001);
  EXPECT_NEAR(counts.at(L2)->written / points, write_back, 0.001);
  EXPECT_EQ(*counts.at(DRAM), beyond_l3 ? *counts.at(L3) : Traffic{});
}

/// Layer conditions (Stengel et al., ICS 2015): the reads of a cache depend on whether it holds the planes or only the
/// rows that a sweep comes back to, whatever its size otherwise. Touched in between: 3 planes of u and one of v, or 5
/// rows of u and one of v.
double layer_condition_fill(Index n, std::uint64_t cache) {
  const auto row = static_cast<std::uint64_t>(8 * n), plane = row * static_cast<std::uint64_t>(n);
  const int streams = cache >= 4 * plane ? 1 : cache >= 6 * row ? 3 : 5;
  return 8.0 * streams + 8.0;  // and the write-allocate of v
}

class LayerCondition : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(LayerCondition, FillsPerPointAreThoseOfTheFormula) {
  const Index n = 162;
  const auto points = static_cast<double>((n - 2) * (n - 2) * (n - 2));
  const double fill = count_seven_points(n, CacheHierarchy({{L1, GetParam(), 16}})).at(DRAM)->read / points;
  EXPECT_NEAR(fill / layer_condition_fill(n, GetParam()), 1, 0.04);
}

// Half and twice the rows, half and twice the planes.
INSTANTIATE_TEST_SUITE_P(Caches, LayerCondition, ::testing::Values(4 * KiB, 16 * KiB, 256 * KiB, 2 * MiB));

// At 64 both arrays together (4 MiB) stay in the 8 MiB.
INSTANTIATE_TEST_SUITE_P(PublishedEdges, SevenPoint,
                         ::testing::Values(Published{64, 33.299, 17.049, 8.258, false},
                                           Published{96, 32.855, 16.688, 8.170, true},
                                           Published{128, 32.637, 16.512, 8.127, true}),
                         [](const auto& test) { return "Edge" + std::to_string(test.param.edge); });

}  // namespace
}  // namespace roofline::cache_hierarchy_test
