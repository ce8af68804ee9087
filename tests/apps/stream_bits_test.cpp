#include <gtest/gtest.h>

#include <vector>

#include "apps/stream/launch.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/openmp.hpp"
#include "bench/space/streamed.hpp"
#include "tests/bits.hpp"
#include "tests/one_thread.hpp"

namespace roofline::stream::stream_bits_test {
namespace {

constexpr Index n = chunk + 1001;  // a whole chunk and a part, whole packs and a rest

/// All arrays after a launch on random inputs.
template <bool Fma, class MakeBody>
std::vector<double> after(MakeBody body) {
  const Problem problem(n, {.seed = 5});
  for_each(OpenMp<Fma>{}, n, body(problem));
  std::vector<double> all;
  for (const auto* array : {&problem.a, &problem.b, &problem.c}) all.insert(all.end(), array->begin(), array->end());
  return all;
}

template <class MakeBody>
Operations operations(MakeBody body) {
  const Problem problem(n, {.seed = 5});
  const auto trace = [&](Sampler& sampler) { for_each(Counting<false>(sampler), n, body(problem)); };
  return count(trace, nullptr, true).operations;
}

template <class Plain, class Streaming>
void expect_the_same(Plain plain, Streaming streaming, const Operations& per_element) {
  const testing::OneThread one;  // two chunks are no work to share
  EXPECT_TRUE(testing::same_bits(after<false>(streaming), after<false>(plain)));
  EXPECT_TRUE(testing::same_bits(after<true>(streaming), after<true>(plain)));
  const auto expected = operations(plain);
  EXPECT_EQ(expected, (Operations{.add = per_element.add * n, .mul = per_element.mul * n}));
  EXPECT_EQ(operations(streaming), expected);
}

TEST(StreamBits, OfCopyDoNotDependOnTheStores) { expect_the_same(copy_of<View>, copy_of<Streamed>, {}); }

TEST(StreamBits, OfScaleDoNotDependOnTheStores) { expect_the_same(scale_of<View>, scale_of<Streamed>, {.mul = 1}); }

TEST(StreamBits, OfAddDoNotDependOnTheStores) { expect_the_same(add_of<View>, add_of<Streamed>, {.add = 1}); }

TEST(StreamBits, OfTriadDoNotDependOnTheStoresButOnTheMode) {
  expect_the_same(triad_of<View>, triad_of<Streamed>, {.add = 1, .mul = 1});
  EXPECT_FALSE(testing::same_bits(after<true>(triad_of<View>), after<false>(triad_of<View>)));
}

}  // namespace
}  // namespace roofline::stream::stream_bits_test
