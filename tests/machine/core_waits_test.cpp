#include "bench/machine/core_waits.hpp"

#include <gtest/gtest.h>
#include <omp.h>

namespace roofline {
namespace {

TEST(CoreWaits, AreTheSecondFigureOfASchedstatInNanoseconds) {
  const auto waited = parse_schedstat("277365000 816880 26\n");
  ASSERT_TRUE(waited);
  EXPECT_DOUBLE_EQ(*waited, 816880e-9);
  EXPECT_EQ(parse_schedstat("0 0 0\n"), 0.0);
  EXPECT_FALSE(parse_schedstat(""));
  EXPECT_FALSE(parse_schedstat("277365 816880\n")) << "another format";
  EXPECT_FALSE(parse_schedstat("nothing to see here\n"));
}

TEST(CoreWaits, OfTheThreadThatWaitedMostCount) {
  EXPECT_DOUBLE_EQ(most_waited({1, 2, 3}, {1.5, 2, 3.25}), 0.5);
  EXPECT_EQ(most_waited({1, 2}, {1, 2, 9}), 0) << "another team";
  EXPECT_EQ(most_waited({}, {}), 0) << "not known";
}

TEST(CoreWaits, AreThoseOfEachThreadOfTheTeam) {
  const int usual = omp_get_max_threads();
  for (const int threads : {1, 3, 2}) {
    omp_set_num_threads(threads);
    const auto waits = core_waits();
    if (waits.empty()) GTEST_SKIP() << "this system does not tell";
    EXPECT_EQ(waits.size(), static_cast<std::size_t>(threads));
  }
  omp_set_num_threads(usual);
}

}  // namespace
}  // namespace roofline
