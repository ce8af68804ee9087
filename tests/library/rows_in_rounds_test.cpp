#include "bench/library/rows_in_rounds.hpp"

#include <gtest/gtest.h>

namespace roofline::rows_in_rounds_test {
namespace {

constexpr double whole = 0.5, part = whole / 36;  // seconds that Google Benchmark gives a row and a sample

TEST(RowsInRounds, ShortIterationsHaveTwelveRoundsOfThreeSamples) {
  const auto wanted = rounds_of_row(whole, part, 1e-6, 0.015, 0.003);
  EXPECT_EQ(wanted.samples, 3);
  EXPECT_GE(wanted.rounds, 6);
}

TEST(RowsInRounds, LongIterationsHaveOneSampleARoundOrTheFirstPassAlone) {
  const auto some = rounds_of_row(whole, part, 0.05, 0.05, 0.003);
  EXPECT_EQ(some.samples, 1);
  EXPECT_GE(some.rounds, 6);
  EXPECT_EQ(rounds_of_row(whole, part, 1.0, 1.0, 0.003).rounds, 0);
  EXPECT_EQ(rounds_of_row(whole, part, 20.0, 20.0, 0.003).rounds, 0);
  // A second of setting up, entered once for iterations of 0.6 s, and with each sample again.
  EXPECT_EQ(rounds_of_row(whole, part, 0.6, 1.6, 0).rounds, 0);
}

TEST(RowsInRounds, NoRowTakesAFifthMoreThanWithoutRounds) {
  for (double iteration = 1e-7; iteration < 3; iteration *= 1.7) {
    // Without rounds: as often as Google Benchmark asks for 0.5 s, up to four times as much where it had to guess.
    const double least = std::max(whole, iteration);
    const double first = std::max(part, iteration);
    const auto wanted = rounds_of_row(whole, part, iteration, first, 0);
    EXPECT_LE(first + wanted.rounds * wanted.samples * first, std::max(1.2 * 4 * least, least + 0.3)) << iteration;
  }
}

}  // namespace
}  // namespace roofline::rows_in_rounds_test
