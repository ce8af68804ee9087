#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>

#include "bench/machine/machine.hpp"
#include "bench/suite/suite.hpp"
#include "tests/error_of.hpp"
#include "tests/variants.hpp"

namespace roofline::cuda_names_test {
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
      const bool cpu_only = has("level:3") || has("level:4") || has("/blocked");
      EXPECT_EQ(on_gpu.count(name), cpu_only ? 0u : 1u) << name;
    }
  }
  if (compared == 0) GTEST_SKIP() << "a build without CUDA";
}

TEST(CudaNames, SizesThatDoNotFitAreRefusedInOneLine) {
  const Machine machine;
  Suite suite({Platform::cuda, {}, 1, machine, {}});
  const std::map<std::string, Sizes> wrong{{"stencil", {2}},  {"gpp", {4, 5, 64, 4}}, {"gsrb", {9}},
                                           {"lbm", {5, 100}}, {"stream", {0}},        {"ert", {5'000'000'000}}};
  for (const auto& family : families()) {
    const auto sizes = wrong.find(family.family.name);
    if (sizes == wrong.end() || !family.ports.count(Platform::cuda)) continue;
    const auto message =
        testing::error_of<std::invalid_argument>([&] { family.ports.at(Platform::cuda).add(suite, sizes->second); });
    EXPECT_EQ(message.rfind("--" + family.family.name + "=", 0), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace roofline::cuda_names_test
