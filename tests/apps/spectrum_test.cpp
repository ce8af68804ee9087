// The kernels of the intensity spectrum: sparse product, transform, dense product.
#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <numbers>
#include <numeric>

#include "apps/fft/problem.hpp"
#include "apps/gemm/blas.hpp"
#include "apps/gemm/problem.hpp"
#include "apps/spmv/problem.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/pack.hpp"
#include "tests/variants.hpp"

namespace roofline::spectrum_test {
namespace {

/// The work of a row. Its counted values are verified.
Counts counts_of(const char* family, const Sizes& sizes, const std::string& row) {
  const auto work = testing::variant(family, sizes, row).make();
  const auto counts = count(work.trace, nullptr, true);
  EXPECT_EQ(counts.operations.flops(), work.declared_flops) << row;
  EXPECT_TRUE(work.check().ok) << row << ", counted values: " << work.check().message;
  return counts;
}

class TenSizes : public ::testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Spectrum, TenSizes, ::testing::Range<Index>(1, 11));

TEST_P(TenSizes, SparseProductsHaveFourteenFlopsAndTheBytesOfCsrPerRow) {
  const Index n = GetParam() + 2;
  const auto counts = counts_of("spmv", {n}, spmv::row_name(n));
  const auto rows = static_cast<std::uint64_t>(n * n * n);
  EXPECT_EQ(counts.operations.fma, 7 * rows);
  EXPECT_EQ(counts.operations.flops(), 14 * rows);
  EXPECT_EQ(counts.at(MemoryLevel::L1)->read, static_cast<double>((7 * (8 + 4 + 8) + 8) * rows));
  EXPECT_EQ(counts.at(MemoryLevel::L1)->written, static_cast<double>(8 * rows));
}

TEST_P(TenSizes, TransformsHaveFiveNLogNFlopsInRadixTwoAndFewerInHigherOnes) {
  const Index levels = GetParam(), n = Index{1} << levels, batch = 16;
  const auto flops = [&](int radix) {
    return static_cast<Index>(counts_of("fft", {n, batch}, fft::row_name(radix, n, batch)).operations.flops());
  };
  EXPECT_EQ(flops(2), batch * 5 * n * levels);
  EXPECT_EQ(flops(4), batch * (levels / 2 * 17 * n / 2 + levels % 2 * 5 * n));
  const Index rest_of_8[] = {0, 5 * n, 17 * n / 2};
  EXPECT_EQ(flops(8), batch * (levels / 3 * 49 * n / 4 + rest_of_8[levels % 3]));
}

TEST_P(TenSizes, DenseProductsHaveTwoNCubedFlopsAllOfThemFused) {
  const Index n = 96 * GetParam();
  const auto counts = counts_of("gemm", {n}, gemm::row_name("blocked", n));
  EXPECT_EQ(counts.operations.fma, static_cast<std::uint64_t>(n * n * n));
  EXPECT_EQ(counts.operations.flops(), 2 * static_cast<std::uint64_t>(n * n * n));
}

TEST(SparseProduct, RowsMayHaveAnyNumberOfNonzeros) {
  // ( 2 . . )       ( 1 )
  // ( . . . )  with ( 10 )
  // ( 3 4 5 )       ( 100 )
  const int begin[] = {0, 1, 1, 4}, column[] = {0, 0, 1, 2};
  double value[] = {2, 3, 4, 5}, x[] = {1, 10, 100}, y[] = {-1, -1, -1};
  const spmv::Row body{begin, column, {value}, {x}, {y}};
  for (Index row = 0; row < 3; ++row) body(At<Pack<1>, true>{row});
  EXPECT_EQ(y[0], 2);
  EXPECT_EQ(y[1], 0);
  EXPECT_EQ(y[2], 543);
}

template <int R>
void expect_a_transform() {
  Complex<Real<Pack<1>, false>> z[R];
  std::complex<double> expected[R];
  for (int j = 0; j < R; ++j) {
    const std::complex<double> x(1 + 3 * j % 5, 2 * j * j % 7 - 3);
    z[j] = {x.real(), x.imag()};
    for (int k = 0; k < R; ++k) expected[k] += x * std::polar(1.0, -2 * std::numbers::pi * j * k / R);
  }
  fft::transform<R>(z);
  for (int k = 0; k < R; ++k) {
    EXPECT_NEAR(z[k].re.value.v, expected[k].real(), 1e-13) << R << " " << k;
    EXPECT_NEAR(z[k].im.value.v, expected[k].imag(), 1e-13) << R << " " << k;
  }
}

TEST(Transform, ButterfliesAreTheDefinition) {
  expect_a_transform<2>();
  expect_a_transform<4>();
  expect_a_transform<8>();
}

TEST(Blas, AMissingLibraryIsNotFound) {
  const char* const nowhere[] = {"libno_such_blas.so.7", "libm.so.6"};
  EXPECT_FALSE(gemm::find_blas(nowhere).multiply) << "the second one is there and has no dgemm_";
}

}  // namespace
}  // namespace roofline::spectrum_test
