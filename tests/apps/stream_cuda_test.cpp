#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "apps/stream/cuda.hpp"
#include "apps/stream/problem.hpp"
#include "bench/suite/suite.hpp"

// The kernels of the GPU, executed on the host thread by thread.
namespace roofline::stream::stream_cuda_test {
namespace {

class CudaStream : public ::testing::TestWithParam<Index> {
 protected:
  Index n = GetParam();
  Inputs inputs{static_cast<std::uint64_t>(n % 2)};  // fixed and random ones
  // A whole block more than n, so that a thread behind the end would write what the test sees.
  Buffer a{n + block_elements}, b{n + block_elements}, c{n + block_elements};

  void SetUp() override {
    for (Index i = 0; i < n; ++i) a[i] = inputs.a(i), b[i] = inputs.b(i), c[i] = inputs.c(i);
  }
  void expect(const Buffer& out, Expected expected) {
    const auto check = compare(
        out.data(), [&](Index i) { return i < n ? (inputs.*expected)(i) : 0.0; }, out.size(), 1e-15);
    EXPECT_TRUE(check.ok) << check.message;
  }
};

TEST_P(CudaStream, EveryElementOnceAndNoneBehindTheEnd) {
  emulate(each_element(Scale{b.view(), c.view(), s}, n));
  expect(b, &Inputs::scaled);
  for (Index i = 0; i < n; ++i) b[i] = inputs.b(i);
  emulate(each_element(Triad{a.view(), b.view(), c.view(), s}, n));
  expect(a, &Inputs::triad);
  for (Index i = 0; i < n; ++i) a[i] = inputs.a(i);
  emulate(each_element(Add{a.view(), b.view(), c.view()}, n));
  expect(c, &Inputs::added);
  emulate(each_element(Copy{a.view(), c.view()}, n));
  expect(c, &Inputs::copied);
}

TEST_P(CudaStream, DotOfAnyNumberOfBlocks) {
  for (const int multiprocessors : {1, 3, 132}) {
    double sum = 0;
    emulate(dot_product({a.view(), b.view()}, n, multiprocessors, &sum));
    EXPECT_NEAR(sum, inputs.dot(n), 1e-13 * inputs.dot(n)) << multiprocessors;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, CudaStream,
                         ::testing::Values(1, 2, 511, 512, 513, block_elements, 10 * block_elements - 1, 100001));

}  // namespace
}  // namespace roofline::stream::stream_cuda_test
