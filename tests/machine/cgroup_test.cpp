#include "bench/machine/cgroup.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "tests/command_line.hpp"

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

}  // namespace
}  // namespace roofline::cgroup_test
