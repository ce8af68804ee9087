#include "bench/storage/kept_shares.hpp"

#include <gtest/gtest.h>

#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"

namespace roofline::kept_shares_test {
namespace {

class KeptShares : public ::testing::Test {
 protected:
  /// A run in which all rows but one take `factor` times as long as in the example, and that one `other` times. Its
  /// roofs need `roof` times as long.
  std::optional<Drift> drift_after(double factor, double other, double roof = 1, double load = 0) {
    return drift_after(example::results(false), factor, other, roof, load);
  }
  std::optional<Drift> drift_after(const Results& run, double factor, double other, double roof = 1, double load = 0) {
    return run_of(run, factor, other, roof, load).drift;
  }
  Results run_of(Results run, double factor, double other, double roof = 1, double load = 0) {
    run.noise = HostNoise{0, 0, load};
    for (auto& point : run.points) {
      const double longer = point.name == odd ? other : factor;
      point.assessment.roof = Judgement{{}, 0.5 * roof / longer, {}, {}};
      point.time.median *= longer;
    }
    keep_shares(run);
    return run;
  }
  const std::string odd = "stream/triad/n:33554432";
  const testing::CacheFolder folder;
};

TEST_F(KeptShares, TellHowFarRunsOfOneProgramLieApart) {
  EXPECT_FALSE(drift_after(1, 1)) << "one run shows no drift";
  const auto drift = drift_after(1.04, 1.3).value();
  EXPECT_EQ(drift.runs, 2);
  EXPECT_NEAR(drift.host, 0.04, 1e-9);
  EXPECT_NEAR(drift.of(odd), 0.3, 1e-9);
  EXPECT_NEAR(drift.of("another"), 0.04, 1e-9);
  for (int i = 0; i < 6; ++i) drift_after(1, 1);
  EXPECT_NEAR(drift_after(1, 1)->host, 0, 1e-9) << "the oldest runs are dropped";
}

TEST_F(KeptShares, ShowNoDriftWhereTheMachineChangesAndTheRowFollowsOrDoesNot) {
  drift_after(1, 1);
  const auto drift = drift_after(1.2, 1, 1.6).value();
  EXPECT_NEAR(drift.host, 0, 1e-9) << "these follow in part: they take longer, and their share is larger";
  EXPECT_NEAR(drift.of(odd), 0, 1e-9) << "this one keeps its time, and its share is larger";
}

TEST_F(KeptShares, AreNotThoseOfARunNextToOtherPrograms) {
  drift_after(1, 1);
  EXPECT_NEAR(drift_after(3, 3, 1, 0.3)->host, 2, 1e-9) << "its own drift holds what the load did to it";
  EXPECT_NEAR(drift_after(1.04, 1.04, 1, 0.04)->host, 0.04, 1e-9);
}

TEST_F(KeptShares, TellRunsApartWhoseCoresDidNotLieAlike) {
  const auto run_at = [&](double distance, double factor) {
    auto run = example::results(false);
    run.core_distance = distance;
    return run_of(run, factor, factor);
  };
  run_at(28e-9, 1);
  EXPECT_FALSE(run_at(30e-9, 1.02).drift_apart);
  const auto moved = run_at(170e-9, 1.2);
  EXPECT_NEAR(moved.drift->host, 0.02, 1e-9) << "of the two that lay alike";
  EXPECT_NEAR(moved.drift_apart->of(odd), 0.2, 1e-9);
  EXPECT_NEAR(run_at(29e-9, 1.01).drift_apart->host, 0.2, 1e-9) << "kept like the others";
}

TEST_F(KeptShares, AreOfThisProgramAloneOnceItHasEnough) {
  auto another = example::results(false);
  another.gpu.emplace().name = "another device";
  drift_after(another, 1, 1);
  EXPECT_NEAR(drift_after(another, 2, 2)->host, 1, 1e-9);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(drift_after(1, 1)->host, 1, 1e-9) << "too few of its own";
  EXPECT_NEAR(drift_after(1.02, 1)->host, 0.02, 1e-9);
}

TEST_F(KeptShares, SurviveAFileThatIsDamaged) {
  drift_after(1, 1);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) write_file(entry.path(), "{\"runs\": [{\"shares\": 7}]}");
  EXPECT_FALSE(drift_after(1.1, 1));
  EXPECT_NEAR(drift_after(1, 1)->host, 0.1, 1e-9);
}

}  // namespace
}  // namespace roofline::kept_shares_test
