#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <span>

namespace roofline::testing {

/// Whether two arrays hold the same bits; else where they first differ. 0 and -0 are two values, a NaN is like itself.
inline ::testing::AssertionResult same_bits(std::span<const double> got, std::span<const double> expected) {
  if (got.size() != expected.size())
    return ::testing::AssertionFailure() << got.size() << " numbers instead of " << expected.size();
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::memcmp(&got[i], &expected[i], sizeof(double)) != 0)
      return ::testing::AssertionFailure()
             << "number " << i << " of " << got.size() << " is " << got[i] << ", not " << expected[i];
  return ::testing::AssertionSuccess();
}

}  // namespace roofline::testing
