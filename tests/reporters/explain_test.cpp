#include "reporters/view/explain.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "bench/model/assessment.hpp"
#include "bench/text/words.hpp"
#include "reporters/view/time_breakdown.hpp"
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
  const std::array<example::Bytes, 4> reusing{{{56, 8}, {33, 8}, {17, 8}, {17, 8}}};
  for (const auto& [per_site, bytes, efficiency, says] :
       {Row{{0, 0, 1, 0},
            streaming,
            0.95,
            "Done: at 95 % of the roof of its mix, bound by DRAM. Its bytes cannot be fewer: it needs"},
        Row{{0, 0, 500, 0},
            resident,
            0.97,
            "Done: at 97 % of the roof of its mix, bound by the FMA units. Only fewer FMAs would"},
        Row{{0, 0, 1, 0},
            reusing,
            0.92,
            "Nearly done: at 92 % of the roof of its mix, bound by DRAM. Without fewer bytes at most 1.09"},
        Row{{0, 0, 500, 0},
            resident,
            0.8,
            "Bound by the FMA units at 80 % of the roof of its mix: fewer FMAs would help, if"},
        Row{{0, 0, 1, 9}, resident, 0.8, "Bound by the divider at 80 % of the roof of its mix: fewer divisions help"},
        Row{{0, 0, 1, 0}, streaming, 0.8, "DRAM-bound at 80 % of the roof of its mix: the bytes cannot be fewer, for"},
        Row{{0, 0, 1, 0}, reusing, 0.8, "DRAM-bound at 80 % of the roof of its mix: fewer bytes, if any are"},
        Row{{0, 0, 1, 0},
            streaming,
            0.2,
            "Far from every roof: DRAM, the nearest, needs 20 % of its time. Its time, if "},
        Row{{0, 0, 1, 0}, streaming, 1.3, "At 130 % of its DRAM triad roof, which is impossible. A count"}})
    EXPECT_EQ(sentence(per_site, bytes, efficiency).rfind(says, 0), 0u) << sentence(per_site, bytes, efficiency);
  const std::array<example::Bytes, 4> in_vain{{{16, 8}, {64, 8}, {64, 8}, {64, 8}}};
  EXPECT_NE(sentence({0, 0, 1, 0}, in_vain, 0.8).find("moves more bytes than it loads and stores"), std::string::npos);
  EXPECT_NE(sentence({0, 0, 40, 0}, streaming, 0.58).find("wait for one another"), std::string::npos);
  EXPECT_NE(sentence({0, 0, 1, 0}, streaming, 0.75).find(", a rest of "), std::string::npos) << "of its time";
  EXPECT_EQ(explain({}, KernelPoint{}), "This run has no ceilings to compare it with.");
}

TEST(Explain, ARowThatWaitsForMemoryIsNoFasterThanItsCore) {
  const auto with_core = [](double share, std::uint64_t regions) {
    return sentence({0, 0, 40, 0}, streaming, 0.58, [=](KernelPoint& p) {
      p.in_core = share * p.time.median;
      if (regions > 0) p.counts.regions = static_cast<double>(regions);
    });
  };
  EXPECT_EQ(with_core(0.7, 0).rfind("Mostly in its core: with its data in the core's caches it takes 70 % of", 0), 0u);
  EXPECT_NE(with_core(0.7, 0).find("Without L3 and DRAM it would be at most 1.42 times as fast."), std::string::npos)
      << with_core(0.7, 0);
  EXPECT_NE(with_core(0.5, 0).find("up to 1.72 times the speed (then "), std::string::npos) << "58 % of the time";
  EXPECT_EQ(with_core(0.5, 0).find("if its core ran"), std::string::npos) << "it was measured";
  EXPECT_NE(sentence({0, 0, 40, 0}, streaming, 0.58).find("Its time, if its core ran at the ceilings: "),
            std::string::npos);
  EXPECT_NE(with_core(0.5, 3).find("Its parallel loops run one after another"), std::string::npos);
  // What the measured core would show is not in the rest, and neither are lines of memory where none comes.
  const auto rest_of = [](const std::array<example::Bytes, 4>& bytes, bool measured) {
    return sentence({0, 0, 1, 0}, bytes, 0.2, [=](KernelPoint& p) { p.in_core = measured ? 0.1 * p.time.median : 0; });
  };
  EXPECT_NE(rest_of(streaming, true).find("may be latency or prefetched lines that nobody uses."), std::string::npos);
  EXPECT_NE(rest_of(resident, false).find("may be latency, instructions that are not counted or start and end"),
            std::string::npos)
      << rest_of(resident, false);
}

