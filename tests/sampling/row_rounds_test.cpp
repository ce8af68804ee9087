#include "bench/sampling/row_rounds.hpp"

#include <gtest/gtest.h>

namespace roofline::row_rounds_test {
namespace {

/// A round whose samples are noted in the order in which they were taken.
struct Noted {
  std::string order;
  std::vector<double> seconds;  ///< of the roofs' samples
  RowRound round;
};

Noted noted(std::vector<std::string> roofs, double kernel_seconds, bool guessed = false) {
  Noted noted;
  RoundParts parts{.roofs = std::move(roofs), .guessed = guessed, .seconds = kernel_seconds};
  parts.kernel = [&] {
    noted.order += "k ";
    return Sample{0, 0, kernel_seconds};
  };
  parts.roof = [&](const std::string& roof, double seconds) {
    noted.order += roof + " ";
    noted.seconds.push_back(seconds);
    return static_cast<double>(noted.seconds.size());
  };
  noted.round = sample_between_roofs(parts);
  return noted;
}

TEST(RowRounds, HaveTwoSamplesOfTheKernelBetweenThreeOfEachRoof) {
  EXPECT_EQ(noted({"A"}, 4e-3).order, "A k A k A ");
  EXPECT_EQ(noted({"A", "B"}, 4e-3).order, "A B k A B k A B ");
  EXPECT_EQ(noted({"A"}, 4e-3).round.probes.at("A"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(noted({}, 4e-3).order, "k k ");
}

TEST(RowRounds, SampleGuessedRoofsInTurns) {
  EXPECT_EQ(noted({"A", "B", "C"}, 4e-3, true).order, "A k B k C ");
  EXPECT_EQ(noted({"A", "B", "C"}, 13e-3).order, "A B C k A B C k A B C ");
}

TEST(RowRounds, HaveRoofsAsLongAsTheKernelWithinBounds) {
  EXPECT_EQ(noted({"A"}, 4e-3).seconds.front(), 4e-3);
  EXPECT_EQ(noted({"A"}, 1e-6).seconds.front(), 2e-3);
  EXPECT_EQ(noted({"A"}, 1.0).seconds.front(), 5e-3);
}

TEST(RowRounds, GiveAPointTheMedianOfTheRoundsBest) {
  RowRounds rounds;
  for (const double best : {3.0, 1.0, 2.0}) {
    RowRound round;
    round.samples = {{7, 0, best + 4}, {7, 0, best}, {7, 0, best + 2}};
    round.probes["A"] = {best, 10 * best, 2 * best};
    if (best < 3) round.probes["B"] = {5};  // chosen later
    rounds.add(round);
  }
  KernelPoint point;
  rounds.put_into(point);
  EXPECT_EQ(point.time.median, 2);
  EXPECT_EQ(point.time.low, 1);
  EXPECT_EQ(point.time.high, 3);
  EXPECT_EQ(point.rounds(), 3);
  ASSERT_EQ(point.probes.size(), 2u);
  EXPECT_EQ(point.probes[0].rates, (std::vector<double>{30, 10, 20}));
  EXPECT_EQ(point.probes[0].samples.at(1), (std::vector<double>{1, 10, 2}));
  EXPECT_EQ(point.probes[1].rates, (std::vector<double>{0, 5, 5}));
}

TEST(RowRounds, SetAsideThoseInWhichTheCoresLayElsewhere) {
  const auto round_at = [](double distance, double seconds) {
    RowRound round;
    round.samples = {{0, 0, seconds}};
    round.probes["A"] = {1 / seconds};
    round.core_distance = distance;
    return round;
  };
  RowRounds rounds;
  for (const auto& [distance, seconds] :
       {std::pair{28e-9, 2.0}, {170e-9, 5.0}, {29e-9, 3.0}, {0.0, 4.0}, {900e-9, 7.0}, {160e-9, 6.0}})
    rounds.add(round_at(distance, seconds));
  KernelPoint usual, unknown, elsewhere;
  rounds.put_into(usual, 28e-9);
  EXPECT_EQ(usual.time.median, 3) << "a round of an unknown distance counts";
  EXPECT_EQ(usual.rounds(), 3);
  EXPECT_EQ(usual.probes[0].rates, (std::vector<double>{0.5, 1 / 3.0, 0.25}));
  ASSERT_EQ(usual.elsewhere.size(), 2u) << "each distance by itself";
  EXPECT_EQ(usual.elsewhere[0].core_distance, 170e-9);
  ASSERT_EQ(usual.elsewhere[0].samples.size(), 2u);
  EXPECT_EQ(usual.elsewhere[0].samples[1].seconds, 6);
  EXPECT_EQ(usual.elsewhere[0].samples[1].round, 1);
  EXPECT_EQ(usual.elsewhere[0].probes.at(0).rates, (std::vector<double>{1 / 5.0, 1 / 6.0}));
  EXPECT_EQ(usual.elsewhere[1].samples.at(0).round, 0);
  rounds.put_into(unknown);
  EXPECT_EQ(unknown.rounds(), 6);
  RowRounds far;
  far.add(round_at(170e-9, 5));
  far.put_into(elsewhere, 28e-9);
  EXPECT_EQ(elsewhere.rounds(), 1) << "a row has what there is";
}

}  // namespace
}  // namespace roofline::row_rounds_test
