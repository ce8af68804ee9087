#include <gtest/gtest.h>

#include "bench/machine/cgroup.hpp"
#include "tests/command_line.hpp"
#include "tests/sanitized.hpp"

namespace roofline::memory_limits_test {
namespace {

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
  const auto without = bench("--benchmark_filter='-lbm|gsrb|gpp|ert|stencil|ceiling|triad|scale|add|dot'");
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_EQ(bench("--benchmark_filter=stream/copy --lbm=1024,1024").code, 2) << "a size that somebody chose";
}

}  // namespace
}  // namespace roofline::memory_limits_test
