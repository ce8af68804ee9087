#include "apps/stencil/stencil.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/stencil/problem.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/pack.hpp"
#include "tests/variants.hpp"

namespace roofline::stencil_test {
namespace {

class StencilSizes : public ::testing::TestWithParam<Index> {};

TEST_P(StencilSizes, SevenOrEightFlopsAndEightReferencesPerInteriorPoint) {
  const Index n = GetParam();
  const auto points = static_cast<std::uint64_t>((n - 2) * (n - 2) * (n - 2));
  for (const std::uint64_t flops : {7, 8}) {
    const auto name = "stencil/7pt/n:" + std::to_string(n) + (flops == 7 ? "" : "/flops:8");
    const auto work = testing::variant("stencil", {n}, name).make();
    const auto counts = count(work.trace, nullptr, true);
    EXPECT_EQ(counts.operations.flops(), flops * points);
    EXPECT_EQ(work.declared_flops, flops * points);
    EXPECT_EQ(counts.at(MemoryLevel::L1)->read, static_cast<double>(56 * points));
    EXPECT_EQ(counts.at(MemoryLevel::L1)->written, static_cast<double>(8 * points));
    EXPECT_TRUE(work.check().ok) << "counted values: " << work.check().message;
  }
}

INSTANTIATE_TEST_SUITE_P(ThreeSizes, StencilSizes, ::testing::Values(5, 31, 64));

TEST(Stencil, ResultsOfTheFixedInputsAreNotZero) {
  const stencil::Problem p(34);
  const Index row = p.pitch, plane = p.pitch * p.n;
  int zeros = 0;
  for (Index k = 1; k < p.n - 1; ++k)
    for (Index j = 1; j < p.n - 1; ++j)
      for (Index i = 1; i < p.n - 1; ++i) {
        const double* const u = p.u.data() + p.at(i, j, k);
        zeros += u[-1] + u[1] + u[-row] + u[row] + u[-plane] + u[plane] - 6 * u[0] == 0;
      }
  EXPECT_LT(zeros, 32 * 32 * 32 / 100) << "of a linear function nearly all are";
}

/// Applies a body to fields with known results.
template <class Body, class Field>
double at_center(Field field) {
  constexpr Index n = 5;
  Buffer u(n * n * n), v(n * n * n);
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) u[(k * n + j) * n + i] = field(i - 2, j - 2, k - 2);
  Body{u.view(), v.view(), n, n * n}(At<Pack<1>, false>{(2 * n + 2) * n + 2});
  return v[(2 * n + 2) * n + 2];
}

template <class Body>
class StencilForms : public ::testing::Test {};
using Forms = ::testing::Types<stencil::SevenFlops, stencil::EightFlops>;
TYPED_TEST_SUITE(StencilForms, Forms);

TYPED_TEST(StencilForms, KnownFields) {
  EXPECT_EQ(at_center<TypeParam>([](Index i, Index j, Index k) { return 3.0 + i + 2.0 * j - 4.0 * k; }), 0.0);
  EXPECT_EQ(at_center<TypeParam>([](Index i, Index j, Index k) { return 1.0 * i * i + 2.0 * j * j + 3.0 * k * k; }),
            12.0);
  const double at[] = {0.3, 0.5, 0.7};
  const double shift = 1.0;
  const double value = at_center<TypeParam>(
      [&](Index i, Index j, Index k) { return std::sin(at[0] * i + at[1] * j + at[2] * k + shift); });
  EXPECT_NEAR(value / std::sin(shift), -0.8044775233990658, 1e-14);
}

}  // namespace
}  // namespace roofline::stencil_test
