#include <gtest/gtest.h>

#include "bench/machine/machine.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/ceilings.hpp"

namespace roofline::fork_join_test {
namespace {

TEST(ForkJoinCeiling, CountsTheRegionsThatAllThreadsHaveRun) {
  for (const int threads : {1, 2}) {
    Suite suite(cpu_target(Machine{}, threads));
    add_fork_join_ceiling(suite);
    ASSERT_EQ(suite.ceilings().size(), 1u);
    const auto& [ceiling, selection, make] = suite.ceilings().front();
    EXPECT_EQ(ceiling.name, "ceiling/overhead/fork_join/threads:" + std::to_string(threads));
    EXPECT_EQ(selection, Selection::standard);
    const auto work = make.at(0)();
    EXPECT_GE(work.work, 1) << "regions of a launch";
    EXPECT_TRUE(work.check().ok) << work.check().message;
    work.launch(), work.launch();
    EXPECT_TRUE(work.check().ok) << work.check().message;
  }
}

}  // namespace
}  // namespace roofline::fork_join_test
