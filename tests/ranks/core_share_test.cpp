#include <gtest/gtest.h>

#include <set>

#include "bench/machine/topology.hpp"
#include "bench/ranks/siblings.hpp"

namespace roofline::core_share_test {
namespace {

using Cores = std::vector<std::vector<int>>;
const Cores eight{{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {7, 15}};

std::vector<int> cpus_of(const Cores& cores) {
  std::set<int> all;
  for (const auto& core : cores) all.insert(core.begin(), core.end());
  return {all.begin(), all.end()};
}

/// Ranks that may all use the same.
std::vector<Sibling> unbound(int ranks, const Cores& cores) {
  std::vector<Sibling> all;
  for (int i = 0; i < ranks; ++i) all.push_back({i, cpus_of(cores), ""});
  return all;
}

TEST(CoreShare, RanksWithoutABindingGetAsManyWholeCoresEach) {
  for (const int ranks : {2, 3, 4, 8}) {
    std::set<int> taken;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto share = core_share(eight, 0, unbound(ranks, eight), rank, ranks, true);
      EXPECT_EQ(share.cpus.size(), 2u * (8u / static_cast<unsigned>(ranks)));
      EXPECT_EQ(share.conflict, "");
      for (const int cpu : share.cpus) EXPECT_TRUE(taken.insert(cpu).second) << "CPU " << cpu << " twice";
    }
  }
  EXPECT_EQ(core_share(eight, 0, unbound(3, eight), 1, 3, true).note,
            "3 ranks of this node share 8 cores out: 2 cores each, CPUs 2-3,10-11 for this one");
}

TEST(CoreShare, MoreRanksThanCoresDisturbEachOther) {
  const Cores two{{0}, {1}};
  std::vector<int> of_core(2);
  for (int rank = 0; rank < 8; ++rank) {
    const auto share = core_share(two, 0, unbound(8, two), rank, 8, true);
    ASSERT_EQ(share.cpus.size(), 1u);
    ++of_core[static_cast<std::size_t>(share.cpus[0])];
    EXPECT_EQ(share.conflict, "8 ranks of this node run on 2 cores");
  }
  EXPECT_EQ(of_core, (std::vector<int>{4, 4}));
}

TEST(CoreShare, AQuotaIsSharedOutToo) {
  EXPECT_EQ(core_share(eight, 4.5, unbound(2, eight), 1, 2, true).cpus, (std::vector<int>{2, 10, 3, 11}));
}

TEST(CoreShare, ABindingOfItsOwnIsKept) {
  const Cores mine{{2}, {3}};
  const std::vector<Sibling> siblings{{0, {0, 1}, ""}, {1, {2, 3}, ""}};
  const auto share = core_share(mine, 0, siblings, 1, 2, false);
  EXPECT_TRUE(share.cpus.empty());
  EXPECT_EQ(share.conflict, "");
  EXPECT_EQ(share.note, "this rank keeps to CPUs 2-3, to which its launcher bound it");
}

TEST(CoreShare, RanksOfASocketShareThatSocket) {
  // Open MPI binds more than two ranks to sockets.
  const Cores first{{0}, {1}}, second{{2}, {3}};
  const std::vector<Sibling> siblings{{0, {0, 1}, ""}, {1, {2, 3}, ""}, {2, {0, 1}, ""}, {3, {2, 3}, ""}};
  EXPECT_EQ(core_share(first, 0, siblings, 2, 4, false).cpus, std::vector<int>{1});
  EXPECT_EQ(core_share(second, 0, siblings, 1, 4, false).cpus, std::vector<int>{2});
}

TEST(CoreShare, BindingsThatOverlapAreToldAsADisturbance) {
  const std::vector<Sibling> siblings{{0, {0, 1}, ""}, {1, {1, 2}, ""}};
  EXPECT_EQ(core_share({{1}, {2}}, 0, siblings, 1, 2, false).conflict, "CPUs 1-2 are bound to local ranks 1 and 0");
}

TEST(CoreShare, WithoutSiblingsTheMaskDecides) {
  const std::vector<Sibling> alone{{1, cpus_of(eight), ""}};
  EXPECT_EQ(core_share(eight, 0, alone, 1, 2, true).cpus.size(), 8u);
  const auto kept = core_share(eight, 0, alone, 1, 2, false);
  EXPECT_TRUE(kept.cpus.empty());
  EXPECT_EQ(kept.note.rfind("1 of 2 ranks of this node were found; ", 0), 0u) << kept.note;
}

TEST(CoreShare, CoresAreTogetherWithTheirThreads) {
  // Two packages of two cores with two threads, numbered package by package as hwloc does.
  const auto cores = cpus_by_core({0, 1, 2, 3, 4, 5, 6, 7}, "pack:2 core:2 pu:2");
  EXPECT_EQ(cores, (Cores{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(cpus_by_core({1, 2}, "pack:2 core:2 pu:2"), (Cores{{1}, {2}}));
}

}  // namespace
}  // namespace roofline::core_share_test
