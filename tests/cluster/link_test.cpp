#include "tools/mpi/link.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace roofline::link_test {
namespace {

using namespace mpi;

/// One that obeys the model, with noise.
Link made_up(int a, int b, double latency, double bandwidth, std::mt19937& random, double noise = 0.005) {
  std::normal_distribution<double> normal(0, noise);
  Link link{a, b, {}, {}};
  for (double bytes = 1; bytes <= 1 << 24; bytes *= 4) {
    const double seconds = (latency + bytes / bandwidth) * std::exp(normal(random));
    link.bytes.push_back(bytes), link.seconds.push_back({seconds, seconds, seconds});
  }
  return link;
}

/// All pairs of n ranks; `factor` scales the bandwidth of a pair.
template <class Factor>
std::vector<Link> network(int n, unsigned seed, Factor factor) {
  std::mt19937 random(seed);
  std::vector<Link> links;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b) links.push_back(made_up(a, b, 1e-5, 1e9 * factor(a, b), random));
  return links;
}

TEST(Link, FitFindsLatencyAndBandwidth) {
  std::mt19937 random(1);
  const auto line = fit(made_up(0, 1, 2e-5, 5e8, random, 0));
  EXPECT_NEAR(line.latency, 2e-5, 2e-7);
  EXPECT_NEAR(line.bandwidth, 5e8, 1);
  EXPECT_NEAR(line.half_bytes, 1e4, 100);
  EXPECT_NEAR(line.misfit, 1, 0.01);
}

TEST(Link, WhatALimiterLetsThroughAtOnceIsNoBandwidth) {
  std::mt19937 random(1);
  auto link = made_up(0, 1, 2e-5, 5e7, random, 0);
  for (std::size_t i = 0; i < link.bytes.size(); ++i) {
    const double burst = std::min(link.bytes[i], 5e4);  // passes at ten times the rate
    link.seconds[i].median += burst / 5e8 - burst / 5e7;
  }
  const auto line = fit(link);
  EXPECT_NEAR(line.bandwidth / 5e7, 1, 1e-3);
  EXPECT_LT(line.misfit, 0.5);
  EXPECT_EQ(line.misfit_bytes, 16384);
}

TEST(Link, RoundsMeetEveryPairOnceAndNobodyTwice) {
  for (const int n : {2, 3, 4, 7, 8, 64}) {
    std::set<std::pair<int, int>> met;
    const auto rounds = disjoint_rounds(n);
    EXPECT_EQ(rounds.size(), static_cast<std::size_t>(n - 1 + n % 2));
    for (const auto& round : rounds) {
      std::set<int> busy;
      for (const auto& pair : round) {
        EXPECT_TRUE(met.insert(pair).second);
        EXPECT_TRUE(busy.insert(pair.first).second && busy.insert(pair.second).second);
      }
    }
    EXPECT_EQ(met.size(), static_cast<std::size_t>(n * (n - 1) / 2));
  }
  EXPECT_TRUE(disjoint_rounds(1).empty());
  const auto seeded = disjoint_rounds(1000, 8);
  EXPECT_EQ(seeded.size(), 8u);
  for (const auto& round : seeded) EXPECT_EQ(round.size(), 500u);
}

TEST(Link, ASlowNodeIsToldFromASlowCable) {
  for (const int n : {4, 8, 20})
    for (unsigned seed = 0; seed < 10; ++seed) {
      const auto sound = [](int, int) { return 1.0; };
      EXPECT_TRUE(judge_links(network(n, seed, sound)).empty()) << n << " " << seed;
      const auto slow_rank = [](int a, int b) { return a == 1 || b == 1 ? 0.25 : 1.0; };
      auto links = network(n, seed, slow_rank);
      auto found = judge_links(links, {network(n, seed + 100, slow_rank), network(n, seed + 200, slow_rank)});
      ASSERT_EQ(found.size(), 1u) << n << " " << seed;
      EXPECT_EQ(found[0].a, 1);
      EXPECT_EQ(found[0].b, -1);
      EXPECT_FALSE(found[0].latency);
      EXPECT_TRUE(found[0].confirmed);
      EXPECT_NEAR(found[0].loss, 0.75, 0.02);
      // In two more measurements it was as fast as others.
      found = judge_links(links, {network(n, seed + 100, sound), network(n, seed + 200, sound)});
      ASSERT_EQ(found.size(), 1u);
      EXPECT_FALSE(found[0].confirmed);
      // One link alone.
      const auto slow_cable = [](int a, int b) { return a == 1 && b == 3 ? 0.25 : 1.0; };
      links = network(n, seed, slow_cable);
      found = judge_links(links, {network(n, seed + 100, slow_cable), network(n, seed + 200, slow_cable)});
      ASSERT_EQ(found.size(), 1u) << n << " " << seed;
      EXPECT_EQ(found[0].a, 1);
      EXPECT_EQ(found[0].b, 3);
      EXPECT_TRUE(found[0].confirmed);
    }
}

TEST(Link, FewRanksOrFewSizesAreNotJudged) {
  const auto slow = [](int, int b) { return b == 1 ? 0.25 : 1.0; };
  EXPECT_TRUE(judge_links(network(2, 1, slow)).empty());
  EXPECT_TRUE(judge_links({}).empty());
}

}  // namespace
}  // namespace roofline::link_test
