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

TEST(CoreWaits, AreThoseOfOneThreadAndOfAllTogether) {
  const auto waited = waited_between({1, 2, 3}, {1.5, 2, 3.25});
  ASSERT_TRUE(waited);
  EXPECT_DOUBLE_EQ(waited->longest, 0.5);
  EXPECT_DOUBLE_EQ(waited->all, 0.75);
  EXPECT_FALSE(waited_between({1, 2}, {1, 2, 9})) << "another team";
  EXPECT_FALSE(waited_between({}, {})) << "not known";
}

/// Threads of the team, as long as the test lasts.
class CoreWaitsOfTeams : public ::testing::Test {
 protected:
  ~CoreWaitsOfTeams() override { omp_set_num_threads(usual_); }
  int usual_ = omp_get_max_threads();
};

TEST_F(CoreWaitsOfTeams, AreThoseOfEachThread) {
  for (const int threads : {1, 3, 2}) {
    omp_set_num_threads(threads);
    const auto waits = core_waits();
    if (waits.empty()) GTEST_SKIP() << "this system does not tell";
    EXPECT_EQ(waits.size(), static_cast<std::size_t>(threads));
  }
}

TEST_F(CoreWaitsOfTeams, AreKnownWhenTheLibraryHasStartedOtherThreads) {
  omp_set_num_threads(4);
  if (core_waits().empty()) GTEST_SKIP() << "this system does not tell";
#pragma omp parallel num_threads(2)
  {}
  EXPECT_EQ(core_waits().size(), 4u);
  EXPECT_EQ(core_waits().size(), 4u);
}

}  // namespace
}  // namespace roofline
