#include "bench/machine/cgroup.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "tests/command_line.hpp"
#include "tests/sanitized.hpp"

namespace roofline::cgroup_test {
namespace {

namespace fs = std::filesystem;

/// A made-up /sys/fs/cgroup.
class Cgroups : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& content) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  std::string unified(const std::string& shown_group = "/") const {
    return "29 22 0:26 " + shown_group + " " + root_.string() + " rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
  }
  std::string legacy(const std::string& shown_group, const std::string& folder, const std::string& controllers) const {
    return "32 31 0:29 " + shown_group + " " + (root_ / folder).string() + " rw,relatime - cgroup cgroup rw," +
           controllers + "\n";
  }

  testing::Scratch folder_;
  const fs::path root_ = folder_.path();
};

TEST_F(Cgroups, TightestQuotaOfTheGroupsAroundTheProcessHolds) {
  write("cpu.max", "max 100000\n");
  write("jobs/cpu.max", "150000 100000\n");
  write("jobs/one/cpu.max", "400000 100000\n");
  const auto group = find_cgroup("cpu", "0::/jobs/one\n", unified());
  ASSERT_TRUE(group);
  EXPECT_EQ(group->version, 2);
  EXPECT_EQ(group->directories, (std::vector<fs::path>{root_ / "jobs/one", root_ / "jobs", root_}));
  EXPECT_EQ(cpu_quota(*group), 1.5);
}

TEST_F(Cgroups, NoLimitIsZero) {
  write("cpu.max", "max 100000\n");
  EXPECT_EQ(cpu_quota(*find_cgroup("cpu", "0::/\n", unified())), 0);
  write("cpu.max", "nonsense");
  EXPECT_EQ(cpu_quota(*find_cgroup("cpu", "0::/\n", unified())), 0);
  fs::remove(root_ / "cpu.max");  // the root group of a host has none
  EXPECT_EQ(cpu_quota(*find_cgroup("cpu", "0::/\n", unified())), 0);
}

TEST_F(Cgroups, VersionOneDividesQuotaByPeriod) {
  const auto mounts = legacy("/", "cpu,cpuacct", "cpu,cpuacct") + legacy("/", "cpuset", "cpuset");
  const auto self = "5:cpuset:/\n4:cpu,cpuacct:/job\n0::/\n";
  write("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "125000\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "50000\n");
  const auto group = find_cgroup("cpu", self, mounts);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->version, 1);
  EXPECT_EQ(cpu_quota(*group), 2.5);
  const auto cpuset = find_cgroup("cpuset", self, mounts);
  ASSERT_TRUE(cpuset);
  EXPECT_EQ(cpuset->directories, std::vector<fs::path>{root_ / "cpuset"});
}

// A container without its own cgroup namespace: the path is the host's, the mount shows the group as the root.
TEST_F(Cgroups, ContainerSeesItsGroupAsTheRoot) {
  write("cpu/cpu.cfs_quota_us", "300000\n");
  write("cpu/cpu.cfs_period_us", "100000\n");
  const auto group = find_cgroup("cpu", "3:cpu:/docker/0123abc\n", legacy("/docker/0123abc", "cpu", "cpu"));
  ASSERT_TRUE(group);
  EXPECT_EQ(group->directories, std::vector<fs::path>{root_ / "cpu"});
  EXPECT_EQ(cpu_quota(*group), 3);
  // A longer name that merely begins alike is another group.
  const auto other = find_cgroup("cpu", "3:cpu:/docker/0123abcdef\n", legacy("/docker/0123abc", "cpu", "cpu"));
  EXPECT_EQ(other->directories, std::vector<fs::path>{root_ / "cpu"});
}

TEST_F(Cgroups, HybridSystemHasTheControllerInOneVersionOnly) {
  const auto mounts = legacy("/", "cpu", "cpu") + unified();
  EXPECT_EQ(find_cgroup("cpu", "2:cpu:/\n0::/user\n", mounts)->version, 1);
  EXPECT_EQ(find_cgroup("cpuset", "2:cpu:/\n0::/user\n", mounts)->version, 2);
}

TEST(Cgroup, AbsentWithoutMountOrMembership) {
  EXPECT_FALSE(find_cgroup("cpu", "", ""));
  EXPECT_FALSE(find_cgroup("cpu", "0::/\n", "broken\nlines - x"));
  EXPECT_FALSE(find_cgroup("cpu", "4:memory:/\n", "32 31 0:29 / /x rw - cgroup cgroup rw,memory\n"));
}

