#include <gtest/gtest.h>

#include "bench/model/roofline.hpp"
#include "tests/example_results.hpp"

namespace roofline::least_time_test {
namespace {

using example::compute;
using example::memory;

/// 100 GFLOP/s with FMA, 50 without; 1000, 200 and 10 GB/s.
Roofline machine() {
  return Roofline({compute(Operation::fma, 100), compute(Operation::nofma, 50), memory(MemoryLevel::L1, "read", 1000),
                   memory(MemoryLevel::L2, "read", 200), memory(MemoryLevel::DRAM, "read", 10)},
                  2);
}

Counts counts(Operations operations, double l2, double dram) {
  Counts c;
  c.operations = operations;
  c.at(MemoryLevel::L2) = Traffic{l2, 0};
  c.at(MemoryLevel::DRAM) = Traffic{dram / 2, dram / 2};
  return c;
}

TEST(LeastTime, IsThatOfTheSlowestResource) {
  const Operations fma{.fma = 1'000'000'000};
  const auto dram = least_time(machine(), counts(fma, 4e9, 1e9), fma);
  EXPECT_DOUBLE_EQ(dram->seconds, 0.1);
  EXPECT_EQ(name(dram->bound), "DRAM");
  const auto l2 = least_time(machine(), counts(fma, 40e9, 1e9), fma);
  EXPECT_DOUBLE_EQ(l2->seconds, 0.2);
  EXPECT_EQ(name(l2->bound), "L2");
  EXPECT_DOUBLE_EQ(least_time(machine(), counts(fma, 0, 1e6), fma)->seconds, 0.02);
}

TEST(LeastTime, InstructionsCountNotFlops) {
  const Operations mixed{.add = 500'000'000, .fma = 500'000'000};
  EXPECT_DOUBLE_EQ(least_time(machine(), counts(mixed, 0, 0), mixed)->seconds, 0.02);
  // A division that the device expands into six instructions.
  const Operations canonical{.fma = 1'000'000'000, .div = 100'000'000},
      executed{.mul = 100'000'000, .fma = 1'500'000'000};
  EXPECT_DOUBLE_EQ(least_time(machine(), counts(canonical, 0, 0), executed)->seconds, 0.032);
}

TEST(LeastTime, WithoutFlopsBytesBoundAndWithoutCeilingsNothingDoes) {
  EXPECT_DOUBLE_EQ(least_time(machine(), counts({}, 2e9, 1e9), {})->seconds, 0.1);
  EXPECT_FALSE(least_time(Roofline(), counts({.fma = 1}, 2e9, 1e9), {.fma = 1}));
}

TEST(LeastTime, EndsOfIntervalsScaleReadsAndWrites) {
  auto c = counts({}, 100, 40);
  c.range[static_cast<std::size_t>(MemoryLevel::DRAM)] = Span{20, 80};
  EXPECT_EQ(at_end(c, &Span::low).at(MemoryLevel::DRAM), (Traffic{10, 10}));
  EXPECT_EQ(at_end(c, &Span::high).at(MemoryLevel::DRAM), (Traffic{40, 40}));
  EXPECT_EQ(at_end(c, &Span::high).at(MemoryLevel::L2), (Traffic{100, 0}));
}

}  // namespace
}  // namespace roofline::least_time_test
