#include "bench/cache_model/counting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/cache_model/sampler.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/complex.hpp"
#include "bench/space/functions.hpp"

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
  return count(
      [&](Sampler& sampler) {
        Counting<true, W> space(sampler);
        space.parallel(1, [&](Index) { space.lanes(0, n, arrays.body()); });
      },
      &caches, true);
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

}  // namespace
}  // namespace roofline::counting_test
