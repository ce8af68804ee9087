#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/machine/machine.hpp"
#include "bench/suite/suite.hpp"
#include "bench/text/table.hpp"
#include "tests/error_of.hpp"
#include "tests/variants.hpp"

namespace roofline::families_test {
namespace {

std::set<std::string> names(const Registration& family, Platform platform, const Sizes& sizes) {
  const Machine machine;
  Suite suite({platform, {}, 1, machine, {}});
  family.ports.at(platform).add(suite, sizes);
  std::set<std::string> all;
  for (const auto& variant : suite.variants()) EXPECT_TRUE(all.insert(variant.name).second) << variant.name << " twice";
  return all;
}

// Files of runs on a CPU and on a GPU are compared by name.
TEST(CudaNames, EveryKernelOfTheCpuIsThereUnderTheSameName) {
  int compared = 0;
  for (const auto& family : families()) {
    if (!family.ports.count(Platform::cuda)) continue;
    ++compared;
    const auto& sizes = testing::small_sizes(family.family);
    const auto on_gpu = names(family, Platform::cuda, sizes);
    for (const auto& name : names(family, Platform::cpu, sizes)) {
      const auto has = [&](const char* part) { return name.find(part) != name.npos; };
      // Too small for a GPU, or blocked for the caches of a CPU.
      if (has("/tuned")) continue;  // tunings of this machine there, a mapping of ours here
      const bool small = has("gsrb/") && (has("level:3") || has("level:4"));
      const bool cpu_only = small || (has("stencil/") && has("/blocked")) || has("/blas");
      EXPECT_EQ(on_gpu.count(name), cpu_only ? 0u : 1u) << name;
    }
  }
  if (compared == 0) GTEST_SKIP() << "a build without CUDA";
}

// A description is laid out by hand, in lines and columns.
TEST(Families, DescriptionsFitIntoTheLinesOfATerminal) {
  for (const auto& [family, ports] : families())
    EXPECT_EQ(wrap_lines(family.description, 2), family.description + "\n");
}

TEST(Families, SizesThatMakeNoSenseAreRefusedInOneLineBeforeThereAreRows) {
  using OfFamilies = std::map<std::string, std::vector<Sizes>>;
  const OfFamilies on_gpu{
      {"ert", {{5'000'000'000}}}, {"gpp", {{4, 5, 64, 4}}}, {"gsrb", {{9}}},    {"lbm", {{5, 100}}}, {"stencil", {{2}}},
      {"stream", {{0}}},          {"spmv", {{2}, {675}}},   {"fft", {{96, 8}}}, {"gemm", {{100}}},   {"mg", {{9}}}};
  const OfFamilies on_cpu{
      {"ert", {{-5}, {Index{1} << 50}}},
      {"gpp",
       {{0, 2, 64, 4},
        {4, 0, 64, 4},
        {4, 2, 0, 4},
        {4, 2, 64, 0},
        {-4, 2, 64, 4},
        {4, 2, 64, 65},
        {4, 5, 64, 4},
        {1000000, 2, 1000000000, 20},
        {4, 2, Index{1} << 62, 1}}},
      {"gsrb", {{-1}, {0}, {2}, {9}, {12}, {40}}},
      {"lbm", {{0, 64}, {64, 0}, {-8, 64}, {64, 100}, {1 << 30, 1 << 30}}},
      {"stencil", {{2}, {100000}}},
      {"spmv", {{-1}, {2}, {675}}},
      {"fft", {{0, 0}, {0, 8}, {1, 8}, {7, 8}, {96, 0}, {1 << 25, 8}, {64, 12}, {64, -8}, {1 << 24, 1 << 20}}},
      {"gemm", {{-96}, {95}, {100}, {96096}}},
      {"mg", {{-1}, {0}, {9}, {40}}}};
  const Machine machine;
  for (const auto& [platform, wrong] : {std::pair{Platform::cpu, on_cpu}, {Platform::cuda, on_gpu}})
    for (const auto& [family, ports] : families())
      for (const auto& sizes :
           wrong.contains(family.name) && ports.contains(platform) ? wrong.at(family.name) : std::vector<Sizes>()) {
        Suite suite({platform, {}, 2, machine, {}});
        const auto& add = ports.at(platform).add;
        const auto said = testing::error_of<std::invalid_argument>([&] { add(suite, sizes); });
        EXPECT_TRUE(said.starts_with("--" + family.name + "=") || said.find("choose a smaller size") != said.npos)
            << said;
        EXPECT_EQ(said.find('\n'), said.npos) << said;
        EXPECT_TRUE(suite.variants().empty()) << said;
      }
}

}  // namespace
}  // namespace roofline::families_test
