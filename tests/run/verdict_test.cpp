#include "bench/run/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/example_results.hpp"

namespace roofline {
namespace {

using Trust = RunVerdict::Trust;

RunVerdict verdict(const std::function<void(Results&)>& change) {
  auto results = example::results(false);
  results.points.back().time = results.points.front().time;  // the one wide interval
  change(results);
  conclude(results);
  return results.verdict;
}

TEST(Verdict, ARunThatNothingSpeaksAgainstIsQuiet) {
  const auto quiet = verdict([](Results& r) { r.points.pop_back(); });
  EXPECT_EQ(quiet.trust, Trust::quiet) << (quiet.facts.empty() ? "" : quiet.facts[0]);
  EXPECT_TRUE(quiet.facts.empty());
  EXPECT_TRUE(quiet.quotable());
}

TEST(Verdict, AnInterruptionADriftOrAPointAboveItsRoofIsDisturbed) {
  EXPECT_EQ(verdict([](Results& r) { r.complete = false; }).trust, Trust::disturbed);
  EXPECT_EQ(verdict([](Results& r) { r.drifts = {{"ceiling/x", 0.08}}; }).trust, Trust::disturbed);
  const auto above = verdict([](Results& r) {
    auto& time = r.points[1].time;
    time.median /= 3, time.low /= 3, time.high /= 3;
  });
  EXPECT_EQ(above.trust, Trust::disturbed);
  EXPECT_FALSE(above.quotable());
  EXPECT_NE(above.facts.at(0).find("above their roof"), std::string::npos);
}

TEST(Verdict, AClockThatMovedIsSaidOnce) {
  auto results = example::results(false);
  const auto said = [&] {
    return std::count_if(results.warnings.begin(), results.warnings.end(),
                         [](const auto& line) { return line.find("3.50 to 4.00 GHz") != std::string::npos; });
  };
  results.points[0].core_clock = 3.9e9, results.points[1].core_clock = 4e9;
  conclude(results);
  EXPECT_EQ(said(), 0);
  results.points[2].core_clock = 3.5e9;
  conclude(results), conclude(results);
  EXPECT_EQ(said(), 1);
}

TEST(Verdict, CoresThatWereMovedAreSaid) {
  auto results = example::results(false);
  const auto said = [&] {
    return std::count_if(results.warnings.begin(), results.warnings.end(),
                         [](const auto& line) { return line.find("moved the cores") != std::string::npos; });
  };
  results.core_distances = CoreDistances{30e-9, 150e-9, 0.005};
  conclude(results);
  EXPECT_EQ(said(), 0);
  results.core_distances->share_away = 0.25;
  conclude(results), conclude(results);
  EXPECT_EQ(said(), 1);
}

TEST(Verdict, AdviceIsForWhoCanFollowIt) {
  const auto advice = [](bool guest, double contaminated) {
    return verdict([&](Results& r) {
             auto ceilings = r.roofline.ceilings();
             for (auto& ceiling : ceilings) ceiling.rate_low = 0.7 * ceiling.rate;
             r.roofline = Roofline(ceilings, r.roofline.threads());
             if (guest) r.core_distances = CoreDistances{30e-9, 30e-9, 0};
             for (auto& point : r.points) point.contaminated = contaminated, point.replaced = 0;
           })
        .advice;
  };
  EXPECT_EQ(advice(true, 0).rfind("Nothing was seen", 0), 0u);
  EXPECT_EQ(advice(true, 0.5).rfind("Stop what else runs", 0), 0u);
  EXPECT_EQ(advice(false, 0).rfind("Stop what else runs", 0), 0u);
}

TEST(Verdict, AdviceIsAboutWhoDisturbedMost) {
  const auto advice = [](double others, double hypervisor, bool guest = true) {
    return verdict([&](Results& r) {
             r.machine.virtual_machine = guest;
             r.watched = WatchedTime{10, others, hypervisor};
             for (auto& point : r.points) point.contaminated = 0.5;
           })
        .advice;
  };
  EXPECT_EQ(advice(3, 2).rfind("Stop what else runs", 0), 0u);
  EXPECT_EQ(advice(1, 4).rfind("The hypervisor of this machine took time from 40 % of what was sampled", 0), 0u);
  EXPECT_EQ(advice(0, 0.4).rfind("Stop what else runs", 0), 0u) << "hardly anything";
  EXPECT_EQ(advice(1, 4, false).rfind("Stop what else runs", 0), 0u) << "there is none";
}

TEST(Verdict, RowsOfAnotherPlacementThanTheCeilingsAreCare) {
  const auto moved = verdict([](Results& r) {
    r.points.pop_back();
    r.points[0].core_distance = 30e-9;
    auto ceilings = r.roofline.ceilings();
    for (auto& ceiling : ceilings) ceiling.core_distance = 150e-9;
    r.roofline = Roofline(ceilings, r.roofline.threads());
  });
  EXPECT_EQ(moved.trust, Trust::care);
  ASSERT_EQ(moved.facts.size(), 1u);
  EXPECT_NE(moved.facts[0].find("1 of"), std::string::npos) << moved.facts[0];
  EXPECT_NE(moved.facts[0].find("had the cores elsewhere"), std::string::npos) << moved.facts[0];
}

TEST(Verdict, TimesOfNoDeviceAreNotQuoted) {
  const auto virtual_clock = verdict([](Results& r) {
    r.points.pop_back();
    r.times_note = "times are those of a virtual clock";
  });
  EXPECT_FALSE(virtual_clock.quotable());
  EXPECT_EQ(virtual_clock.facts.at(0), "times are those of a virtual clock");
}

TEST(Verdict, AFewDisturbedRowsAreCareManyAreNot) {
  const auto disturb = [](std::size_t n) {
    return verdict([n](Results& r) {
      r.points.pop_back();
      for (std::size_t i = 0; i < n; ++i) r.points[i].contaminated = 0.5;
    });
  };
  EXPECT_EQ(disturb(1).trust, Trust::care);
  EXPECT_EQ(disturb(20).trust, Trust::disturbed);
  EXPECT_EQ(disturb(1).facts.size(), 1u);
}

TEST(Verdict, WhereMostSamplesHadToBeTakenAgainTheMachineIsNotQuiet) {
  const auto retake = [](std::size_t n) {
    return verdict([n](Results& r) {
      r.points.pop_back();
      for (std::size_t i = 0; i < n; ++i) r.points[i].replaced = r.points[i].samples + 1;
    });
  };
  EXPECT_EQ(retake(1).trust, Trust::quiet);
  EXPECT_EQ(retake(20).trust, Trust::care);
}

TEST(Verdict, ARoofWithAWideIntervalIsDisturbed) {
  EXPECT_EQ(verdict([](Results& r) {
              auto ceilings = r.roofline.ceilings();
              for (auto& c : ceilings)
                if (c.operation == Operation::fma && c.kind == Ceiling::Kind::compute)
                  c.samples = 9, c.rate_low = 0.7 * c.rate, c.rate_high = c.rate;
              r.roofline = Roofline(ceilings, r.roofline.threads());
            }).trust,
            Trust::disturbed);
}

TEST(Verdict, AModelledRunSaysThatNothingWasMeasured) {
  const auto modelled = verdict([](Results& r) { r.model = ModelledRun{"host", "", "", false, {}}; });
  EXPECT_EQ(modelled.trust, Trust::modelled);
  EXPECT_FALSE(modelled.quotable());
}

TEST(Verdict, AnInterruptionAloneIsNotBlamedOnTheMachine) {
  EXPECT_NE(verdict([](Results& r) { r.complete = false; }).advice.find("--resume"), std::string::npos);
  const auto modelled = verdict([](Results& r) {
    r.model = ModelledRun{"host", "", "", false, {}};
    r.complete = false;
  });
  EXPECT_NE(modelled.advice.find("bounds"), std::string::npos);
}

TEST(Verdict, HasThreeFactsAtMostTheGravestFirst) {
  const auto all = verdict([](Results& r) {
    r.complete = false, r.drifts = {{"a", 0.08}}, r.points[1].time.median /= 3;
    for (auto& p : r.points) p.contaminated = 1, p.dram_pace = Pace{2, 2};
  });
  EXPECT_EQ(all.facts.size(), 3u);
  EXPECT_NE(all.facts[0].find("interrupted"), std::string::npos);
  EXPECT_FALSE(all.advice.empty());
}

}  // namespace
}  // namespace roofline
