#include <gtest/gtest.h>

#include <cmath>

#include "bench/machine/machine.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/cpu/functions_isa.hpp"

namespace roofline::functions_test {
namespace {

double by_library(Function function, double x) {
  if (function == Function::sqrt) return std::sqrt(x);
  if (function == Function::exp) return std::exp(x);
  return function == Function::log ? std::log(x) : std::sin(x);
}

TEST(Functions, EveryVectorLengthGivesTheLibrarysValuesToFourUlpOverTheWholeRange) {
  const auto kernels = function_kernels_of_this_cpu();
  ASSERT_GE(kernels.size(), 4u);
  for (const auto& kernel : kernels)
    for (int block = 0; block < 200; ++block) {
      double x[function_arguments], y[function_arguments];
      for (int i = 0; i < function_arguments; ++i) {
        const double part = std::fmod(0.7548776662466927 * (1 + i + function_arguments * block), 1.0) * 2 - 1;
        const bool positive = kernel.function == Function::log || kernel.function == Function::sqrt;
        x[i] = positive ? std::exp2(1000 * part) : kernel.function == Function::exp ? 699 * part : 1e5 * part;
      }
      kernel.run(x, y, 3);
      for (int i = 0; i < function_arguments; ++i) {
        const double expected = by_library(kernel.function, x[i]);
        ASSERT_NEAR(y[i], expected, 0x1p-50 * std::abs(expected))
            << name(kernel.function) << "(" << x[i] << "), " << kernel.lanes << " lanes";
      }
    }
}

TEST(Functions, TheSeriesHaveTheFlopsOfTheirFormulas) {
  EXPECT_EQ(flops_of_call(Function::sqrt), 1);
  EXPECT_EQ(flops_of_call(Function::exp), 3 + 2 * 2 + 13 * 2) << "reduction to r in two parts, r^13";
  EXPECT_EQ(flops_of_call(Function::log), 4 + 1 + 9 * 2 + 2 + 3 * 2)
      << "k, f, 2 + f and s; z; s^21; two products; sums";
  EXPECT_EQ(flops_of_call(Function::sin), 3 + 3 * 2 + 1 + 9 * 2 + 1 + 2)
      << "reduction in three parts; z; r^21; r z; sum";
}

TEST(Functions, EachHasACeilingInBothAccounts) {
  Suite suite(cpu_target(Machine(), 2));
  ceiling_source(Platform::cpu)->add(suite);
  for (const auto function : all_functions) {
    const auto* const calls = suite.ceiling(std::string("ceiling/rate/") + name(function) + "/threads:2");
    const auto* const flops = suite.ceiling(std::string("ceiling/rate/") + name(function) + "_counted/threads:2");
    ASSERT_TRUE(calls && flops) << name(function);
    ASSERT_FALSE(calls->make.empty());
    const auto one = calls->make.front()(), other = flops->make.front()();
    one.launch();
    EXPECT_TRUE(one.check().ok) << one.check().message;
    EXPECT_FALSE(other.check().ok) << "the second thread has not run";
    EXPECT_EQ(calls->ceiling.unit, name(function));
    EXPECT_EQ(flops->ceiling.unit, "FLOP");
    // Steps are calibrated, so only whole ones can be told from the work.
    const double step = function_arguments * flops_of_call(function);
    EXPECT_EQ(std::fmod(other.work, step), 0) << other.work;
  }
}

}  // namespace
}  // namespace roofline::functions_test
