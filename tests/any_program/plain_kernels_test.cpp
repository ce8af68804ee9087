#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <sstream>

#include "tests/any_program/counted.hpp"
#include "tests/sanitized.hpp"

namespace roofline::plain_kernels_test {
namespace {

using namespace ::roofline::testing;

/// A kernel of the suite compiled without it, and its N.
using Kernel = std::pair<std::string, int>;
class KernelWithoutTheSuite : public ::testing::TestWithParam<Kernel> {};

/// The counts of its instructions, next to the counts of the suite's counting type on arrays of the same
/// alignment and on the same caches. Registers that the compiler spills and constants that it loads are not accesses of
/// the source, so they are counted by themselves. Prints a row of results/any-program/README.md.
TEST_P(KernelWithoutTheSuite, IsCountedAsByTheCountingType) {
  if (testing::sanitized) GTEST_SKIP() << "with a frame pointer its registers spill";
  const Scratch folder;
  if (const auto why_not = why_not_counted(folder); !why_not.empty()) GTEST_SKIP() << why_not;
  const auto program = std::filesystem::path(ROOFLINE_CLI).parent_path() / "cachegrind_kernels";
  const auto [kernel, n] = GetParam();
  const auto call = fmt::format("'{}' {} {} ", program.string(), kernel, n);
  std::istringstream model(shell(call + "model 49152,12 262144,16", folder).out);
  double accesses = 0, misses = 0, flops = 0, l1 = 0, l2 = 0, dram = 0;
  ASSERT_TRUE(model >> accesses >> misses >> misses >> flops >> l1 >> l2 >> dram);
  const auto outcome = count("--by=region --min-share=0 --caches=48K/12:256K/16 -- " + call + "2", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto results = read_run(folder / "out/run.json");
  ASSERT_EQ(results.points.size(), 1u);
  const auto& counts = results.points.front().counts;
  EXPECT_EQ(static_cast<double>(counts.operations.flops()), flops);
  std::cout << fmt::format("| {}, {} | {:.0f} |", kernel, n, flops);
  const auto next_to = [](double counted, double right) {
    EXPECT_LT(std::abs(counted / right - 1), 0.05);
    return fmt::format(" {:.0f}, {:+.3f} % |", right, 100 * (counted / right - 1));
  };
  const double all = counts.at(MemoryLevel::L1)->total(), local = counts.details.at("bytes_L1_local");
  std::cout << next_to(all - local, l1) << fmt::format(" {:.0f} |", local)
            << next_to(counts.at(MemoryLevel::L2)->total(), l2) << next_to(counts.at(MemoryLevel::DRAM)->total(), dram)
            << "\n";
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelWithoutTheSuite,
                         ::testing::Values(Kernel{"triad", 20011}, Kernel{"stencil", 35}, Kernel{"gpp", 1201},
                                           Kernel{"gsrb/fp", 22}, Kernel{"gsrb/branch", 22}, Kernel{"lbm", 13}));

}  // namespace
}  // namespace roofline::plain_kernels_test
