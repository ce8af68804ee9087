#include "microkernels/cuda/memory/l2_sides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace roofline::l2_sides_test {
namespace {

constexpr int sms = 66, chunks = 512;

/// A chip: where SMs and chunks are, and what a load of one from the other takes.
struct FakeChip {
  std::mt19937 random{7};
  std::vector<int> sm_side, chunk_side;
  std::vector<float> latency;

  /// `distance(sm, chunk, same_side)` on top of 260 cycles, what each SM and each chunk has of its own, and noise.
  template <class Distance>
  FakeChip(Distance distance, double noise, double outliers = 0) {
    std::uniform_real_distribution<> any(0, 1);
    std::normal_distribution<> normal(0, 1);
    for (int sm = 0; sm < sms; ++sm) sm_side.push_back(any(random) < 0.55);
    for (int chunk = 0; chunk < chunks; ++chunk) chunk_side.push_back(any(random) < 0.5);
    std::vector<double> of_chunk;
    for (int chunk = 0; chunk < chunks; ++chunk) of_chunk.push_back(20 * normal(random));
    for (int sm = 0; sm < sms; ++sm) {
      const double of_sm = 15 * normal(random);
      for (int chunk = 0; chunk < chunks; ++chunk) {
        const bool same = sm_side[static_cast<std::size_t>(sm)] == chunk_side[static_cast<std::size_t>(chunk)];
        double cycles = 260 + of_sm + of_chunk[static_cast<std::size_t>(chunk)] + distance(sm, chunk, same) +
                        noise * normal(random);
        if (any(random) < outliers) cycles += 4000;
        latency.push_back(static_cast<float>(cycles));
      }
    }
  }
  std::optional<L2Halves> find(std::string& why) const { return find_l2_halves(latency, sms, chunks, why); }
};

/// The same division, whichever side is called 0.
void expect_same_sides(const L2Halves& found, const FakeChip& chip) {
  const bool swapped = found.side_of_sm[0] != chip.sm_side[0];
  for (int sm = 0; sm < sms; ++sm)
    EXPECT_EQ(found.side_of_sm[static_cast<std::size_t>(sm)] != chip.sm_side[static_cast<std::size_t>(sm)], swapped);
  for (int chunk = 0; chunk < chunks; ++chunk)
    EXPECT_EQ(found.side_of_chunk[static_cast<std::size_t>(chunk)] != chip.chunk_side[static_cast<std::size_t>(chunk)],
              swapped)
        << chunk;
}

TEST(L2HalvesTest, TwoHalvesAreFoundUnderNoiseAndRareSlowLoads) {
  for (const auto& [noise, outliers] : {std::pair{0.0, 0.0}, {3.0, 0.0}, {30.0, 0.0}, {5.0, 0.01}}) {
    const FakeChip chip([](int, int, bool same) { return same ? 0 : 80; }, noise, outliers);
    std::string why;
    const auto found = chip.find(why);
    ASSERT_TRUE(found) << why;
    expect_same_sides(*found, chip);
    EXPECT_NEAR(found->far_cycles - found->near_cycles, 80, outliers > 0 ? 20 : 5) << noise;
    EXPECT_NEAR(found->near_cycles, 260, outliers > 0 ? 60 : 10) << noise;
  }
}

TEST(L2HalvesTest, OneCacheHasNone) {
  for (const double noise : {0.0, 1.0, 30.0}) {
    const FakeChip chip([](int, int, bool) { return 0; }, noise);
    std::string why;
    EXPECT_FALSE(chip.find(why)) << "noise " << noise;
    EXPECT_NE(why.find("alike"), why.npos);
  }
}

// From one end of a chip to the other, SMs next to slices: some are nearer, but there are no two kinds.
TEST(L2HalvesTest, DistancesThatChangeGraduallyAreNone) {
  const FakeChip chip(
      [](int sm, int chunk, bool) { return 80.0 * std::abs(sm / (sms - 1.0) - chunk * 7 % chunks / (chunks - 1.0)); },
      3);
  std::string why;
  EXPECT_FALSE(chip.find(why));
}

TEST(L2HalvesTest, AFewOddSmsAreNoHalf) {
  const FakeChip chip([](int sm, int chunk, bool) { return sm < 3 && chunk % 2 ? 80 : 0; }, 3);
  std::string why;
  EXPECT_FALSE(chip.find(why));
}

TEST(L2HalvesTest, AMatrixOfAnotherSizeIsRefused) {
  std::string why;
  EXPECT_THROW(find_l2_halves(std::vector<float>(100), 10, 11, why), std::invalid_argument);
  EXPECT_THROW(find_l2_halves(std::vector<float>(30), 3, 10, why), std::invalid_argument);
}

TEST(ChunkDealTest, EverySmGetsAsManyOfTheRightSideAndNoneTwice) {
  L2Halves halves;
  for (int sm = 0; sm < 10; ++sm) halves.side_of_sm.push_back(sm < 6 ? 0 : 1);
  for (int chunk = 0; chunk < 200; ++chunk) halves.side_of_chunk.push_back(chunk % 2);
  for (const bool far : {false, true}) {
    const auto deal = deal_chunks(halves, far, 4);
    EXPECT_EQ(deal.per_sm, 16) << "100 chunks for 6 SMs, in fours";
    ASSERT_EQ(deal.chunk.size(), 160u);
    EXPECT_EQ(std::set<int>(deal.chunk.begin(), deal.chunk.end()).size(), 160u);
    for (int i = 0; i < 160; ++i)
      EXPECT_EQ(halves.side_of_chunk[static_cast<std::size_t>(deal.chunk[static_cast<std::size_t>(i)])] ==
                    halves.side_of_sm[static_cast<std::size_t>(i / 16)],
                !far);
  }
  EXPECT_EQ(deal_chunks(halves, false, 32).per_sm, 0);
}

}  // namespace
}  // namespace roofline::l2_sides_test
