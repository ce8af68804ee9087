#include "bench/cache_model/counting.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "apps/stream/stream.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/complex.hpp"
#include "bench/space/functions.hpp"
#include "tests/cache_model/launches.hpp"

namespace roofline::counting_test {
namespace {

/// Some of everything: kinds of operations, an access off by one, one number for all, a store past the caches.
struct Everything {
  View x, y, z;
  const double* shared;

  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const real a = x[at];
    const real b = x[at + 1];
    const real factor = decltype(real::value)::load_everywhere(shared);
    const real product = max(a * factor + b, 0.25) / (sqrt(abs(a)) + 1.0);
    y.set(at, real(select(product < b, product, -b)));
    z.set_streaming(at, real(product - a));
  }
};

constexpr Index n = 1003;  // a rest of three elements

struct Arrays {
  Buffer x{n + 1}, y{n}, z{n};
  double shared = 1.25;

  Arrays() {
    for (Index i = 0; i <= n; ++i) x[i] = std::sin(static_cast<double>(i));
  }
  Everything body() { return {x.view(), y.view(), z.view(), &shared}; }
};

template <int W>
Counts counted(Arrays& arrays) {
  constexpr std::uint64_t KiB = 1 << 10;
  CacheHierarchy caches({{MemoryLevel::L1, 4 * KiB, 4}, {MemoryLevel::L2, 32 * KiB, 8}});
  return count(testing::in_chunks<W>(1, n, arrays.body()), &caches, true);
}

TEST(CountingInPacks, CountsWhatOneByOneCountsWithTheSameBits) {
  Arrays one, eight;
  const auto single = counted<1>(one), packs = counted<counted_lanes>(eight);
  EXPECT_EQ(single.operations, (Operations{.add = 2 * n, .fma = n, .div = n, .sqrt = n, .logic = 4 * n}));
  EXPECT_EQ(packs.operations, single.operations);
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::DRAM})
    EXPECT_EQ(*packs.at(level), *single.at(level)) << name(level);
  EXPECT_EQ(packs.at(MemoryLevel::L1)->read, 24.0 * n);
  for (Index i = 0; i < n; ++i) {
    EXPECT_EQ(one.y[i], eight.y[i]) << i;
    EXPECT_EQ(one.z[i], eight.z[i]) << i;
  }
}

/// The sum of all parts of complex numbers `stride` apart, whose lanes are in any order.
template <int W>
Counts counted_sum(const Buffer& numbers, Index stride, double& sum) {
  CacheHierarchy caches({{MemoryLevel::L1, 4 << 10, 4}});
  return count(
      [&](Sampler& sampler) {
        Counting<false, W> space(sampler);
        space.parallel(1, [&](Index) {
          sum = space.reduce(0, n, [view = ComplexView<true>{numbers.data(), stride}](auto at, auto& total) {
            const auto number = view[at];
            total += number.re + number.im;
          });
        });
      },
      &caches, true);
}

TEST(CountingInPacks, LoadsComplexNumbersWhereverTheyAreAndSumsTheRest) {
  for (const Index stride : {1, 3, 16}) {
    Buffer numbers(2 * stride * n);
    double expected = 0, one = 0, eight = 0;
    for (Index i = 0; i < 2 * stride * n; ++i) numbers[i] = 1.0 + static_cast<double>(i);
    for (Index i = 0; i < n; ++i) expected += numbers[2 * stride * i] + numbers[2 * stride * i + 1];
    const auto single = counted_sum<1>(numbers, stride, one),
               packs = counted_sum<counted_lanes>(numbers, stride, eight);
    EXPECT_EQ(one, expected) << stride;
    EXPECT_EQ(eight, expected) << stride;
    EXPECT_EQ(packs.operations, (Operations{.add = 2 * n}));
    EXPECT_EQ(packs.operations, single.operations);
    for (const auto level : {MemoryLevel::L1, MemoryLevel::DRAM})
      EXPECT_EQ(*packs.at(level), *single.at(level)) << name(level) << " stride " << stride;
  }
}

// Launches of several loops, one after the other: blocks of a kernel, or what remains behind whole packs.

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
}  // namespace roofline::counting_test
