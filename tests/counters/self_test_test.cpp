#include "bench/counters/self_test.hpp"

#include <gtest/gtest.h>

namespace roofline::self_test_test {
namespace {

using enum Quantity;

const KnownKernel copy{"copy", {{dram_read, 1000, 0.03}, {fp64_add, 0, 10}, {fp16_fma, 50, 0, true}}};

MetricValues counted(double read, double adds, double half) {
  MetricValues values;
  values.set(dram_read, read), values.set(fp64_add, adds), values.set(fp16_fma, half);
  return values;
}

TEST(SelfTest, CountsWithinTheirToleranceAreUsedAndInformativeOnesWhateverTheyAre) {
  for (const double read : {970.5, 1000.0, 1029.5}) EXPECT_TRUE(refused(compare(copy, counted(read, 10, 50))).empty());
  EXPECT_TRUE(refused(compare(copy, counted(1000, 10, 100))).empty());
  EXPECT_EQ(refused(compare(copy, counted(1000, 11, 50))), std::vector<Quantity>{fp64_add}) << "where there are none";
}

TEST(SelfTest, AWrongCountIsRefusedAndNamedWithBothNumbers) {
  // Half the bytes of a copy of known traffic: an error that was published of another counter library.
  const auto results = compare(copy, counted(500, 0, 50));
  EXPECT_EQ(refused(results), std::vector<Quantity>{dram_read});
  EXPECT_EQ(results[0].text(), "bytes read from DRAM (dram__bytes_read.sum): 500 instead of 1000 (-50.0 %) for copy");
  EXPECT_EQ(refused(compare(copy, counted(1031, 0, 50))), std::vector<Quantity>{dram_read});
}

TEST(SelfTest, WhatIsNotCountedIsNotUsed) {
  const auto results = compare(copy, MetricValues());
  EXPECT_EQ(refused(results), (std::vector<Quantity>{dram_read, fp64_add})) << "all that does not only inform";
  EXPECT_NE(results[0].text().find("not counted"), std::string::npos);
}

TEST(SelfTest, WordsOfEccInDramAreKeptAndSaid) {
  const KnownKernel with_ecc{"copy", {{dram_read, 1000, 0.03, false, 0.13}}};
  const auto result = [&](const KnownKernel& kernel, double read) { return compare(kernel, counted(read, 0, 50))[0]; };
  EXPECT_TRUE(result(with_ecc, 1060).passed());
  EXPECT_TRUE(result(with_ecc, 1060).has_ecc());
  EXPECT_FALSE(result(with_ecc, 1020).has_ecc()) << "as without";
  for (const double wrong : {1140, 940}) EXPECT_FALSE(result(with_ecc, wrong).passed());
  EXPECT_FALSE(result(copy, 1060).passed()) << "no ECC, or HBM";
}

TEST(SelfTest, OneFailureOfSeveralKernelsIsEnoughAndNamedOnce) {
  auto results = compare(copy, counted(1, 0, 50));
  for (const auto& result : compare(copy, counted(1000, 0, 50))) results.push_back(result);
  for (const auto& result : compare(copy, counted(2, 0, 50))) results.push_back(result);
  EXPECT_EQ(refused(results), std::vector<Quantity>{dram_read});
}

TEST(SelfTest, WhatIsCountedWithoutInstrumentedCodeIsTestedAgain) {
  const KnownKernel copy{
      "copy", {{Quantity::fp64_fma, 0, 10}, {Quantity::load_sectors, 32, 0.01}, {Quantity::dram_read, 1024, 0.03}}};
  const auto again = replaced_by_hardware(copy);
  EXPECT_EQ(again.name, "copy (not instrumented)");
  ASSERT_EQ(again.answers.size(), 1u);
  EXPECT_EQ(again.answers[0].quantity, Quantity::load_sectors);
  EXPECT_EQ(again.answers[0].expected, 32);
}

}  // namespace
}  // namespace roofline::self_test_test
