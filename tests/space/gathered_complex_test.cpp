#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "bench/space/pack_complex.hpp"

namespace roofline::gathered_complex_test {
namespace {

template <class V>
class StridedLoads : public ::testing::Test {};
using Lanes = ::testing::Types<Pack<1>, Pack<2>, Pack<4>, Pack<8>>;
TYPED_TEST_SUITE(StridedLoads, Lanes);

/// The same numbers in the same lanes as ComplexView, from arrays that end with the last number in use: what lies
/// behind it is not touched, which a sanitizer sees.
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
}  // namespace roofline::gathered_complex_test
