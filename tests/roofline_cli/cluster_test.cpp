#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/text/output.hpp"
#include "tests/cluster/made_up_nodes.hpp"
#include "tests/command_line.hpp"

namespace roofline::cluster_test {
namespace {

using testing::Outcome;

class ClusterCommand : public ::testing::Test {
 protected:
  Outcome cluster(const std::string& arguments) { return testing::roofline("cluster " + arguments, folder_); }
  void add(const testing::Node& node, int run = 1) {
    auto json = testing::noisy_node(node, random_);
    json["roofline"]["date"] = fmt::format("2026-11-2{}", run);
    const auto file = folder_ / fmt::format("runs/{}-{}/run.json", node.host, run);
    require_writable(file);
    write_file(file, json.dump());
  }
  void add_sound(int nodes) {
    for (int i = 1; i <= nodes; ++i) add({fmt::format("n{:04}", i)});
  }

  const testing::Scratch folder_;
  std::mt19937 random_{3};
};

TEST_F(ClusterCommand, ExitCodesTellWhatToDoNext) {
  add_sound(2);
  EXPECT_EQ(cluster("runs").code, 3) << "two nodes tell nothing";
  for (int i = 3; i <= 20; ++i) add({fmt::format("n{:04}", i)});
  EXPECT_EQ(cluster("runs --exclude=slow.txt").code, 0);
  EXPECT_EQ(testing::contents(folder_ / "slow.txt"), "");
  add({"n0021", 0.09, 0});
  const auto once = cluster("runs --suspects=again.txt --exclude=slow.txt");
  EXPECT_EQ(once.code, 3);
  EXPECT_EQ(testing::contents(folder_ / "again.txt"), "n0021\n");
  EXPECT_NE(once.out.find("srun --nodelist=n0021 --ntasks-per-node=1 roofline_bench --out=again-$i; done   (2 runs"),
            std::string::npos)
      << once.out;
  add({"n0021", 0.09, 0}, 2), add({"n0021", 0.09, 0}, 3);
  EXPECT_EQ(cluster("runs --exclude=slow.txt").code, 1);
  EXPECT_EQ(testing::contents(folder_ / "slow.txt"), "n0021\n");
}

TEST_F(ClusterCommand, OneBadFileDoesNotStopTheOthers) {
  add_sound(10);
  write_file(folder_ / "cut.json", "{\"context\": ");
  const auto outcome = cluster("runs cut.json none.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("10 nodes, 12 files; 2 not read"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("cut.json: line 1:13: not JSON, or cut short"), std::string::npos) << outcome.out;
  EXPECT_EQ(cluster("runs cut.json --strict").code, 4);
  EXPECT_EQ(cluster("cut.json").code, 4);
}

TEST_F(ClusterCommand, NamesComeFromFoldersGlobsAndStandardInput) {
  add_sound(10);
  const auto folder = cluster("runs").out;
  EXPECT_EQ(cluster("runs/*/run.json").out, folder);
  EXPECT_EQ(testing::shell("ls runs/*/run.json | '" ROOFLINE_CLI "' cluster -", folder_).out, folder);
  std::filesystem::create_directory(folder_ / "none");
  testing::expect_one_line(cluster("none"), 5, "");
}

TEST_F(ClusterCommand, WrongUsageIsOneLineAndCode2) {
  add_sound(3);
  for (const auto* const flag :
       {"--floor=3", "--floor=x", "--floor=0%", "--limit=-1%", "--form=lsf", "--alpha=2", "--what"}) {
    SCOPED_TRACE(flag);
    testing::expect_one_line(cluster(std::string("runs ") + flag), 2, "");
  }
  EXPECT_EQ(cluster("").code, 2);
  EXPECT_EQ(cluster("runs --json=/proc/none/x.json").code, 4);
}

TEST_F(ClusterCommand, AKeyOfTheContextTellsGroupsApart) {
  for (int i = 0; i < 8; ++i) {
    auto json = testing::noisy_node({fmt::format("n{}", i)}, random_);
    json["context"]["partition"] = i < 4 ? "a" : "b";
    write_file(folder_ / fmt::format("{}.json", i), json.dump());
  }
  EXPECT_NE(cluster("*.json").out.find("8 nodes, 14 rows"), std::string::npos);
  const auto split = cluster("*.json --group-by=partition").out;
  EXPECT_NE(split.find("a, 4 nodes"), std::string::npos) << split;
  EXPECT_NE(split.find("b, 4 nodes"), std::string::npos) << split;
}

}  // namespace
}  // namespace roofline::cluster_test
