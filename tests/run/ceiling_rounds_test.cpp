#include "bench/run/ceiling_rounds.hpp"

#include "tests/session_ceilings.hpp"

namespace roofline::ceiling_rounds_test {
namespace {

constexpr double together = 28e-9, apart = 170e-9;
constexpr int most_rounds = 12;

/// Visits of a ceiling of the first cache and of one of DRAM, in rounds before which the cores lay at these distances.
class CeilingVisits : public SessionCeilings {
 protected:
  CeilingVisits() {
    for (const auto level : {MemoryLevel::L1, MemoryLevel::DRAM}) {
      CeilingVariant variant;
      variant.ceiling = example::memory(level, "read", 0, 1);
      variant.make = {[] { return workload(2e6); }};
      suite_.add_ceiling(std::move(variant));
    }
    for (const auto& ceiling : suite_.ceilings()) plan_.ceilings.push_back(&ceiling);
  }
  void visit(const std::vector<double>& distances) {
    RunState run(suite_, options_, plan_, records_);
    CeilingRounds rounds(run, most_rounds);
    rounds.set_up();
    for (std::size_t round = 0; round < distances.size(); ++round)
      rounds.visit(static_cast<int>(round), [&] { return distances[round]; });
  }
  /// The rounds in which it was visited.
  std::vector<int> rounds_of(std::size_t ceiling) const {
    std::vector<int> rounds;
    for (int round = 0; round < most_rounds; ++round)
      if (records_.of_round(suite_.ceilings()[ceiling].ceiling.name, round)) rounds.push_back(round);
    return rounds;
  }
};

TEST_F(CeilingVisits, AreInEachRoundAtDramAndInEveryThirdOfCaches) {
  visit(std::vector<double>(most_rounds, together));
  EXPECT_EQ(rounds_of(0), (std::vector<int>{0, 3, 6, 9}));
  EXPECT_EQ(rounds_of(1).size(), std::size_t{most_rounds});
}

TEST_F(CeilingVisits, AreMadeUpForWhereTheCoresLieNow) {
  visit({together, together, together, together, apart, apart, apart, together});
  EXPECT_EQ(rounds_of(0), (std::vector<int>{0, 3, 4, 5, 6, 7}));
}

TEST_F(CeilingVisits, AreMadeUpForWhereOneOfACacheWasDisturbed) {
  for (const auto& variant : suite_.ceilings())
    records_.append({.row = variant.ceiling.name, .visit = Visit{{1e300}, together}});
  visit(std::vector<double>(most_rounds, together));
  EXPECT_EQ(rounds_of(0), (std::vector<int>{0, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(rounds_of(1).size(), std::size_t{most_rounds});
}

/// One visit of each ceiling while the cores lay apart, and seven rounds of a row while they lay together.
class CeilingsElsewhere : public SessionCeilings {
 protected:
  CeilingsElsewhere() {
    for (const auto* const mix : {"read", "write"}) {
      const auto ceiling = example::memory(MemoryLevel::DRAM, mix, 0, 1);
      records_.append({.row = ceiling.name, .event = "planned", .ceiling = ceiling});
      records_.append({.row = ceiling.name, .visit = Visit{{100e9}, apart}});
    }
    KernelPoint row{.name = "row", .family = {}, .counts = {}, .time = {}};
    records_.append({.row = "row", .event = "planned", .kernel = row});
    RowRound found;
    found.samples = {{4, 0, 1.0}};
    found.core_distance = together;
    for (int round = 0; round < 7; ++round) records_.append({.row = "row", .round = round, .found = found});
  }
};

TEST_F(CeilingsElsewhere, SayNothingAboutRows) {
  const auto known = example::memory(MemoryLevel::DRAM, "write", 0, 1).name;
  records_.append({.row = known, .round = 1, .visit = Visit{{60e9}, together}});
  const auto results = results_of(records_.all());
  ASSERT_EQ(results.roofline.ceilings().size(), 1u);
  EXPECT_EQ(results.roofline.ceilings()[0].name, known);
  EXPECT_EQ(results.roofline.ceilings()[0].rate, 60e9) << "its visit elsewhere does not count";
  ASSERT_EQ(results.skipped.size(), 1u);
  EXPECT_NE(results.skipped[0].find(": the host moved the cores"), std::string::npos) << results.skipped[0];
  EXPECT_TRUE(results.unreached.empty());
}

TEST_F(CeilingsElsewhere, AreKnownByTheirSamplesNextToRows) {
  const auto known = example::memory(MemoryLevel::DRAM, "read", 0, 1).name;
  RowRound found;
  found.samples = {{7, 0, 1.0}};
  found.core_distance = together;
  found.probes = {{known, {60e9, 62e9}}};
  records_.append({.row = "row", .round = 7, .found = found});
  const auto results = results_of(records_.all());
  ASSERT_EQ(results.roofline.ceilings().size(), 1u);
  EXPECT_EQ(results.roofline.ceilings()[0].name, known);
  EXPECT_EQ(results.roofline.ceilings()[0].rate, 62e9) << "the best of the round";
}

}  // namespace
}  // namespace roofline::ceiling_rounds_test