class MemoryLimits : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) const { std::ofstream(folder_ / name) << content; }
  Cgroup group(int version) const { return {version, {folder_.path(), folder_.path() / "nothing here"}}; }
  testing::Scratch folder_;
};

TEST_F(MemoryLimits, OfVersionTwo) {
  write("memory.max", "300000000\n"), write("memory.current", "100000000\n");
  write("memory.stat", "anon 60000000\nactive_file 1\ninactive_file 40000000\n");
  double limit = 0;
  EXPECT_EQ(cgroup_memory_left(group(2), &limit), 240e6) << "the kernel drops inactive file pages";
  EXPECT_EQ(limit, 300e6);
}

TEST_F(MemoryLimits, OfVersionOne) {
  write("memory.limit_in_bytes", "300000000\n"), write("memory.usage_in_bytes", "350000000\n");
  EXPECT_EQ(cgroup_memory_left(group(1)), 0) << "never negative where there is a limit";
}

TEST_F(MemoryLimits, NoneIsNegative) {
  write("memory.max", "max\n");
  EXPECT_LT(cgroup_memory_left(group(2)), 0);
  write("memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_LT(cgroup_memory_left(group(1)), 0);
}

TEST_F(MemoryLimits, OfTheAddressSpaceFitSizesOrAreSaid) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer reserves terabytes";
  const auto small = testing::shell("ulimit -v 700000; '" ROOFLINE_BENCH
                                    "' --benchmark_filter=stream/copy --ceilings=none --benchmark_min_time=0.001",
                                    folder_);
  EXPECT_EQ(small.code, 0) << small.err;
  const auto large = testing::shell(
      "ulimit -v 700000; '" ROOFLINE_BENCH "' --stream=100000000 --benchmark_filter=stream/copy", folder_);
  EXPECT_EQ(large.code, 2) << large.err;
  EXPECT_NE(large.err.find("choose a smaller size"), std::string::npos) << large.err;
}

TEST_F(MemoryLimits, SizesThatNobodyChoseFit) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer reserves terabytes";
  const auto bench = [&](const std::string& flags) {
    return testing::shell(
        "ulimit -v 600000; '" ROOFLINE_BENCH "' --quick --ceilings=none --benchmark_min_time=0.001 " + flags, folder_);
  };
  const auto others = bench("--benchmark_filter='stream/copy|lbm/collide'");
  EXPECT_EQ(others.code, 0) << others.err;
  EXPECT_NE(others.out.find("lbm/collide"), std::string::npos) << "sizes that nobody chose fit: " << others.out;
  const auto without =
      bench("--benchmark_filter='-lbm|gsrb|mg|gpp|ert|stencil|fft|gemm|spmv|ceiling|triad|scale|add|dot'");
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_EQ(bench("--benchmark_filter=stream/copy --lbm=1024,1024").code, 2) << "a size that somebody chose";
}

/// A rank has no screen: who waits for a hundred of them must be told by a line and an exit code.
TEST_F(MemoryLimits, NothingMeasuredForWantOfMemoryIsNoSuccess) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer reserves terabytes";
  int limit = 250000;  // KiB; sizes fit smaller ones, to a point
  const auto triad = [&](const std::string& variables) {
    return testing::shell(fmt::format("ulimit -v {}; {} ROOFLINE_NODE=n7 '{}' --quick --device=cpu --ceilings=none "
                                      "--benchmark_filter=stream/triad --out=of-{}-{}",
                                      limit, variables, ROOFLINE_BENCH, limit, variables.size()),
                          folder_);
  };
  auto alone = triad("");
  for (; alone.code == 0 && limit > 60000; alone = triad("")) limit -= 10000;
  const auto rank = triad("PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1");
  for (const auto& found : {alone, rank}) {
    EXPECT_EQ(found.code, 3) << found.out << limit;
    EXPECT_EQ(std::count(found.err.begin(), found.err.end(), '\n'), 1) << found.err;
    EXPECT_NE(found.err.find("1 of 1 rows left out: stream/triad"), std::string::npos) << found.err;
    EXPECT_NE(found.err.find("memory"), std::string::npos) << found.err;
  }
  EXPECT_NE(rank.err.find("rank 1 on n7: "), std::string::npos) << rank.err;
}

}  // namespace
}  // namespace roofline::cgroup_test
