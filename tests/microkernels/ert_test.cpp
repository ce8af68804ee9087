#include "microkernels/ert/ert.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "bench/cache_model/sampler.hpp"
#include "bench/machine/machine.hpp"
#include "bench/space/pack.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/ert/sweep.hpp"
#include "tests/command_line.hpp"

namespace roofline::ert_test {
namespace {

template <class T>
std::vector<T> run(const ErtKernel& kernel, Index n, Index trials, ErtConstants constants = {}) {
  std::vector<T> a(static_cast<std::size_t>(n), static_cast<T>(constants.initial));
  ert_function<T>(kernel)(a.data(), n, trials, kernel.flops, constants);
  return a;
}

template <class T>
class ErtChain : public ::testing::Test {};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(ErtChain, Precisions);

TYPED_TEST(ErtChain, StaysAtItsFixedPointForEveryF) {
  for (int flops = 1; flops <= 2047; flops += flops < 70 ? 1 : 61)
    for (const bool fma : {true, false})
      for (const auto step : {ErtStep::multiply_add, ErtStep::divide}) {
        if (step == ErtStep::divide && flops % 2 == 1) continue;
        for (const Index n : {1, 7, 191, 400})  // single elements, packs, groups of packs
          for (const auto x : run<TypeParam>({flops, fma, step}, n, 3))
            ASSERT_EQ(x, TypeParam(-1)) << "F = " << flops << ", fma " << fma << ", n = " << n;
      }
}

/// The definition, element by element: bit 0 of F is b = A + a, every further two FLOPs are one step.
template <class T>
T stored(const ErtKernel& kernel, T a, const ErtConstants& constants) {
  const T addend = static_cast<T>(constants.addend);
  T b = kernel.flops % 2 == 1 ? a + addend : static_cast<T>(constants.start);
  for (int bit = 1; 1 << bit <= kernel.flops; ++bit) {
    if ((kernel.flops >> bit & 1) == 0) continue;
    for (int step = 0; step < 1 << (bit - 1); ++step) {
      volatile T product = b * a;  // a product that no compiler fuses
      if (kernel.step == ErtStep::divide)
        b = a / b + addend;
      else
        b = kernel.fma ? std::fma(b, a, addend) : product + addend;
    }
  }
  return -b;
}

TYPED_TEST(ErtChain, ComputesTheDefinition) {
  // Away from the fixed point, where a missing or an extra step shows.
  const ErtConstants constants{.initial = 1.01, .start = 0.7, .addend = 0.3};
  ASSERT_NE(stored<TypeParam>({.flops = 16, .fma = true}, TypeParam(constants.initial), constants),
            stored<TypeParam>({.flops = 16, .fma = false}, TypeParam(constants.initial), constants));
  for (const int flops : {1, 2, 3, 4, 5, 8, 13, 16, 31, 32, 64, 100, 128, 256, 511, 512, 1023, 1024, 2047})
    for (const bool fma : {true, false}) {
      const ErtKernel kernel{.flops = flops, .fma = fma};
      const auto expected = stored<TypeParam>(kernel, TypeParam(constants.initial), constants);
      for (const auto x : run<TypeParam>(kernel, 211, 1, constants)) ASSERT_EQ(x, expected) << flops << " " << fma;
    }
  const ErtKernel division{.flops = 6, .fma = false, .step = ErtStep::divide};
  const auto expected = stored<TypeParam>(division, TypeParam(constants.initial), constants);
  for (const auto x : run<TypeParam>(division, 211, 1, constants)) ASSERT_EQ(x, expected);
}

TEST(ErtFunctions, RefuseOtherNumbersOfFlops) {
  for (const int flops : {-1, 0, 2048})
    EXPECT_THROW(ert_function<double>({.flops = flops}), std::invalid_argument) << flops;
  EXPECT_THROW(ert_function<double>({.flops = 3, .fma = false, .step = ErtStep::divide}), std::invalid_argument);
}

TEST(ErtFunctions, UseTheVectorsOfTheKernels) {
  EXPECT_EQ(ert_lanes(), native_lanes) << "ert.cpp is compiled with another -march than the kernels";
}

Machine small_machine() {
  Machine machine;
  machine.caches = {{MemoryLevel::L1, 4096, 8, 64, 1}, {MemoryLevel::L2, 65536, 8, 64, 1}};
  return machine;
}

/// Variants of the registered family for arrays of n elements.
std::vector<Variant> variants(const Machine& machine, Index n) {
  Suite suite(cpu_target(machine, 2));
  for (const auto& registration : families())
    if (registration.family.name == "ert") registration.ports.at(Platform::cpu).add(suite, {n});
  return suite.variants();
}

TEST(ErtFamily, CountsWhatItDeclares) {
  const auto machine = small_machine();
  for (const Index n : {1000, 12288, 30001})
    for (const auto& variant : variants(machine, n)) {
      const auto flops = std::stoi(variant.name.substr(variant.name.find("flops:") + 6));
      const bool in_memory = variant.name.ends_with("set:DRAM");
      if (flops > 16 || (!in_memory && n != 1000)) continue;
      const auto work = variant.make();
      const auto counts = count(work.trace, nullptr);
      EXPECT_EQ(counts.operations.flops(), work.declared_flops) << variant.name;
      EXPECT_EQ(counts.operations.fma > 0, variant.fma && flops > 1 && variant.name.find("div") == std::string::npos)
          << variant.name;
      if (in_memory) {
        EXPECT_EQ(work.declared_flops, static_cast<std::uint64_t>(n * flops)) << variant.name;
      }
      EXPECT_EQ(counts.at(MemoryLevel::L1)->total() * flops, 16.0 * static_cast<double>(work.declared_flops))
          << variant.name << ": 16 B per element";
    }
}

TEST(ErtFamily, VerifiesTheArrayItTimed) {
  const auto machine = small_machine();
  for (const auto& variant : variants(machine, 30001)) {
    const auto work = variant.make();
    work.launch();
    const auto check = work.check();
    EXPECT_TRUE(check.ok) << variant.name << ": " << check.message;
  }
}

TEST(ErtWorkingSets, FollowTheStepRule) {
  const auto expected =
      testing::json_of(ROOFLINE_TEST_DATA "/golden.json").at("ert_plateau").at("x").get<std::vector<Index>>();
  const auto sizes = ert_working_sets(128, (Index{1} << 30) / 8);
  ASSERT_EQ(sizes.size(), expected.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) EXPECT_EQ(8 * sizes[i], expected[i]) << i;
  EXPECT_EQ(ert_working_sets(1, 5), (std::vector<Index>{1, 2, 3, 4, 5})) << "n + 1 where the factor changes nothing";
}

TEST(ErtSweep, CoversTheBlockWithErtsAccounts) {
  MemoryBlock block(2 * 3000);
  const auto sweep = run_ert_sweep(16, 600, 2, block);  // trials end at block / set, long before
  ASSERT_TRUE(sweep.complete);
  EXPECT_EQ(sweep.failure, "");
  const auto sizes = ert_working_sets(128, 3000);
  ASSERT_EQ(sweep.rows.size(), sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& row = sweep.rows[i];
    EXPECT_EQ(row.working_set, static_cast<double>(2 * 8 * sizes[i]));
    EXPECT_LE(row.trials, std::max<Index>(1, 3000 / sizes[i]));
    EXPECT_EQ(row.trials & (row.trials - 1), 0) << "powers of two";
    EXPECT_EQ(row.bytes, row.working_set * 2 * static_cast<double>(row.trials));
    EXPECT_EQ(row.flops, row.bytes) << "F = 16: one FLOP per byte";
    EXPECT_GT(row.seconds, 0);
  }
}

TEST(ErtSweep, StopsWhenItsTimeIsUp) {
  MemoryBlock block(1 << 20);
  const auto sweep = run_ert_sweep(2047, 1e-9, 1, block);
  EXPECT_FALSE(sweep.complete);
  EXPECT_GE(sweep.rows.size(), 1u);
}

TEST(ErtResult, TakesBandwidthsFromTheHeaviestSweepAndFlopsFromTheBest) {
  const auto sweep = [](int flops, double bandwidth) {
    ErtSweep s;
    s.flops_per_element = flops;
    for (const Index n : ert_working_sets(128, 1 << 15)) {
      const double bytes = 16.0 * static_cast<double>(n);
      s.rows.push_back({.working_set = bytes / 2,
                        .trials = 1,
                        .seconds = bytes / bandwidth,
                        .bytes = bytes,
                        .flops = bytes / 16 * flops});
    }
    return s;
  };
  auto broken = sweep(2, 900e9);
  broken.failure = "element 3: got nan, expected exactly -1";
  const auto result = summarize({sweep(2, 100e9), sweep(512, 20e9), broken}, small_machine().caches);
  EXPECT_EQ(result.bandwidth_flops_per_element, 2);
  EXPECT_NEAR(result.flop_rate, 20e9 * 32, 1);
  ASSERT_EQ(result.levels.size(), 1u);
  EXPECT_NEAR(result.levels[0].bandwidth, 100e9, 1);
  EXPECT_EQ(result.sweeps.size(), 3u);
}

}  // namespace
}  // namespace roofline::ert_test
