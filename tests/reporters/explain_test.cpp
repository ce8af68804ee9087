#include "reporters/view/explain.hpp"

#include <gtest/gtest.h>

#include "bench/model/assessment.hpp"
#include "tests/example_results.hpp"

namespace roofline::explain_test {
namespace {

const Roofline ceilings = example::roofline();

std::string sentence(
    Operations per_site, std::array<example::Bytes, 4> bytes, double efficiency,
    const std::function<void(KernelPoint&)>& change = [](KernelPoint&) {}) {
  Results results;
  results.roofline = ceilings;
  results.points.push_back(example::point(ceilings, "x/y", 1e6, per_site, bytes, efficiency));
  change(results.points[0]);
  assess(results);
  return explain(ceilings, results.points[0]);
}

const std::array<example::Bytes, 4> streaming{{{16, 8}, {24, 8}, {24, 8}, {24, 8}}}, resident{{{16, 8}, {}, {}, {}}};

TEST(Explain, BeginsWithWhatBinds) {
  struct Row {
    Operations per_site;
    std::array<example::Bytes, 4> bytes;
    double efficiency;
    const char* says;
  };
  for (const auto& [per_site, bytes, efficiency, says] :
       {Row{{0, 0, 1, 0}, streaming, 0.95, "DRAM-bound at 95 % of the roof of its mix: fewer bytes help, not FLOP/s"},
        Row{{0, 0, 500, 0}, resident, 0.97, "Bound by the FMA and multiply units at 97 %"},
        Row{{0, 0, 1, 0}, streaming, 0.2, "Far from every roof"},
        Row{{0, 0, 1, 0}, streaming, 1.3, "At 130 % of its DRAM triad roof, which cannot be. A count"}})
    EXPECT_EQ(sentence(per_site, bytes, efficiency).rfind(says, 0), 0u) << sentence(per_site, bytes, efficiency);
  EXPECT_NE(sentence({0, 0, 500, 0}, resident, 0.97).find("not bandwidth"), std::string::npos);
  EXPECT_NE(sentence({0, 0, 40, 0}, streaming, 0.58).find("wait for one another"), std::string::npos);
  EXPECT_NE(sentence({0, 0, 1, 0}, streaming, 0.75).find(", a rest of "), std::string::npos) << "of its time";
  EXPECT_EQ(explain({}, KernelPoint{}), "This run has no ceilings to compare it with.");
}

TEST(Explain, SaysWhatTheLaunchWithoutMemorySays) {
  auto results = example::results();
  auto& point = results.points[0];
  point.in_core = 0.4 * point.time.median;
  assess(results);
  EXPECT_NE(explain(results.roofline, point).find("of the core it takes 40 % of this time."), std::string::npos);
  point.assessment.in_core = 0.96, point.assessment.mix->efficiency = 0.7;
  EXPECT_NE(explain(results.roofline, point).find("takes 96 % of this time: the core binds it"), std::string::npos);
  point.assessment.in_core = 0;
  EXPECT_EQ(explain(results.roofline, point).find("caches of the core"), std::string::npos);
}

TEST(Explain, ARowAtALowerClockIsComparedWithTheRoofAtThatClock) {
  auto results = example::results();
  auto ceilings = results.roofline.ceilings();
  for (auto& ceiling : ceilings) ceiling.clock_end = 2e9;
  results.roofline = Roofline(ceilings, results.roofline.threads());
  auto& point = results.points[0];
  point.assessment.roof = Judgement{1e12, 0.6, Resource::Kind::fma, {}};
  point.clock = 1.5e9;
  const std::string sentence = "It ran at 1.50 GHz, its ceiling at 2.00: at that clock it is at 80 % of the roof.";
  EXPECT_NE(explain(results.roofline, point).find(sentence), std::string::npos) << explain(results.roofline, point);
  for (const double known : {0.0, 1.97e9}) {
    point.clock = known;
    EXPECT_EQ(explain(results.roofline, point).find("It ran at"), std::string::npos) << known;
  }
  point.clock = 1.5e9, point.assessment.roof->level = MemoryLevel::DRAM;
  EXPECT_EQ(explain(results.roofline, point).find("It ran at"), std::string::npos) << "memory has a clock of its own";
}

/// A row of 100 G counted instructions in ten seconds, where front ends deliver so many a second.
std::string with_front_end(double rate, double gathered = 0) {
  auto ceilings = example::roofline().ceilings();
  ceilings.emplace_back().kind = Ceiling::Kind::instructions;
  ceilings.back().threads = 2, ceilings.back().rate = rate;
  ceilings.push_back(example::memory(MemoryLevel::L1, "gather", 79));
  const Roofline roofline(std::move(ceilings), 2);
  KernelPoint point;
  point.name = "a", point.threads = 2, point.time = {10, 10, 10};
  point.counts.operations.fma = 4 * 129'000'000'000;  // four seconds at the FMA ceiling
  point.counts.at(MemoryLevel::L1) = Traffic{790e9 / 10 + gathered, 0};
  point.counts.gathered = gathered;
  point.counts.instructions = 100e9;
  point.assessment = assess(roofline, point);
  return explain(roofline, point);
}

TEST(Explain, FrontEndAndUnitsWorkCountedAndModelled) {
  const auto text = with_front_end(100e9 / 4.5);
  EXPECT_EQ(text.rfind("Far from every roof", 0), 0u) << text;
  const auto bound = with_front_end(100e9 / 9);
  EXPECT_EQ(bound.rfind("front end-bound at 90 % of the roof of its mix: fewer or wider instructions help", 0), 0u)
      << bound;
  EXPECT_EQ(bound.find("then the FMA"), std::string::npos) << "the same suggestion twice: " << bound;
}

TEST(Explain, GathersAreNamedWithWhatHelpsThem) {
  const auto text = with_front_end(1e12, 700e9);
  EXPECT_EQ(text.rfind("L1-bound at ", 0), 0u) << text;
  EXPECT_NE(text.find("it gathers numbers that lie apart, and neighbours in memory help"), std::string::npos) << text;
}

TEST(Explain, AShareThatIsNotResolvedHasItsRange) {
  const auto spread = [](double by) {
    return sentence({0, 0, 1, 0}, streaming, 0.95, [=](KernelPoint& p) { example::add_rounds(ceilings, p, by); });
  };
  EXPECT_NE(spread(0.13).find("Over the rounds its share was 80 .. 104 %."), std::string::npos) << spread(0.13);
  EXPECT_EQ(spread(0.01).find("Over the rounds"), std::string::npos);
}

TEST(Explain, ABoundSaysThatItIsOne) {
  const auto text = sentence({0, 0, 1, 0}, streaming, 1, [](KernelPoint& p) { p.bound_by = MemoryLevel::DRAM; });
  EXPECT_EQ(text.rfind("At least ", 0), 0u) << text;
}

}  // namespace
}  // namespace roofline::explain_test