TEST(Explain, ARowAsSlowWithoutMemoryIsBoundByItsCore) {
  auto results = example::results();
  auto& point = results.points[0];
  point.assessment.in_core = 0.96, point.assessment.mix->efficiency = 0.7;
  EXPECT_EQ(
      explain(results.roofline, point).rfind("Bound by the core: with its data in the core's caches it takes 96 %", 0),
      0u);
  point.assessment.in_core = 2.02;
  EXPECT_EQ(explain(results.roofline, point).find("202 %"), std::string::npos) << "a disturbed number explains nothing";
}

/// Whole percentages in a text.
std::vector<int> percents_of(const std::string& text) {
  std::vector<int> found;
  for (const auto& match : matches("([0-9]+) %", text)) found.push_back(std::stoi(match.groups.at(1)));
  return found;
}

TEST(Explain, HoldsToItsRulesOnRowsOfAllKinds) {
  std::mt19937 random(59);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const auto some = [&](int most) { return static_cast<std::uint64_t>(between(0, 1) < 0.5 ? 0 : between(0, most)); };
  std::map<TimeCause, int> seen;
  for (int i = 0; i < 3000; ++i) {
    const Operations per_site{some(60), some(60), some(400), some(9)};
    std::array<example::Bytes, 4> bytes;
    for (double read = between(8, 300), written = between(0, 60); auto& level : bytes) {
      level = {read, written};
      if (between(0, 1) < 0.5) read *= between(0.1, 1), written *= between(0.5, 1);
    }
    Results results;
    results.roofline = ceilings;
    results.points.push_back(example::point(ceilings, "x/y", 1e6, per_site, bytes, between(0.05, 1.2)));
    auto& point = results.points[0];
    example::add_rounds(ceilings, point, between(0, 0.3));
    // Medians of both do not have the median of the ratios.
    for (auto& rate : point.probes[0].rates) rate *= between(0.7, 1.2);
    if (between(0, 1) < 0.3) point.counts.overwritten = between(0, 1) * bytes[3].read * 1e6;
    if (between(0, 1) < 0.3) point.counts.unpaired = between(0, 1) * bytes[3].read * 1e6;
    if (between(0, 1) < 0.3) point.in_core = between(0.1, 2.2) * point.time.median;
    assess(results);
    const auto text = explain(ceilings, point);
    SCOPED_TRACE(text);
    EXPECT_EQ(text.find(": ."), std::string::npos);
    EXPECT_EQ(text.find("  "), std::string::npos);
    const auto d = diagnose(ceilings, point);
    ASSERT_TRUE(d);
    const bool contradicts_model = text.find("which is impossible") != std::string::npos;
    if (contradicts_model) continue;
    ++seen[d->cause];
    // One value per name: the share of the resource that the assessment names, here and in the assessment.
    const auto& mix = *point.assessment.mix;
    EXPECT_NEAR(d->top.share, mix.efficiency, 1e-9);
    for (const auto& resource : resource_shares(ceilings, point)) EXPECT_LE(resource.share, d->top.share);
    const bool disturbed = d->cause == TimeCause::disturbed;
    EXPECT_EQ(disturbed, mix.efficiency > disturbed_from);
    EXPECT_EQ(text.rfind("Disturbed", 0) == 0, disturbed);
    if (!disturbed) {
      for (const int percent : percents_of(text)) EXPECT_LE(percent, 105);
    }
    // One cause, and only its advice.
    for (int other = 0; other <= static_cast<int>(TimeCause::latency); ++other) {
      const std::string helps = what_helps(static_cast<TimeCause>(other));
      if (!helps.empty() && helps != what_helps(d->cause)) {
        EXPECT_EQ(text.find(helps.substr(1)), std::string::npos) << helps;
      }
    }
    EXPECT_EQ(d->cause == TimeCause::done, d->top.share >= 0.895 && !disturbed && d->cause != TimeCause::overwritten);
    EXPECT_LE(d->spared > 0, d->cause == TimeCause::overwritten);
    const bool open = mix.range && !mix.resolved() && mix.range->low < 0.8;
    EXPECT_EQ(text.rfind("Done", 0) == 0 || text.rfind("Nearly done", 0) == 0, d->cause == TimeCause::done && !open);
    EXPECT_EQ(d->cause == TimeCause::core, what_bounds(point.assessment) == "core") << "one rule for all reports";
    if (mix.bound.kind == Resource::Kind::divider && d->cause != TimeCause::core) {
      EXPECT_EQ(what_bounds(point.assessment), "div") << "no roof knows it";
    }
    if (text.rfind("Done", 0) == 0 || d->cause == TimeCause::compulsory || d->cause == TimeCause::bytes) {
      EXPECT_EQ(text.find("times the speed"), std::string::npos);
    }
    if (d->gain > 0) {
      EXPECT_GE(d->gain, 1);
    }
    if (d->second && d->gain > 0) {
      EXPECT_DOUBLE_EQ(d->gain, 1 / d->second->share);
    }
  }
  for (const auto cause :
       {TimeCause::done, TimeCause::arithmetic, TimeCause::divider, TimeCause::bytes, TimeCause::compulsory,
        TimeCause::overwritten, TimeCause::core, TimeCause::waiting, TimeCause::latency})
    EXPECT_GT(seen[cause], 0) << static_cast<int>(cause);
}

