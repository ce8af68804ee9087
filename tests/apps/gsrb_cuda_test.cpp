#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "apps/gsrb/cuda.hpp"
#include "apps/gsrb/problem.hpp"
#include "apps/gsrb/solve.hpp"

// The kernels of the GPU, executed on the host thread by thread.
namespace roofline::gsrb::gsrb_cuda_test {
namespace {

template <class OperatorMethodFma>
class CudaGsrb : public ::testing::Test {};

template <class O, class M, bool fused>
struct Case {
  using Operator = O;
  using Method = M;
  static constexpr bool fma = fused;
};
using All = ::testing::Types<Case<FourthOrder, Fp, true>, Case<FourthOrder, Fp, false>, Case<FourthOrder, Branch, true>,
                             Case<FourthOrder, Branch, false>, Case<FourthOrder, Stride2, true>,
                             Case<FourthOrder, Stride2, false>, Case<SevenPoint, Fp, true>, Case<SevenPoint, Fp, false>,
                             Case<SevenPoint, Branch, true>, Case<SevenPoint, Stride2, true>>;
TYPED_TEST_SUITE(CudaGsrb, All);

std::vector<double> written(const Level& level) {
  const double* const first = level.box(Vector::temp, 0);
  return {first, first + boxes * level.shape().volume};
}

// Boxes of 16 and 32 cells, the two widths of a tile; ghosts and padding of the output must stay untouched.
TYPED_TEST(CudaGsrb, ASweepHasTheBitsOfTheCpu) {
  using Operator = typename TypeParam::Operator;
  using Method = typename TypeParam::Method;
  constexpr bool fma = TypeParam::fma;
  for (const int number : {5, 6})
    for (const Index colour : {0, 1}) {
      const std::uint64_t seed = number == 5 ? 9 : 0;
      const auto level = smoothing_problem<Operator>(number, seed);
      sweep<Operator, Method>(OpenMp<fma>{}, level, Vector::x, Vector::temp, colour);
      const auto expected = written(level);
      const auto on_gpu = CudaLevel::of(level, colour, [](double* p) { return p; });
      const auto clear = [&] { std::memset(level.box(Vector::temp, 0), 0, expected.size() * sizeof(double)); };
      clear();
      emulate(tile_sweep<Operator, Method, fma>(on_gpu, &on_gpu));
      EXPECT_EQ(written(level), expected) << "published, level " << number << ", colour " << colour;
      EXPECT_TRUE(colour != 0 || check_sweep<Operator>(level, seed).ok) << check_sweep<Operator>(level, seed).message;
      if (std::is_same_v<Method, Fp>) {
        clear();
        emulate(column_sweep<Operator, fma>(on_gpu));
        EXPECT_EQ(written(level), expected) << "tuned, level " << number << ", colour " << colour;
      }
    }
}

}  // namespace
}  // namespace roofline::gsrb::gsrb_cuda_test
