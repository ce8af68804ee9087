#include "bench/cache_model/sampler.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "apps/stencil/stencil.hpp"
#include "apps/stream/stream.hpp"
#include "bench/space/buffer.hpp"
#include "tests/cache_model/launches.hpp"

namespace roofline::sampler_test {
namespace {

using testing::two_levels;

constexpr auto L1 = MemoryLevel::L1, L2 = MemoryLevel::L2, DRAM = MemoryLevel::DRAM;
constexpr Index chunk_size = 1024;

using Trace = std::function<void(Sampler&)>;

double elements(Index chunks) { return static_cast<double>(chunks * chunk_size); }

/// A triad in chunks of 1024 elements: 24 KiB each.
Trace chunk_triad(Index chunks) {
  const auto arrays = std::make_shared<std::array<Buffer, 3>>();
  for (auto& array : *arrays) array = Buffer(chunks * chunk_size);
  const auto& [a, b, c] = *arrays;
  const stream::Triad triad{a.view(), b.view(), c.view(), 0.4};
  return [arrays, trace = testing::in_chunks(chunks, chunk_size, triad)](Sampler& sampler) { trace(sampler); };
}

/// A kernel whose chunk i does `additions(i)` additions and loads.
Trace uneven(Index chunks, Index period, Index (*additions)(Index), const Buffer& data) {
  return [=, &data](Sampler& sampler) {
    Counting<true, 1> space(sampler);
    space.parallel(
        chunks,
        [&](Index i) {
          using At = Counting<true, 1>::At;
          At::real sum = 0.0;
          for (Index j = 0; j < additions(i); ++j) {
            const At::real x = data.view()[At{i * 512 + j}];
            sum += x;
          }
        },
        period);
  };
}

TEST(Sampler, WindowCountsOperationsAndSourceBytesExactly) {
  const auto triad = chunk_triad(512);  // 12 MiB against 1 MiB of cache
  auto caches = two_levels();
  Sampler sampler(&caches);
  triad(sampler);
  EXPECT_TRUE(sampler.sampled());
  const auto window = sampler.counts();
  EXPECT_EQ(window.operations, (Operations{.fma = 512 * chunk_size}));
  EXPECT_EQ(*window.at(L1), (Traffic{16 * elements(512), 8 * elements(512)}));
  EXPECT_EQ(sampler.loads(), 2u * 512 * chunk_size);
  EXPECT_EQ(sampler.stores(), 1u * 512 * chunk_size);
  EXPECT_NE(window.traffic_note.find("of 512 chunks after warm-up"), std::string::npos) << window.traffic_note;
}

TEST(Sampler, WindowOfAStencilIsWithinOnePercentOfTheFullRun) {
  const Index n = 160;
  const Buffer u(n * n * n), v(n * n * n);
  const auto trace = [&](Sampler& sampler) {
    Counting<true> space(sampler);
    const stencil::SevenFlops body{u.view(), v.view(), n, n * n};
    space.parallel(n - 2, [&](Index plane) {
      for (Index j = 1; j < n - 1; ++j)
        space.lanes(((plane + 1) * n + j) * n + 1, ((plane + 1) * n + j + 1) * n - 1, body);
    });
  };
  auto caches = two_levels(), again = two_levels();
  const auto window = count(trace, &caches), full = count(trace, &again, true);
  EXPECT_NE(window.traffic_note, full.traffic_note);
  EXPECT_EQ(window.operations, full.operations);
  EXPECT_EQ(*window.at(L1), *full.at(L1));
  for (const auto level : {L2, DRAM}) {
    EXPECT_NEAR(window.at(level)->read / full.at(level)->read, 1, 0.01) << name(level);
    EXPECT_NEAR(window.at(level)->written / full.at(level)->written, 1, 0.01) << name(level);
  }
}

// 2.25 MiB on three cores with 1 MiB each: repeated launches find their chunks; one core would read all of it again.
TEST(Sampler, EachCoreFindsItsOwnChunksAgain) {
  const auto triad = chunk_triad(96);
  std::vector<CacheHierarchy> three(3, two_levels());
  const auto shared_out = count(triad, three);
  EXPECT_EQ(*shared_out.at(DRAM), (Traffic{0, 0}));
  EXPECT_EQ(shared_out.operations, (Operations{.fma = 96 * chunk_size}));
  auto alone = two_levels();
  EXPECT_NEAR(count(triad, &alone).at(DRAM)->read / elements(96), 24, 0.24);
}

TEST(Sampler, AnErrorOnAnyCoreIsReported) {
  const std::function<void(Sampler&)> broken = [](Sampler& sampler) {
    sampler.run(6, 1, [](Index chunk) {
      if (chunk == 5) throw std::runtime_error("chunk 5");
    });
  };
  std::vector<CacheHierarchy> three(3, two_levels());
  EXPECT_THROW(count(broken, three), std::runtime_error);
}

TEST(Sampler, ChunksThatDoNotDivideAreRunOnceEach) {
  std::vector<CacheHierarchy> three(3, two_levels());
  EXPECT_EQ(count(chunk_triad(95), three).operations, (Operations{.fma = 95 * chunk_size}));
  EXPECT_EQ(count(chunk_triad(2), three).operations, (Operations{.fma = 2 * chunk_size}));
}

TEST(Sampler, AWindowOfOneCoreStandsForAll) {
  std::vector<CacheHierarchy> three(3, two_levels());
  const auto counts = count(chunk_triad(1536), three);
  EXPECT_NE(counts.traffic_note.find("of 1536 chunks after warm-up"), std::string::npos) << counts.traffic_note;
  EXPECT_EQ(counts.operations, (Operations{.fma = 1536 * chunk_size}));
  EXPECT_NEAR(counts.at(DRAM)->read / elements(1536), 24, 0.24);
  EXPECT_NEAR(counts.at(DRAM)->written / elements(1536), 8, 0.08);
}

TEST(Sampler, LaunchRepeatsWithItsPeriod) {
  const Buffer data(1024 * 512);
  const auto red_black = [](Index i) -> Index { return i % 2 == 0 ? 512 : 256; };
  auto caches = two_levels();
  const auto counts = count(uneven(1024, 2, red_black, data), &caches);
  EXPECT_EQ(counts.operations.add, 1024u * 384);
  EXPECT_EQ(counts.at(L1)->read, 1024.0 * 384 * 8);
}

TEST(Sampler, WrongPeriodIsRefused) {
  const Buffer data(1024 * 512);
  const auto red_black = [](Index i) -> Index { return i % 2 == 0 ? 512 : 256; };
  const auto triangle = [](Index i) -> Index { return i / 2; };
  auto caches = two_levels();
  EXPECT_THROW(count(uneven(1024, 1, red_black, data), &caches), std::logic_error);
  EXPECT_THROW(count(uneven(1024, 1, triangle, data), nullptr), std::logic_error);
  EXPECT_EQ(count(uneven(1024, 1, triangle, data), nullptr, true).operations.add, 2u * 511 * 512 / 2);
}

// A copy has no operations that could differ: its accesses must. The window (chunks 512 to 767) would scale evenly.
TEST(Sampler, WrongPeriodIsRefusedWithoutAnyOperation) {
  const Index chunks = 1024, widest = 768;
  const Buffer from(chunks * widest), to(chunks * widest);
  const auto trace = [&](Sampler& sampler) {
    Counting<true> space(sampler);
    space.parallel(chunks, [&](Index i) {
      space.lanes(i * widest, i * widest + (i < 640 ? 256 : widest), stream::Copy{from.view(), to.view()});
    });
  };
  EXPECT_THROW(count(trace, nullptr), std::logic_error);
}

TEST(Sampler, FewChunksOrARestAreAllExecuted) {
  for (const Index chunks : {1, 3, 7}) {
    const auto triad = chunk_triad(chunks);
    Sampler sampler(nullptr);
    triad(sampler);
    EXPECT_FALSE(sampler.sampled());
    EXPECT_EQ(sampler.counts().operations.fma, static_cast<std::uint64_t>(chunks * chunk_size));
  }
  const Buffer data(1001 * 512);
  const auto counts = count(uneven(
                                1001, 2, [](Index i) -> Index { return i % 2 == 0 ? 512 : 256; }, data),
                            nullptr);
  EXPECT_EQ(counts.operations.add, 501u * 512 + 500u * 256);
}

// The steady state of a repeated launch: data that fit stay, and a cache full of changed lines evicts changed lines.
TEST(Sampler, SetsThatFitInACacheMoveNothingBeyondIt) {
  const auto triad = chunk_triad(16);  // 384 KiB: beyond L1, inside L2
  auto caches = two_levels();
  const auto counts = count(triad, &caches);
  EXPECT_EQ(*counts.at(DRAM), Traffic{});
  EXPECT_EQ(*counts.at(L2), (Traffic{24 * elements(16), 8 * elements(16)}));
}

TEST(Sampler, SetsAroundTheLastCacheWriteBackAllThatTheyChange) {
  for (const Index chunks : {60, 68, 80, 88, 96}) {  // 1.4 to 2.25 MiB against 1 MiB
    const auto triad = chunk_triad(chunks);
    auto caches = two_levels();
    const auto counts = count(triad, &caches);
    EXPECT_NEAR(counts.at(DRAM)->read / elements(chunks), 24, 0.24) << chunks;
    EXPECT_NEAR(counts.at(DRAM)->written / elements(chunks), 8, 0.08) << chunks;
  }
}

TEST(Sampler, WithoutCachesOnlyWhatTheSourceSays) {
  const auto counts = count(chunk_triad(64), nullptr);
  EXPECT_EQ(counts.operations, (Operations{.fma = 64 * chunk_size}));
  EXPECT_TRUE(counts.at(L1));
  EXPECT_FALSE(counts.at(L2));
  EXPECT_FALSE(counts.at(DRAM));
}

TEST(Sampler, LeavesTheRecordingOfItsCallerAlone) {
  Recording mine;
  active_recording = &mine;
  count(chunk_triad(8), nullptr);
  EXPECT_EQ(active_recording, &mine);
  EXPECT_EQ(mine.operations, Operations{});
  active_recording = nullptr;
}

}  // namespace
}  // namespace roofline::sampler_test
