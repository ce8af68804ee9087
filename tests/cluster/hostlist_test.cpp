#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "reporters/cluster/fleet.hpp"
#include "tests/command_line.hpp"

namespace roofline::hostlist_test {
namespace {

using cluster::files_named, cluster::folded, cluster::node_list;
using Names = std::vector<std::string>;

/// The names of a list, as Slurm reads it.
Names unfolded(const std::string& list) {
  Names names;
  for (const auto& [at, groups] : matches(R"(([^],[]*)\[([^]]*)\]|([^],[]+))", list)) {
    if (!groups[3].empty()) names.push_back(groups[3]);
    for (const auto& range : split(groups[2], ',')) {
      const auto first = range.substr(0, range.find('-')), last = range.substr(range.find('-') + 1);
      for (auto n = std::stoul(first); n <= std::stoul(last); ++n)
        names.push_back(groups[1] + fmt::format("{:0{}}", n, first.front() == '0' ? first.size() : 1));
    }
  }
  return names;
}

TEST(Hostlist, FoldsRangesAndKeepsZeros) {
  EXPECT_EQ(folded({"n0017", "n0004", "x1", "n0005", "n0004"}), "n[0004-0005,0017],x1");
  EXPECT_EQ(folded({"n9", "n10", "n11"}), "n[9-11]");
  EXPECT_EQ(folded({"n08", "n09", "n10", "n100"}), "n[08-10],n100");
  EXPECT_EQ(folded({"login", "gpu-a1.cluster", "7"}), "7,gpu-a1.cluster,login");
  EXPECT_EQ(folded({"x20001"}), "x20001");
  EXPECT_EQ(folded({}), "");
}

TEST(Hostlist, FoldsNoNameAway) {
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

TEST(Hostlist, HasTheFormsOfSchedulers) {
  const Names names{"n2", "n1", "n2"};
  EXPECT_EQ(node_list(names, "slurm"), "n[1-2]\n");
  EXPECT_EQ(node_list(names, "flux"), "n[1-2]\n");
  EXPECT_EQ(node_list(names, "pbs"), "n1 n2\n");
  EXPECT_EQ(node_list(names, "lines"), "n1\nn2\n");
  EXPECT_EQ(node_list({}, "slurm"), "");
  EXPECT_THROW(node_list(names, "lsf"), std::invalid_argument);
}

TEST(FilesNamed, AFolderWithoutARunIsNamed) {
  const testing::Scratch folder;
  for (const auto* const file :
       {"runs/n1/run.json", "runs/n2/run.json", "runs/n2/pictures/a", "runs/n3/log", "old/x"}) {
    require_writable(folder / file);
    write_file(folder / file, "");
  }
  const auto named = [&](const std::vector<std::string>& arguments) {
    auto files = files_named(arguments);
    for (auto& file : files) file.erase(0, folder.path().string().size() + 1);
    return files;
  };
  const std::vector<std::string> runs{"runs/n1/run.json", "runs/n2/run.json", "runs/n3/run.json"};
  EXPECT_EQ(named({folder / "runs"}), runs);
  EXPECT_EQ(named({folder / "runs/n1", folder / "runs/n2", folder / "runs/n3"}), runs);
  EXPECT_TRUE(named({folder / "old"}).empty());
}

}  // namespace
}  // namespace roofline::hostlist_test
