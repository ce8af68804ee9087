#include "bench/machine/interrupt.hpp"

#include <gtest/gtest.h>

namespace roofline::interrupt_test {
namespace {

TEST(Interrupt, ASignalRightAfterAnotherIsTheSameOne) {
  Doubled doubled;
  EXPECT_FALSE(doubled(0)) << "the first";
  EXPECT_TRUE(doubled(0));
  EXPECT_TRUE(doubled(299));
  EXPECT_FALSE(doubled(300)) << "somebody insists";
  EXPECT_TRUE(doubled(301));
  EXPECT_FALSE(doubled(700));
}

}  // namespace
}  // namespace roofline::interrupt_test
