#include "bench/machine/core_distance.hpp"

#include <gtest/gtest.h>

#include "bench/machine/cpuid.hpp"
#include "bench/model/core_distance.hpp"

namespace roofline {
namespace {

TEST(CoreDistance, OfOneThreadIsNone) { EXPECT_EQ(core_distance(1), 0); }

TEST(CoreDistance, IsWhatALineTakes) {
  // Also where two threads share one core, and each waits for the other's turn.
  const double seconds = core_distance(2);
  EXPECT_GT(seconds, 1e-9);
  EXPECT_LT(seconds, 1);
}

TEST(CoreDistance, OfATeamThatIsTooSmallIsNotWaitedFor) {
  double inside = -1;
#pragma omp parallel num_threads(2)
#pragma omp master
  inside = core_distance(2);  // no region in a region: a team of one
  EXPECT_EQ(inside, 0);
}

TEST(CoreDistance, IsTheSameWithinWhatAClockChanges) {
  EXPECT_TRUE(same_distance(26e-9, 30e-9));
  EXPECT_FALSE(same_distance(26e-9, 150e-9));
  EXPECT_FALSE(same_distance(150e-9, 26e-9));
  EXPECT_TRUE(may_be_same_distance(0, 150e-9));
  EXPECT_FALSE(may_be_same_distance(26e-9, 150e-9));
}

TEST(CoreDistance, MayChangeUnderAHypervisorAlone) {
  const auto asked = [](std::uint32_t ecx) {
    return [ecx](std::uint32_t leaf, std::uint32_t) { return CpuidRegisters{.ecx = leaf == 1 ? ecx : 0}; };
  };
  EXPECT_TRUE(has_hypervisor(asked(0x80000000)));
  EXPECT_FALSE(has_hypervisor(asked(0x7fffffff)));
  Machine machine;
  EXPECT_FALSE(cores_may_move(machine));
  machine.virtual_machine = true;
  EXPECT_TRUE(cores_may_move(machine));
}

}  // namespace
}  // namespace roofline