TEST(Explain, AGridThatDoesNotFillTheGpuIsNamed) {
  const auto with = [](double share) {
    return sentence({0, 0, 1, 0}, streaming, 0.2, [&](KernelPoint& p) { p.counts.details["sms_with_work"] = share; });
  };
  EXPECT_NE(with(0.38).find(" At most 38 % of the GPU's SMs had work at a time: the grid is small"), std::string::npos);
  EXPECT_EQ(with(0.95).find("SMs"), std::string::npos);
  const auto bound = sentence({0, 0, 1, 0}, streaming, 1, [](KernelPoint& p) {
    p.bound_by = Resource(MemoryLevel::DRAM);
    p.counts.details["sms_with_work"] = 0.2;
  });
  EXPECT_NE(bound.find("At most 20 % of the GPU's SMs"), std::string::npos) << bound;
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
  const auto bound = with_front_end(100e9 / 8.5);
  EXPECT_EQ(
      bound.rfind("Bound by fetching and decoding instructions at 85 % of the roof of its mix: fewer instructions help",
                  0),
      0u)
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
  EXPECT_NE(spread(0.09).find("The share of the roof of its mix is known to lie in 85..100 %."), std::string::npos)
      << "a round above the roof counts as all of it: " << spread(0.09);
  EXPECT_EQ(spread(0.01).find("is known to"), std::string::npos);
}

TEST(Explain, ABoundSaysThatItIsOne) {
  const auto text = sentence({0, 0, 1, 0}, streaming, 1, [](KernelPoint& p) { p.bound_by = MemoryLevel::DRAM; });
  EXPECT_EQ(text.rfind("At least ", 0), 0u) << text;
}

}  // namespace
}  // namespace roofline::explain_test
