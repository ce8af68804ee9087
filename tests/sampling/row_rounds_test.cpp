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

Noted noted(std::vector<std::string> roofs, double kernel_seconds) {
  Noted noted;
  RoundParts parts{.roofs = std::move(roofs), .seconds = kernel_seconds};
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

TEST(RowRounds, HaveThreeSamplesOfTheKernelBetweenFourOfEachRoof) {
  EXPECT_EQ(noted({"A"}, 4e-3).order, "A k A k A k A ");
  EXPECT_EQ(noted({"A", "B"}, 4e-3).order, "A B k A B k A B k A B ");
  EXPECT_EQ(noted({"A"}, 4e-3).round.probes.at("A"), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(noted({}, 4e-3).order, "k k k ");
}

TEST(RowRounds, SampleMoreRoofsInTurns) {
  EXPECT_EQ(noted({"A", "B", "C"}, 4e-3).order, "A k B k C k A ");
}

TEST(RowRounds, HaveRoofsAsLongAsTheKernelWithinBounds) {
  EXPECT_EQ(noted({"A"}, 4e-3).seconds.front(), 4e-3);
  EXPECT_EQ(noted({"A"}, 1e-6).seconds.front(), 2e-3);
  EXPECT_EQ(noted({"A"}, 1.0).seconds.front(), 8e-3);
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

}  // namespace
}  // namespace roofline::row_rounds_test
