#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/machine/pinning.hpp"
#include "tests/command_line.hpp"

namespace roofline::threads_test {
namespace {

TEST(Threads, OnOtherCpusThanTheirOwnAreNoticed) {
  EXPECT_EQ(misplaced({0, 2}, {0, 2, 1, 3}, 2), "");
  EXPECT_EQ(misplaced({0, 1}, {0, 2, 1, 3}, 2), "thread 1 was pinned to CPU 2 and runs on CPU 1");
  EXPECT_EQ(misplaced({0}, {0, 2}, 2), "2 threads were asked for, 1 run");
  EXPECT_EQ(misplaced({-1, -1}, {0, 1}, 2), "") << "a system that does not tell";
  EXPECT_EQ(misplaced({3, 3}, {}, 2), "") << "not pinned";
}

class Environments : public ::testing::TestWithParam<const char*> {};

/// Cases that once ran on one thread, or on two of one core, while the table said two.
TEST_P(Environments, DoNotChangeTheThreads) {
  const testing::Scratch folder;
  const auto outcome = testing::shell(std::string("env ") + GetParam() +
                                          " '" ROOFLINE_BENCH
                                          "' --stream=20000 --benchmark_filter=stream/copy "
                                          "--ceilings=none --benchmark_min_time=0.001",
                                      folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto run = testing::json_of(folder / "roofline-out/run.json");
  const auto& context = run["context"];
  EXPECT_EQ(context["usable_cores"], std::to_string(detect_machine().usable_cores));
  EXPECT_EQ(context["threads"], context["usable_cores"]);
  const auto cpus = parse_cpu_list(context["openmp_cpus"].get<std::string>());  // each once
  EXPECT_EQ(std::to_string(cpus.size()), context["usable_cores"].get<std::string>()) << context["openmp_cpus"];
  EXPECT_EQ(context.value("openmp_overridden", "nothing"), GetParam());
  EXPECT_NE(run["roofline"]["warnings"].dump().find("is overridden"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(OpenMp, Environments,
                         ::testing::Values("OMP_PROC_BIND=false", "OMP_PROC_BIND=master", "OMP_THREAD_LIMIT=1",
                                           "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=7", "OMP_PLACES={0}",
                                           "GOMP_CPU_AFFINITY=0", "OMP_DYNAMIC=true", "HWLOC_SYNTHETIC=pu:1"));

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
}  // namespace roofline::threads_test
