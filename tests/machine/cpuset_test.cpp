#include "bench/machine/cpuset.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>

namespace roofline::cpuset_test {
namespace {

using Cpus = std::vector<int>;

TEST(Cpuset, ReadsTheKernelsListFormat) {
  EXPECT_EQ(parse_cpu_list("0-3,8\n"), (Cpus{0, 1, 2, 3, 8}));
  EXPECT_EQ(parse_cpu_list("5"), Cpus{5});
  EXPECT_EQ(parse_cpu_list("7,0-1,1-2"), (Cpus{0, 1, 2, 7}));
  EXPECT_EQ(parse_cpu_list(""), Cpus{});
  EXPECT_EQ(parse_cpu_list("\n"), Cpus{});
}

TEST(Cpuset, TakesNothingFromWhatIsNoList) {
  for (const char* text :
       {"a", "0-", "-1", "3-1", "0,3-1", "0,", ",1", "0 1", "0--2", "0-3x", "99999999999", "0-2000000000"})
    EXPECT_EQ(parse_cpu_list(text), Cpus{}) << text;
}

TEST(Cpuset, WritesWhatItReads) {
  for (const char* text : {"0", "0-1", "0-3,8", "1,3,5", "0-1,4-127"})
    EXPECT_EQ(format_cpu_list(parse_cpu_list(text)), text);
  EXPECT_EQ(format_cpu_list({2, 0, 1}), "0-2");
  EXPECT_EQ(format_cpu_list({}), "");
}

TEST(Cpuset, RespectsTheAffinityMask) {
  if (omp_get_num_places() > 0) GTEST_SKIP() << "OpenMP has pinned the threads and its places count";
  const auto all = allowed_cpus();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  if (all.back() >= CPU_SETSIZE) GTEST_SKIP() << "the mask of this test holds " << CPU_SETSIZE << " CPUs";

  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(all.back(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const auto pinned = allowed_cpus();
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(pinned, Cpus{all.back()});
}

}  // namespace
}  // namespace roofline::cpuset_test
