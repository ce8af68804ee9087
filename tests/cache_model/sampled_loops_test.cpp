#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "apps/stream/stream.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/buffer.hpp"

// Launches of several loops, one after the other: blocks of a kernel, or what remains behind whole packs.
namespace roofline::sampled_loops_test {
namespace {

constexpr auto DRAM = MemoryLevel::DRAM;
constexpr Index chunk_size = 1024;

CacheHierarchy one_level() { return CacheHierarchy({{MemoryLevel::L2, 1 << 20, 16}}); }

/// Loops of so many chunks each, a triad of 24 KiB in each chunk, all in arrays of their own.
std::function<void(Sampler&)> triads(const std::vector<Index>& loops) {
  struct Loop {
    Index chunks;
    std::array<Buffer, 3> arrays;
  };
  const auto all = std::make_shared<std::vector<Loop>>();
  for (const Index chunks : loops)
    all->push_back({chunks, {Buffer(chunks * chunk_size), Buffer(chunks * chunk_size), Buffer(chunks * chunk_size)}});
  return [all](Sampler& sampler) {
    Counting<true> space(sampler);
    for (const auto& [chunks, arrays] : *all) {
      const auto& [a, b, c] = arrays;
      const stream::Triad triad{a.view(), b.view(), c.view(), 0.4};
      space.parallel(chunks, [&](Index i) { space.lanes(i * chunk_size, (i + 1) * chunk_size, triad); });
    }
  };
}

Traffic counted(const std::function<void(Sampler&)>& trace, std::size_t cores, bool full = false) {
  std::vector<CacheHierarchy> caches(cores, one_level());
  return *count(trace, std::span(caches), full).at(DRAM);
}

TEST(SampledLoops, ThatAreSmallByThemselvesFindNothingOfWhatComes) {
  // 0.75 MiB each: one fits the cache, so that the half that is walked first would be found, but not the eight.
  const auto trace = triads(std::vector<Index>(8, 32));
  const auto found = counted(trace, 1), expected = counted(trace, 1, true);
  EXPECT_DOUBLE_EQ(found.read, 24.0 * 8 * 32 * chunk_size) << "the line of a comes in as well";
  EXPECT_DOUBLE_EQ(found.read, expected.read);
  EXPECT_DOUBLE_EQ(found.written, expected.written);
}

TEST(SampledLoops, BehindAWindowCostTheSameHoweverManyCoresThereAre) {
  for (const Index rest : {1, 64}) {  // too few chunks for a window, and too few bytes
    const auto trace = triads({1024, rest});
    const double elements = static_cast<double>(1024 + rest) * chunk_size;
    for (const std::size_t cores : {1u, 2u, 4u}) {
      const auto found = counted(trace, cores);
      EXPECT_NEAR(found.read / elements, 24, 0.01) << rest << " on " << cores;
      EXPECT_NEAR(found.written / elements, 8, 0.01) << rest << " on " << cores;
    }
  }
}

}  // namespace
}  // namespace roofline::sampled_loops_test
