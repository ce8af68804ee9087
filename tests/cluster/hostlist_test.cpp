#include "reporters/cluster/hostlist.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace roofline::hostlist_test {
namespace {

using cluster::folded, cluster::unfolded, cluster::node_list;
using Names = std::vector<std::string>;

TEST(Hostlist, FoldsRangesAndKeepsZeros) {
  EXPECT_EQ(folded({"n0017", "n0004", "x1", "n0005", "n0004"}), "n[0004-0005,0017],x1");
  EXPECT_EQ(folded({"n9", "n10", "n11"}), "n[9-11]");
  EXPECT_EQ(folded({"n08", "n09", "n10", "n100"}), "n[08-10],n100");
  EXPECT_EQ(folded({"login", "gpu-a1.cluster", "7"}), "7,gpu-a1.cluster,login");
  EXPECT_EQ(folded({"x20001"}), "x20001");
  EXPECT_EQ(folded({}), "");
}

TEST(Hostlist, UnfoldsWhatSlurmWrites) {
  EXPECT_EQ(unfolded("n[0004-0005,0017],x1"), (Names{"n0004", "n0005", "n0017", "x1"}));
  EXPECT_EQ(unfolded("n[9-11]"), (Names{"n9", "n10", "n11"}));
  EXPECT_EQ(unfolded(""), Names{});
}

TEST(Hostlist, FoldingIsTheInverseOfUnfolding) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int trial = 0; trial < 500; ++trial) {
    std::set<std::string> names;
    for (unsigned i = below(60); i > 0; --i) {
      constexpr const char* heads[] = {"n", "x", "rack1-n", "", "a0b", "n0", "gpu.12-"};
      auto name = std::string(heads[below(7)]);
      if (const auto digits = below(12); digits > 0 || name.empty())
        for (unsigned d = 0; d <= digits; ++d) name += static_cast<char>('0' + below(d == 0 ? 2 : 10));
      names.insert(name);
    }
    const auto list = folded({names.begin(), names.end()});
    const auto back = unfolded(list);
    EXPECT_EQ(std::set<std::string>(back.begin(), back.end()), names) << list;
    EXPECT_EQ(back.size(), names.size()) << list;
  }
}

TEST(Hostlist, RefusesWhatIsNoList) {
  for (const auto* const text : {"n[1-", "n[]", "n[a]", "n[3-1]", "n[1-2]x", ",n1", "n[1-999999999]", "n[1,,2]"})
    EXPECT_THROW(unfolded(text), std::invalid_argument) << text;
}

TEST(Hostlist, HasTheFormsOfSchedulers) {
  const Names names{"n2", "n1", "n2"};
  EXPECT_EQ(node_list(names, "slurm"), "n[1-2]\n");
  EXPECT_EQ(node_list(names, "flux"), "n[1-2]\n");
  EXPECT_EQ(node_list(names, "pbs"), "n1 n2\n");
  EXPECT_EQ(node_list(names, "lines"), "n1\nn2\n");
  EXPECT_EQ(node_list({}, "slurm"), "");
  EXPECT_THROW(node_list(names, "lsf"), std::invalid_argument);
}

}  // namespace
}  // namespace roofline::hostlist_test
