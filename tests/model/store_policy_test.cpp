#include "bench/model/store_policy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/example_results.hpp"

namespace roofline::store_policy_test {
namespace {

using enum StorePolicy::Outcome;

constexpr auto DRAM = MemoryLevel::DRAM;

/// Rates in GB/s as they are measured: 16 B per element of write and update, 8 B of write_nt. 0: not measured.
struct Rates {
  double write = 0, update = 0, write_nt = 0;
};

std::vector<Ceiling> ceilings(const Rates& rates, double half_width = 0.01) {
  std::vector<Ceiling> all{example::memory(DRAM, "read", 300)};
  for (const auto& [mix, rate] :
       {std::pair{"write", rates.write}, {"update", rates.update}, {"write_nt", rates.write_nt}}) {
    if (rate == 0) continue;
    all.push_back(example::memory(DRAM, mix, rate));
    all.back().rate_low = rate * 1e9 * (1 - half_width), all.back().rate_high = rate * 1e9 * (1 + half_width);
  }
  return all;
}

StorePolicy policy(const Rates& rates, double half_width = 0.01) {
  return store_policy(ceilings(rates, half_width), 2);
}

TEST(StorePolicy, EvadesWhatWriteIsFasterThanTheFasterOfUpdateAndStreamingStores) {
  struct Row {
    Rates rates;
    StorePolicy::Outcome outcome;
    double evaded;
  };
  for (const auto& [rates, outcome, evaded] :
       {Row{{69.5, 68.8, 43.3}, allocates, 0},  // of results/epyc-zen5-2cores
        Row{{33.6, 43.7, 14.1}, allocates, 0},  // xeon-cascadelake-2cores: slow streaming stores say nothing
        Row{{800, 400, 400}, evades, 1},        // write is twice update: all lines
        Row{{900, 400, 400}, evades, 1},        // not more than all
        Row{{400, 300, 0}, evades, 0.5},        // four thirds: half of them
        Row{{400, 250, 300}, evades, 0.5},      // against the faster of both
        Row{{400, 250, 390}, allocates, 0}}) {  // an update that is slow for another reason
    const auto stores = policy(rates);
    EXPECT_EQ(stores.outcome, outcome) << rates.write;
    EXPECT_DOUBLE_EQ(stores.evaded, evaded) << rates.write;
    EXPECT_EQ(stores.write, rates.write * 1e9);
    EXPECT_EQ(stores.update, rates.update * 1e9);
    EXPECT_EQ(stores.write_nt.value_or(0), rates.write_nt * 1e9);
    EXPECT_EQ(stores.threads, 2);
    EXPECT_EQ(stores.why, "");
  }
}

TEST(StorePolicy, IsOnlyCalledWhereTheIntervalsAgree) {
  EXPECT_EQ(policy({400, 300, 300}, 0.05).outcome, evades);
  const auto noisy = policy({400, 300, 300}, 0.08);
  EXPECT_EQ(noisy.outcome, unknown);
  EXPECT_EQ(noisy.evaded, 0);
  EXPECT_EQ(noisy.why, "the intervals of its ceilings are too wide to tell");
  EXPECT_EQ(policy({330, 300, 300}, 0.05).outcome, unknown) << "nor that it allocates";
  EXPECT_EQ(policy({340, 300, 300}, 0.001).outcome, allocates) << "13 % are within the margin";
  EXPECT_EQ(policy({350, 300, 300}, 0.001).outcome, evades);
}

TEST(StorePolicy, IsUnknownWithoutBothCeilings) {
  EXPECT_EQ(policy({0, 300, 300}).why, "the ceiling of DRAM write was not measured");
  EXPECT_EQ(policy({600, 0, 300}).why, "the ceiling of DRAM update was not measured");
  EXPECT_EQ(policy({600, 0, 300}).outcome, unknown);
  EXPECT_EQ(store_policy(ceilings({600, 300, 300}), 1).outcome, unknown) << "of another number of threads";
  auto described = ceilings({600, 300, 300});
  for (auto& ceiling : described) ceiling.samples = 0;
  EXPECT_EQ(store_policy(described, 2).outcome, unknown);
}

TEST(StorePolicy, SustainedCeilingsAndOtherLevelsSayNothing) {
  auto all = ceilings({300, 300, 300});
  auto other = ceilings({600, 300, 300});
  other[1].sustained = true;
  all.insert(all.begin(), other[1]);
  other[1].sustained = false, other[1].level = MemoryLevel::L3;
  all.insert(all.begin(), other[1]);
  EXPECT_EQ(store_policy(all, 2).outcome, allocates);
}

// ---- Ceilings in the bytes that were moved

StorePolicy evading(double evaded) {
  StorePolicy stores;
  stores.outcome = evades, stores.evaded = evaded, stores.threads = 2;
  return stores;
}

TEST(StorePolicy, RestatesThePlainMixesOfDramThatDoNotReadWhatTheyWrite) {
  std::vector<Ceiling> all;
  for (const auto* const mix : {"read", "write", "copy", "triad", "update", "write_nt", "stride:8"})
    all.push_back(example::memory(DRAM, mix, 96));
  all.push_back(example::memory(MemoryLevel::L3, "write", 96)), all.push_back(example::memory(DRAM, "write", 96, 1));
  const auto half = restated(all, evading(0.5));
  const std::vector<double> expected{96, 96 * 12 / 16.0, 96 * 20 / 24.0, 96 * 28 / 32.0, 96, 96, 96, 96, 96};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_DOUBLE_EQ(half[i].rate, expected[i] * 1e9) << all[i].name;
    EXPECT_DOUBLE_EQ(half[i].rate_low / half[i].rate, all[i].rate_low / all[i].rate);
    EXPECT_DOUBLE_EQ(half[i].rate_high / half[i].rate, all[i].rate_high / all[i].rate);
    // Elements per second stay what they are.
    EXPECT_DOUBLE_EQ(half[i].rate / half[i].bytes_per_explicit_byte, all[i].rate / all[i].bytes_per_explicit_byte);
  }
  const auto twice = restated(half, evading(0.5));
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_DOUBLE_EQ(twice[i].rate, half[i].rate) << all[i].name;
}

Counts triad(double elements) {
  Counts counts;
  counts.at(MemoryLevel::L2) = counts.at(DRAM) = Traffic{24 * elements, 8 * elements};
  counts.overwritten = 8 * elements;
  return counts;
}

TEST(StorePolicy, LeavesTheEvadedShareOfOverwrittenLinesOutOfDram) {
  const auto half = restated(triad(1000), evading(0.5));
  EXPECT_EQ(half.at(DRAM), (Traffic{20000, 8000}));
  EXPECT_EQ(half.evaded, 4000);
  EXPECT_EQ(half.overwritten, 8000) << "what there was to evade";
  EXPECT_EQ(half.at(MemoryLevel::L2), (Traffic{24000, 8000}));
  EXPECT_EQ(restated(half, evading(0.5)).at(DRAM), half.at(DRAM)) << "once";
  EXPECT_EQ(restated(triad(1000), evading(1)).at(DRAM), (Traffic{16000, 8000}));
}

TEST(StorePolicy, LeavesCountsAloneWhereStoresAllocateOrNobodyKnows) {
  EXPECT_EQ(restated(triad(1000), evading(0)).at(DRAM), triad(1000).at(DRAM));
  auto counted = triad(1000);
  counted.overwritten.reset();
  EXPECT_EQ(restated(counted, evading(1)).at(DRAM), counted.at(DRAM));
  counted.at(DRAM).reset(), counted.overwritten = 8000;
  EXPECT_FALSE(restated(counted, evading(1)).at(DRAM));
}

TEST(StorePolicy, WhatIsLeftOutGivesTheBytesBackBitForBit) {
  for (int thirds = 1000001; thirds < 1000100; thirds += 3)
    for (const double evaded : {0.1, 1.0 / 3, 0.777, 1.0}) {
      const double elements = thirds / 3.0;
      const auto counts = restated(triad(elements), evading(evaded));
      EXPECT_LT(counts.at(DRAM)->read, 24 * elements);
      EXPECT_EQ(counts.evaded, std::floor(counts.evaded));
      EXPECT_EQ(counts.at(DRAM)->read + counts.evaded, triad(elements).at(DRAM)->read) << elements << " " << evaded;
    }
}

TEST(StorePolicy, NeverReadsLessThanNothing) {
  auto counts = triad(10);  // a window whose last lines were read before it began
  counts.at(DRAM)->read = 64;
  EXPECT_EQ(restated(counts, evading(1)).at(DRAM)->read, 0);
}

}  // namespace
}  // namespace roofline::store_policy_test
