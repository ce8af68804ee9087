
#include <gtest/gtest.h>

#include "bench/virtual_gpu/runtime/settings.hpp"
#include "tests/error_of.hpp"

namespace roofline::runtime::fault_plan_test {
namespace {

TEST(FaultPlan, FailsTheCallThatItCounts) {
  FaultPlan plan("malloc:3=out-of-memory");
  EXPECT_FALSE(plan.next(Site::allocation));
  EXPECT_FALSE(plan.next(Site::launch));
  EXPECT_FALSE(plan.next(Site::allocation));
  EXPECT_EQ(plan.next(Site::allocation), Fault::out_of_memory);
  EXPECT_FALSE(plan.next(Site::allocation));
}

TEST(FaultPlan, APlusFailsAllLaterOnesToo) {
  FaultPlan plan("launch:2+=hang");
  EXPECT_FALSE(plan.next(Site::launch, "a"));
  EXPECT_EQ(plan.next(Site::launch, "b"), Fault::hang);
  EXPECT_EQ(plan.next(Site::launch, "c"), Fault::hang);
}

TEST(FaultPlan, CountsOnlyLaunchesOfTheNamedKernel) {
  FaultPlan plan("launch(gpp):2=illegal-address, capture:1=refused");
  EXPECT_FALSE(plan.next(Site::launch, "gpp<6>"));
  EXPECT_FALSE(plan.next(Site::launch, "stream"));
  EXPECT_EQ(plan.next(Site::launch, "my::gpp<1>"), Fault::illegal_address);
  EXPECT_EQ(plan.next(Site::capture), Fault::refused);
}

TEST(FaultPlan, NonsenseIsNamed) {
  const auto message = [](const char* text) {
    return testing::error_of<std::invalid_argument>([=] { FaultPlan plan(text); });
  };
  EXPECT_EQ(message("malloc"), "fault 'malloc': expected SITE:NUMBER=FAULT, as in malloc:3=out-of-memory");
  EXPECT_EQ(message("malloc:0=hang"), "fault 'malloc:0=hang': '0' is not a number from 1");
  EXPECT_EQ(message("free:1=hang"), "fault 'free:1=hang': 'free' is not one of malloc, launch, copy, capture, sync");
  EXPECT_NE(message("sync:1=fire"), "no error");
  EXPECT_EQ(message(" "), "no error");
}

TEST(Settings, ChecksAreNamedOrRefused) {
  Settings settings;
  set_checks(settings, "memory,race");
  EXPECT_TRUE(settings.check_memory && settings.check_race);
  EXPECT_FALSE(settings.check_init || settings.check_barrier);
  set_checks(settings, "all");
  EXPECT_TRUE(settings.check_init && settings.check_barrier);
  EXPECT_THROW(set_checks(settings, "memory,rice"), std::invalid_argument);
}

}  // namespace
}  // namespace roofline::runtime::fault_plan_test
