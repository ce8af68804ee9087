#include "bench/library/rows_in_rounds.hpp"

#include <gtest/gtest.h>

namespace roofline::rows_in_rounds_test {
namespace {

constexpr int most = RowsInRounds::most_rounds;

TEST(RowsInRounds, ShortIterationsHaveAllRoundsAndLongOnesOne) {
  // 0.5 s of iterations of a microsecond: a sixth of it takes some 0.12 s with the search for their number.
  EXPECT_EQ(rounds_of_row(0.5, 1e-6, 0.13, 0.01, most), most);
  EXPECT_EQ(rounds_of_row(0.5, 1.0, 1.0, 0.01, most), 1);
  EXPECT_EQ(rounds_of_row(0.5, 20.0, 20.0, 0.01, most), 1);
  // A second of setting up, entered once for iterations of 0.6 s, and in each round again.
  EXPECT_EQ(rounds_of_row(0.5, 0.6, 1.6, 0, most), 1);
}

TEST(RowsInRounds, NoRowTakesAFifthMoreThanWithoutRounds) {
  for (double iteration = 1e-7; iteration < 3; iteration *= 1.7) {
    // Without rounds: as often as Google Benchmark asks for 0.5 s, 1.4 times as much as that where it had to guess.
    const double least = std::max(0.5, iteration);
    const double first = std::max(0.5 / most, iteration);
    const int rounds = rounds_of_row(0.5, iteration, first, 0, most);
    EXPECT_GE(rounds, 1);
    if (rounds > 1) {
      EXPECT_LE(rounds * first, 1.2 * 4 * least) << iteration;
    }
  }
}

}  // namespace
}  // namespace roofline::rows_in_rounds_test
