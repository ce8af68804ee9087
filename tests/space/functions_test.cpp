#include "bench/space/functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "bench/cache_model/counting.hpp"
#include "bench/space/complex.hpp"
#include "bench/space/cuda.hpp"
#include "bench/space/pack.hpp"
#include "bench/space/workload.hpp"

namespace roofline::functions_test {
namespace {

template <class Lane>
double one(const Lane& x) {
  double lanes[Lane::lanes];
  Lane::store(lanes, x);
  for (const double lane : lanes) EXPECT_EQ(lane, lanes[0]);
  return lanes[0];
}

/// A vocabulary is one: every function, on values, products and numbers, in this space and mode.
template <class Lane, bool Fma>
void expect_vocabulary() {
  using real = Real<Lane, Fma>;
  const real a = 2.25, b = -3.0;
  EXPECT_EQ(one<Lane>(sqrt(a).value), 1.5);
  EXPECT_EQ(one<Lane>(sqrt(a * a).value), 2.25);
  EXPECT_EQ(one<Lane>(abs(b).value), 3.0);
  EXPECT_EQ(one<Lane>(abs(a * b).value), 6.75);
  EXPECT_EQ(one<Lane>(min(a, b).value), -3.0);
  EXPECT_EQ(one<Lane>(max(a * b, 0.0).value), 0.0);
  EXPECT_EQ(one<Lane>(max(0.0, a).value), 2.25);
  if constexpr (requires { typename Lane::Mask; }) {
    EXPECT_EQ(one<Lane>(select(a < b, a, b).value), -3.0);
    EXPECT_EQ(one<Lane>(select(a > b, a, 0.0).value), 2.25);
    EXPECT_EQ(one<Lane>(select(a <= 2.25, 1.0, b).value), 1.0);
    EXPECT_EQ(one<Lane>(select(b >= a * a, 1.0, a * b).value), -6.75);
  }
}

template <class Lane>
void expect_vocabulary() {
  expect_vocabulary<Lane, true>();
  expect_vocabulary<Lane, false>();
}

TEST(Vocabulary, IsTheSameInEverySpace) {
  expect_vocabulary<Pack<1>>();
  expect_vocabulary<Pack<2>>();
  expect_vocabulary<Pack<native_lanes>>();
  expect_vocabulary<CudaLane<>>();
  expect_vocabulary<CudaPair>();
  Recording recording;
  active_recording = &recording;
  expect_vocabulary<Counted>();
  active_recording = nullptr;
}

TEST(Vocabulary, ACountedFunctionIsCountedByItsKind) {
  Recording recording;
  active_recording = &recording;
  using real = Real<Counted, true>;
  const real a = 2.0, b = 3.0;
  const real longest = sqrt(a * a + b * b);
  const real clipped = select(longest < 3.0, longest, min(a, max(b, abs(a))));
  active_recording = nullptr;
  EXPECT_EQ(clipped.value.sum(), 2.0);
  EXPECT_EQ(recording.operations, (Operations{.mul = 1, .fma = 1, .sqrt = 1, .logic = 5}));
  EXPECT_EQ(recording.operations.flops(), 4u);  // a selection does not count
}

template <class R>
concept AsBool = requires(R r) {
  r < r ? 1 : 2;
};
template <class Z>
concept ComplexStore = requires(ComplexView<false> z, At<Pack<1>, true> at, Z x) {
  z[at] = x;
};

TEST(Vocabulary, WhatLanesCannotDoDoesNotCompile) {
  using real = Real<Pack<1>, true>;
  EXPECT_FALSE(AsBool<real>);  // an if on data
  EXPECT_FALSE(ComplexStore<Complex<real>>);
  EXPECT_TRUE(std::is_trivially_copyable_v<real>);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether ten ones pass of which the last is `got` where `expected` should be.
bool passes(double got, double expected, double tolerance) {
  std::vector<double> values(10, 1);
  values.back() = got;
  return compare(
             values.data(), [&](Index i) { return i == 9 ? expected : 1; }, 10, tolerance)
      .ok;
}

TEST(ComparedNumbers, PassWhereTheyLieWithinTheToleranceOnBothSides) {
  EXPECT_TRUE(passes(1, 1, 0));
  EXPECT_TRUE(passes(1.009, 1, 0.01));
  EXPECT_TRUE(passes(0.991, 1, 0.01));
  EXPECT_FALSE(passes(1.011, 1, 0.01));
  EXPECT_FALSE(passes(0.989, 1, 0.01));
  EXPECT_FALSE(passes(-1, 1, 0.01));
}

/// The test also fails a reference that is not finite, where a relative bound would let everything through.
TEST(ComparedNumbers, PassOnlyWhereBothAreFinite) {
  for (const double tolerance : {0.0, 1e-9, 1.0}) {
    for (const double none : {std::nan(""), infinity, -infinity})
      for (const double other : {1.0, none}) {
        EXPECT_FALSE(passes(none, other, tolerance)) << none << " for " << other;
        EXPECT_FALSE(passes(other, none, tolerance)) << other << " for " << none;
      }
    EXPECT_FALSE(passes(infinity, -infinity, tolerance));
  }
}

}  // namespace
}  // namespace roofline::functions_test
