#include "bench/run/ceiling_suspicion.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/example_results.hpp"

namespace roofline {
namespace {

Ceiling flops(Operation operation, double gflops, const std::string& isa = "avx512", int threads = 2) {
  auto c = example::compute(operation, gflops, isa);
  c.threads = threads;
  c.theory.reset();
  c.name = fmt::format("{}/{}/{}", name(operation), isa, threads);
  return c;
}

std::vector<std::string> names(const std::vector<Ceiling>& ceilings) {
  std::vector<std::string> result;
  for (const auto& suspicion : suspicious_ceilings(ceilings)) result.push_back(suspicion.name);
  return result;
}

using Names = std::vector<std::string>;

TEST(CeilingSuspicion, NothingOnAQuietMachine) {
  EXPECT_EQ(names({flops(Operation::fma, 116), flops(Operation::nofma, 116), flops(Operation::add, 60),
                   flops(Operation::fma, 60, "avx2"), flops(Operation::fma, 58, "avx512", 1)}),
            Names{});
}

TEST(CeilingSuspicion, FmaBelowWhatItReplaces) {
  EXPECT_EQ(names({flops(Operation::fma, 14.9), flops(Operation::nofma, 116)}), Names{"fma/avx512/2"});
}

TEST(CeilingSuspicion, WideVectorsBelowNarrowOnesAndAllCoresBelowOne) {
  EXPECT_EQ(names({flops(Operation::fma, 50), flops(Operation::fma, 60, "avx2")}), Names{"fma/avx512/2"});
  EXPECT_EQ(names({flops(Operation::fma, 50), flops(Operation::fma, 58, "avx512", 1)}), Names{"fma/avx512/2"});
}

TEST(CeilingSuspicion, ANearLevelBelowAFarOne) {
  auto near = example::memory(MemoryLevel::L1, "read", 40, 2), far = example::memory(MemoryLevel::L2, "read", 46, 2);
  EXPECT_EQ(names({near, far}), Names{near.name});
  far.rate = 40.5e9;
  EXPECT_EQ(names({near, far}), Names{}) << "within the tolerance";
}

TEST(CeilingSuspicion, FarBelowTheory) {
  auto c = flops(Operation::fma, 80);
  c.theory = 120e9;
  EXPECT_EQ(names({c}), Names{"fma/avx512/2"});
  c.rate = 110e9;  // 92 %: units reach 96 to 100 % at the clock that such instructions run at
  EXPECT_EQ(names({c}), Names{"fma/avx512/2"});
  c.rate = 113e9;
  EXPECT_EQ(names({c}), Names{});
  c.ilp = false;  // a chain has nothing but its latency: there is nothing to lose
  EXPECT_EQ(names({c}), Names{"fma/avx512/2"});
}

TEST(CeilingSuspicion, MostlyDisturbedSamples) {
  auto c = flops(Operation::fma, 80);
  c.disturbed = 0.6;
  EXPECT_EQ(names({c}), Names{"fma/avx512/2"});
}

}  // namespace
}  // namespace roofline
