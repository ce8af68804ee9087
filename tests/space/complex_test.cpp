#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "bench/cache_model/counting.hpp"
#include "bench/space/pack_complex.hpp"

namespace roofline::complex_test {
namespace {

template <class V, bool Fma>
using ComplexOf = Complex<Real<V, Fma>>;

/// Element k is k + i (1000 + k).
std::vector<double> numbered(int n) {
  std::vector<double> z;
  for (int k = 0; k < n; ++k) z.push_back(k), z.push_back(1000 + k);
  return z;
}

template <class V>
class ComplexLanes : public ::testing::Test {};
using Packs = ::testing::Types<Pack<1>, Pack<2>, Pack<4>, Pack<8>>;
TYPED_TEST_SUITE(ComplexLanes, Packs);

double lane_of(Pack<1> pack, int) { return pack.v; }
template <int W>
double lane_of(Pack<W> pack, int lane) {
  return pack.v[lane];
}

/// The documented order: 0, W/2, 1, W/2 + 1, ...
int element_in_lane(int lane, int lanes) { return lanes == 1 ? 0 : lane / 2 + lane % 2 * lanes / 2; }

TYPED_TEST(ComplexLanes, LoadSeparatesRealAndImaginaryParts) {
  const auto z = numbered(32);
  const auto loaded = ComplexView<false>{z.data()}[At<TypeParam, true>{5}];
  for (int lane = 0; lane < TypeParam::lanes; ++lane) {
    const int element = 5 + element_in_lane(lane, TypeParam::lanes);
    EXPECT_EQ(lane_of(loaded.re.value, lane), element);
    EXPECT_EQ(lane_of(loaded.im.value, lane), 1000 + element);
  }
}

TYPED_TEST(ComplexLanes, StridedLoadTakesEveryNthNumberInTheSameLaneOrder) {
  const auto z = numbered(200);
  for (const int stride : {1, 2, 3, 8}) {
    const ComplexView<true> view{z.data() + 2 * 7, stride};
    const auto loaded = view[At<TypeParam, false>{2}];
    for (int lane = 0; lane < TypeParam::lanes; ++lane) {
      const int element = 7 + stride * (2 + element_in_lane(lane, TypeParam::lanes));
      EXPECT_EQ(lane_of(loaded.re.value, lane), element) << "stride " << stride;
      EXPECT_EQ(lane_of(loaded.im.value, lane), 1000 + element) << "stride " << stride;
    }
  }
}

TEST(Complex, ArithmeticIsThatOfComplexNumbers) {
  using complex = ComplexOf<Pack<1>, true>;
  using real = Real<Pack<1>, true>;
  const complex a{real(2.0), real(3.0)}, b{real(5.0), real(-7.0)};
  const auto expect = [](complex z, double re, double im) {
    EXPECT_EQ(z.re.value.v, re);
    EXPECT_EQ(z.im.value.v, im);
  };
  expect(a * b, 31, 1);
  expect(conj(a) * b, -11, -29);
  expect(a * real(4.0), 8, 12);
}

/// The operations and accesses of a body in the counting space.
template <class Body>
Recording recorded(Body body) {
  Recording recording;
  active_recording = &recording;
  body();
  active_recording = nullptr;
  return recording;
}

template <bool Fma>
Operations operations_of_conjugate_product() {
  const auto one = Real<Counted, Fma>(1.0);
  return recorded([&] {
           (void)(conj(ComplexOf<Counted, Fma>{one, one}) * ComplexOf<Counted, Fma>{one, one});
         })
      .operations;
}

TEST(Complex, ProductIsSixFlopsAndConjugationFree) {
  EXPECT_EQ(operations_of_conjugate_product<false>(), (Operations{.add = 2, .mul = 4}));
  EXPECT_EQ(operations_of_conjugate_product<true>(), (Operations{.mul = 2, .fma = 2}));
  EXPECT_EQ(operations_of_conjugate_product<true>().flops(), 6u);
}

TEST(Complex, CountedLoadIsTwoDoublesOfOneNumber) {
  const auto z = numbered(20);
  Complex<Real<Counted, true>> loaded;
  const auto contiguous = recorded([&] { loaded = ComplexView<false>{z.data()}[At<Counted, true>{4}]; });
  EXPECT_EQ(contiguous.loads, 2u);
  EXPECT_EQ(contiguous.load_bytes, 16u);
  EXPECT_EQ(loaded.im.value.sum(), 1004);
  const auto strided = recorded([&] { loaded = ComplexView<true>{z.data(), 4}[At<Counted, true>{4}]; });
  EXPECT_EQ(strided.load_bytes, 16u);
  EXPECT_EQ(loaded.im.value.sum(), 1016);
}

template <class V>
class StridedLoads : public ::testing::Test {};
using Lanes = ::testing::Types<Pack<1>, Pack<2>, Pack<4>, Pack<8>>;
TYPED_TEST_SUITE(StridedLoads, Lanes);

/// The same numbers in the same lanes as ComplexView, from arrays that end with the last number in use. Memory behind
/// it is not touched, which a sanitizer sees.
template <class View, class V>
void expect_same_lanes(Index stride) {
  constexpr Index first = 3;
  const auto size = static_cast<std::size_t>(2 * (stride * (first + V::lanes - 1) + 1));
  std::vector<double> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  const At<V, true> at{first};
  const auto z = View{numbers.data(), stride}[at];
  const auto expected = ComplexView<true>{numbers.data(), stride}[at];
  double got[2][V::lanes], want[2][V::lanes];
  V::store(got[0], z.re.value), V::store(got[1], z.im.value);
  V::store(want[0], expected.re.value), V::store(want[1], expected.im.value);
  for (int lane = 0; lane < V::lanes; ++lane) {
    EXPECT_EQ(got[0][lane], want[0][lane]) << "lane " << lane << ", stride " << stride;
    EXPECT_EQ(got[1][lane], want[1][lane]) << "lane " << lane << ", stride " << stride;
  }
}

TYPED_TEST(StridedLoads, OfGathersAreThoseOfJoinedLoads) {
  for (const Index stride : {1, 2, 5, 16}) expect_same_lanes<GatheredComplex, TypeParam>(stride);
}

TYPED_TEST(StridedLoads, OfHalvedRegistersAreThoseOfJoinedLoads) { expect_same_lanes<HalvedComplex, TypeParam>(2); }

}  // namespace
}  // namespace roofline::complex_test
