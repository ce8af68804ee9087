#include "bench/text/format.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace roofline::format_test {
namespace {

TEST(Format, KeepsSignificantDigitsWithoutExponents) {
  EXPECT_EQ(significant(0.0625), "0.0625");
  EXPECT_EQ(significant(65.93), "65.9");
  EXPECT_EQ(significant(257.9), "258");
  EXPECT_EQ(significant(257.94, 4), "257.9");
  EXPECT_EQ(significant(7068.86), "7069");
  EXPECT_EQ(significant(14336), "14336");
  EXPECT_EQ(significant(-3.14159), "-3.14");
  EXPECT_EQ(significant(0), "0");
}

TEST(Format, RoundingIntoTheNextDecadeKeepsTheNumberOfDigits) {
  EXPECT_EQ(significant(9.994), "9.99");
  EXPECT_EQ(significant(9.996), "10.0");
  EXPECT_EQ(significant(99.97), "100");
  EXPECT_EQ(significant(999.96, 4), "1000");
  EXPECT_EQ(significant(1000), "1000");
  EXPECT_EQ(significant(0.1), "0.100");
}

TEST(Format, ExtremeValuesHaveAnExponent) {
  EXPECT_EQ(significant(1.234e-7), "1.23e-07");
  EXPECT_EQ(significant(5e12), "5.00e+12");
}

TEST(Format, WhatIsUnknownIsADash) {
  EXPECT_EQ(significant(std::optional<double>{}), "-");
  EXPECT_EQ(significant(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(percent(std::nullopt), "-");
  EXPECT_EQ(percent(std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(duration(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(Format, PercentIsNeverClamped) {
  EXPECT_EQ(percent(0.9737), "97.4");
  EXPECT_EQ(percent(1.0064), "100.6");
  EXPECT_EQ(percent(3.42), "342.0");
}

TEST(Format, DurationsChooseTheirUnit) {
  EXPECT_EQ(duration(1.5), "1.50 s");
  EXPECT_EQ(duration(0.0123), "12.3 ms");
  EXPECT_EQ(duration(0.99996), "1.00 s");
  EXPECT_EQ(duration(42e-6), "42.0 us");
  EXPECT_EQ(duration(0.4e-9), "0.400 ns");
}

TEST(Format, CachesHaveBinaryUnits) {
  EXPECT_EQ(binary_size(48 << 10), "48 KiB");
  EXPECT_EQ(binary_size(1536 << 10), "1.5 MiB");
  EXPECT_EQ(binary_size(64), "64 B");
}

}  // namespace
}  // namespace roofline::format_test
