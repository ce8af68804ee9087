#include "bench/suite/tunings.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "bench/run/verify.hpp"

namespace roofline::forms_test {
namespace {

/// A row whose tunings take known seconds, and how often each was timed.
struct Timed {
  std::map<std::string, int> looks;
  Variant variant;

  explicit Timed(std::vector<std::pair<std::string, double>> tunings) {
    variant.name = "axpy/tuned";
    for (const auto& [name, seconds] : tunings) {
      const auto make = [this, name = name, seconds = seconds] {
        Workload work;
        work.launch = [] {};
        work.check = [] { return Check(); };
        work.trace = [](Sampler&) {};
        work.time = [this, name, seconds](int) { return ++looks[name], seconds; };
        return work;
      };
      variant.tunings.push_back({name, make});
    }
  }
  double seconds_of(const Workload& work) { return work.time(1); }
};

TEST(TuningChoice, TheFastestIsChosenAndTheTrialsAreKept) {
  Timed row({{"plain", 3e-3}, {"streaming", 2e-3}, {"blocked", 2.2e-3}});
  Choice choice;
  const auto work = work_of_tuning(row.variant, choice, 0.05);
  EXPECT_EQ(choice.tuning, "streaming");
  EXPECT_EQ(row.seconds_of(work), 2e-3);
  ASSERT_EQ(choice.trials.size(), 3u);
  EXPECT_EQ(choice.trials[0].tuning, "plain");
  EXPECT_EQ(choice.trials[0].seconds, 3e-3);
}

TEST(TuningChoice, ThoseFarBehindGetTwoLooksAndTheOthersMany) {
  Timed row({{"plain", 1e-3}, {"close", 1.1e-3}, {"far", 2e-3}});
  Choice choice;
  work_of_tuning(row.variant, choice, 0.1);
  EXPECT_EQ(row.looks["far"], 2);
  EXPECT_GT(row.looks["plain"], 20);
  EXPECT_EQ(row.looks["plain"], row.looks["close"]);
}

TEST(TuningChoice, TwoLooksAtEachAreTheLeast) {
  Timed row({{"plain", 2}, {"streaming", 1}});
  Choice choice;
  work_of_tuning(row.variant, choice, 0);
  EXPECT_EQ(choice.tuning, "streaming");
  EXPECT_EQ(row.looks["plain"], 2);
}

TEST(TuningChoice, OneDisturbedLookDoesNotDecide) {
  Timed row({{"plain", 2e-3}, {"streaming", 1e-3}});
  auto& make = row.variant.tunings[1].make;
  make = [&row, right = make] {
    auto work = right();
    work.time = [&row, time = work.time](int batch) {
      const double seconds = time(batch);
      return row.looks["streaming"] == 1 ? 10 * seconds : seconds;
    };
    return work;
  };
  Choice choice;
  work_of_tuning(row.variant, choice, 0.05);
  EXPECT_EQ(choice.tuning, "streaming");
}

TEST(TuningChoice, AChoiceThatIsKnownIsNotTriedAgainAndOneThatIsNoneOfThemIs) {
  Timed row({{"plain", 2e-3}, {"streaming", 1e-3}});
  Choice choice{"plain", {}};
  EXPECT_EQ(row.seconds_of(work_of_tuning(row.variant, choice, 0.05)), 2e-3);
  EXPECT_EQ(row.looks["streaming"], 0);
  EXPECT_TRUE(choice.trials.empty());
  choice.tuning = "24 rows";  // of a machine with another cache
  work_of_tuning(row.variant, choice, 0.05);
  EXPECT_EQ(choice.tuning, "streaming");
}

TEST(TuningChoice, WithoutTimesItIsThatOfAnEarlierRunOrTheFirst) {
  const Timed row({{"plain", 2e-3}, {"streaming", 1e-3}});
  EXPECT_EQ(tuning_to_model(row.variant, {})->name, "plain");
  EXPECT_EQ(tuning_to_model(row.variant, {{"axpy/tuned", "streaming"}})->name, "streaming");
  EXPECT_EQ(tuning_to_model(row.variant, {{"axpy/tuned", "24 rows"}})->name, "plain");
  EXPECT_EQ(tuning_to_model(Variant(), {}), nullptr);
}

TEST(TuningChoice, ShareOneProblemThatGoesWithTheLast) {
  int made = 0;
  const auto problem = made_once([&made] { return ++made, std::make_shared<int>(7); });
  auto one = problem();
  auto two = problem();
  EXPECT_EQ(one, two);
  EXPECT_EQ(made, 1);
  one.reset(), two.reset();
  EXPECT_EQ(*problem(), 7);
  EXPECT_EQ(made, 2);
}

TEST(TuningChoice, AreVerifiedAllAndTheWrongOneIsNamed) {
  Timed row({{"plain", 1e-3}, {"streaming", 1e-3}});
  auto& wrong = row.variant.tunings[1].make;
  wrong = [right = wrong] {
    auto work = right();
    work.check = [] { return Check{false, "element 8: got 1"}; };
    return work;
  };
  Plan plan;
  plan.kernels = {&row.variant};
  const auto result = verify(plan, {});
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].second, "streaming: element 8: got 1");
}

}  // namespace
}  // namespace roofline::forms_test
