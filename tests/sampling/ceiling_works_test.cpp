#include "bench/sampling/ceiling_works.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace roofline::ceiling_works_test {
namespace {

/// A way to do one unit of work, which takes `at_first` seconds when it is timed first, and `later` seconds from then
/// on.
std::function<CeilingWork()> way(const char* name, double at_first, double later) {
  return [=] {
    CeilingWork work;
    work.work = 1;
    work.variant = name;
    work.launch = [] {};
    work.check = [] { return Check{}; };
    work.from_cache = false;
    work.time = [=, timed = std::make_shared<int>(0)](int batch) {
      const bool first = (*timed)++ == 0;
      return (first ? at_first : later) * batch;
    };
    return work;
  };
}

TEST(CeilingWorks, AVariantThatIsFastOnlyWhileItsDataAreInACacheDoesNotWin) {
  CeilingVariant variant;
  variant.ceiling.name = "roof";
  variant.make = {way("warm", 2.5e-3, 5e-3), way("steady", 4e-3, 4e-3), way("slow", 40e-3, 1e-3)};
  CeilingWorks works;
  EXPECT_EQ(works.set_up(variant), "");
  EXPECT_EQ(works.ceiling("roof").variant, "steady");
  EXPECT_EQ(works.ceiling("roof").winner, 1u);
}

/// A CPU whose clock halves after ten samples, comes back after twenty more, and so on.
TEST(CeilingWorks, FmasWithADivisionAreSampledInTurnsWithFmasAlone) {
  int samples = 0;
  CeilingWorks works;
  const auto set_up = [&](Operation operation, double seconds) {
    CeilingVariant variant;
    variant.ceiling.operation = operation, variant.ceiling.isa = "avx2", variant.ceiling.threads = 1;
    variant.ceiling.name = ceiling_name(variant.ceiling);
    variant.make = {[&samples, seconds] {
      auto work = way("only", 1, 1)();
      work.time = [&samples, seconds](int batch) { return seconds * batch * (samples++ / 10 % 3 == 0 ? 1 : 2); };
      return work;
    }};
    EXPECT_EQ(works.set_up(variant), "");
    return variant.ceiling.name;
  };
  set_up(Operation::fma, 1e-4);
  const auto both = set_up(Operation::fma48div, 1.25e-4);
  samples = 0;
  const auto visit = works.visit(both, 30e-9);
  EXPECT_DOUBLE_EQ(visit.of_fma, 0.8);
  EXPECT_EQ(visit.core_distance, 30e-9);
  auto other = visit;
  other.of_fma = 0.9;
  EXPECT_DOUBLE_EQ(measured(works.ceiling(both), {visit, other, visit}).of_fma, 0.8);
}

Ceiling of_visits(Ceiling::Kind kind, MemoryLevel level, const std::vector<double>& rates) {
  Ceiling ceiling;
  ceiling.kind = kind, ceiling.level = level;
  std::vector<Visit> visits;
  for (const double rate : rates) visits.push_back({.rates = {rate}});
  return measured(ceiling, visits);
}

TEST(MeasuredCeiling, HasTheRateOfUndisturbedVisits) {
  using enum Ceiling::Kind;
  // Both threads on one core halve the rate of what a core does.
  const std::vector<double> visits{46, 92, 47, 90, 46, 91};
  EXPECT_EQ(of_visits(compute, MemoryLevel::DRAM, visits).rate, 91);
  EXPECT_EQ(of_visits(bandwidth, MemoryLevel::L1, visits).rate, 91);
  EXPECT_EQ(of_visits(bandwidth, MemoryLevel::DRAM, visits).rate, (47 + 90) / 2.0);
  EXPECT_EQ(of_visits(compute, MemoryLevel::DRAM, visits).rate_low, 46) << "the table shows the range of all visits";
  EXPECT_EQ(of_visits(compute, MemoryLevel::DRAM, {46, 47, 92, 45}).rate, 46.5) << "nothing else confirms 92";
}

}  // namespace
}  // namespace roofline::ceiling_works_test
