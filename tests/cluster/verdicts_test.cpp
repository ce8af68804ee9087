#include "reporters/cluster/verdicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "tests/cluster/made_up_nodes.hpp"
#include "tests/command_line.hpp"

namespace roofline::verdicts_test {
namespace {

using namespace cluster;
using testing::Json;

/// A fleet in a folder; its files are n01/run.json and, of a node measured again, n01-2/run.json ...
class Cluster : public ::testing::Test {
 protected:
  void add(const Json& run) {
    const auto host = run["context"]["host_name"].get<std::string>();
    const int number = ++runs_[host];
    auto dated = run;
    dated["roofline"]["date"] = fmt::format("2026-11-2{}T10:00:00Z", number);
    files_.push_back(folder_ / fmt::format("{}-{}", host, number));
    write_file(files_.back(), dated.dump());
  }
  Json noisy(const testing::Node& node) { return testing::noisy_node(node, random_); }
  void add_sound(int from, int to) {
    for (int i = from; i <= to; ++i) add(noisy({fmt::format("n{:02}", i)}));
  }
  ClusterReport report(const cluster::Options& options = {}) const { return judge(read_fleet(files_), options); }
  static const NodeVerdict& node(const ClusterReport& report, std::string_view name) {
    return *std::find_if(report.nodes.begin(), report.nodes.end(), [&](const auto& n) { return n.node == name; });
  }

  const testing::Scratch folder_;
  std::mt19937 random_{7};
  std::map<std::string, int> runs_;
  std::vector<std::string> files_;
};

TEST_F(Cluster, ASlowNodeIsASuspectUntilItWasMeasuredTwiceMore) {
  add_sound(1, 30);
  const testing::Node slow{"slow1", 0.08, 0};
  for (const auto expected : {Verdict::suspect, Verdict::suspect, Verdict::slow}) {
    add(noisy(slow));
    const auto all = report();
    const auto& found = node(all, "slow1");
    EXPECT_EQ(found.verdict, expected);
    EXPECT_EQ(found.where, std::vector{Part::memory});
    EXPECT_NEAR(found.loss.value(), 0.08, 0.015);
    EXPECT_LE(found.loss_low.value(), found.loss.value());
    EXPECT_GE(found.loss_high.value(), found.loss.value());
    EXPECT_EQ(found.rows, 6);
    EXPECT_EQ(all.count(Verdict::ok), 30u);
    EXPECT_EQ(all.exclude(false).size(), expected == Verdict::slow ? 1u : 0u);
    EXPECT_EQ(all.exclude(true), std::vector<std::string>{"slow1"});
  }
}

TEST_F(Cluster, OneBadRunIsNoSlowNode) {
  add_sound(1, 30);
  add(noisy({"n99", 0.1, 0.1}));
  EXPECT_EQ(node(report(), "n99").verdict, Verdict::suspect);
  add(noisy({"n99"}));
  EXPECT_EQ(node(report(), "n99").verdict, Verdict::ok);
}

TEST_F(Cluster, ASuspectWhoseRowsWereNotMeasuredAgainStaysOne) {
  add_sound(1, 30);
  const testing::Node slow{"n99", 0.1, 0};
  add(noisy(slow));
  auto again = noisy({"n99"});
  // The second run has nothing about memory, which is the slow part.
  auto& block = again["roofline"];
  block["ceilings"].erase(0), block["ceilings"].erase(0), block["ceilings"].erase(0);
  block["points"].erase(0), block["points"].erase(0), block["points"].erase(0);
  add(again);
  EXPECT_EQ(node(report(), "n99").verdict, Verdict::suspect);
}

TEST_F(Cluster, OtherVerdictsHaveTheirReasons) {
  add_sound(1, 30);
  auto failed = noisy({"failed"});
  failed["roofline"]["failures"] = Json::array({Json::array({"a", "x[7]: got 1, expected 2"})});
  auto disturbed = noisy({"disturbed", 0.2, 0.2});
  disturbed["roofline"]["noise"] = {{"steal", 0.2}, {"throttled", 0}};
  auto half = noisy({"half"});
  half["roofline"]["machine"]["memory_bytes"] = 32e9;
  auto capped = noisy({"capped", 0, 0.09});
  capped["roofline"]["machine"]["clock_hz"] = 2.7e9;
  auto pages = noisy({"pages"});
  pages["roofline"]["machine"]["huge_pages"] = "never";
  for (const auto& run : {failed, disturbed, half, capped, pages, noisy({"fast", -0.08, -0.08})}) add(run);
  const auto all = report();
  const auto says = [&](const std::string& name, Verdict verdict, const std::string& why) {
    const auto& found = node(all, name);
    EXPECT_EQ(found.verdict, verdict) << name;
    const auto also = fmt::format("{}", fmt::join(found.also, "; "));
    EXPECT_NE(also.find(why), std::string::npos) << also;
  };
  says("failed", Verdict::failed, "a: x[7]: got 1, expected 2");
  says("disturbed", Verdict::disturbed, "hypervisor");
  says("half", Verdict::alone, "half the memory?");
  says("capped", Verdict::suspect, "clock 10 % lower");
  says("fast", Verdict::fast, "");
  EXPECT_EQ(node(all, "pages").verdict, Verdict::ok);
  EXPECT_EQ(all.groups.front().about.differences, std::vector<std::string>{"huge pages never (else always): pages"});
  EXPECT_EQ(all.exclude(false), std::vector<std::string>{"failed"});
  EXPECT_EQ(all.suspects(), (std::vector<std::string>{"capped", "disturbed"}));
}

TEST_F(Cluster, WrongResultsAreToldInASmallGroup) {
  auto failed = noisy({"wrong"});
  failed["roofline"]["failures"] = Json::array({Json::array({"a", "x[7]: got 1, expected 2"})});
  add(failed), add(noisy({"n1"}));
  EXPECT_NE(cluster_text(report(), false).find("wrong FAILED (a: x[7]: got 1, expected 2)"), std::string::npos);
}

TEST_F(Cluster, ALimitIsAPolicyThatExcludesNothing) {
  add_sound(1, 30);
  add(noisy({"n99", 0.024, 0}));
  EXPECT_EQ(node(report(), "n99").verdict, Verdict::ok);
  cluster::Options options;
  options.limit = 0.02;
  const auto all = report(options);
  EXPECT_EQ(node(all, "n99").verdict, Verdict::below);
  EXPECT_TRUE(all.exclude(true).empty());
}

TEST_F(Cluster, CapacityIsThatOfSoundNodes) {
  for (int i = 1; i <= 9; ++i)
    add(testing::node_json(fmt::format("n{}", i), [&](bool) { return i == 1 ? 0.99 : 1.0; }));
  add(testing::node_json("slow", [](bool) { return 0.5; }));
  const auto all = report();
  ASSERT_EQ(all.groups.size(), 1u);
  const auto& capacity = all.groups[0].capacity;
  const auto read = std::find_if(capacity.begin(), capacity.end(),
                                 [](const auto& c) { return c.row == "ceiling/bandwidth/DRAM/read"; });
  ASSERT_NE(read, capacity.end());
  EXPECT_EQ(read->nodes, 9u);
  EXPECT_NEAR(read->sum, 8.99e11, 1e3);
  EXPECT_NEAR(read->slowest, 0.99e11, 1e3);
}

TEST_F(Cluster, RanksWithWindowsOfTheirOwnAreJudgedAndNeverAddedUp) {
  for (int i = 1; i <= 12; ++i)
    for (int rank = 0; rank < 2; ++rank) {
      auto run = noisy({fmt::format("n{:02}", i), i == 3 && rank == 1 ? 0.1 : 0, 0});
      run["context"]["local_ranks"] = "2", run["context"]["local_rank"] = std::to_string(rank);
      run["context"]["window"] = "own";
      add(run);
    }
  const auto all = report();
  EXPECT_EQ(all.nodes.size(), 24u);
  EXPECT_EQ(node(all, "n03.1").verdict, Verdict::suspect);
  EXPECT_EQ(all.suspects(), std::vector<std::string>{"n03"});
  EXPECT_TRUE(all.groups[0].capacity.empty());
  EXPECT_NE(cluster_text(all, false).find("did not measure at the same time"), std::string::npos);
}

TEST_F(Cluster, RanksInCommonWindowsAreAddedUpUnlessOneWasNot) {
  const auto add_rank = [&](int rank, const char* window) {
    auto run = testing::node_json("n1", [](bool) { return 1.0; });
    run["context"]["local_ranks"] = "4", run["context"]["local_rank"] = std::to_string(rank);
    run["context"]["window"] = window;
    add(run);
  };
  for (int rank = 0; rank < 3; ++rank) add_rank(rank, "common");
  const auto capacity = report().groups[0].capacity;
  ASSERT_FALSE(capacity.empty());
  EXPECT_NEAR(capacity[0].sum, 3e11, 1) << capacity[0].row;
  add_rank(3, "own");
  EXPECT_TRUE(report().groups[0].capacity.empty());
}

TEST_F(Cluster, TheOrderOfFilesAndCopiesOfThemChangeNothing) {
  add_sound(1, 20);
  for (int i = 0; i < 3; ++i) add(noisy({"n50", 0.09, 0}));
  const auto expected = cluster_json(report(), false);
  std::shuffle(files_.begin(), files_.end(), random_);
  EXPECT_EQ(cluster_json(report(), false), expected);
  write_file(folder_ / "z-copy", testing::contents(folder_ / "n50-1"));
  files_.push_back(folder_ / "z-copy");
  const auto with_copy = report();
  EXPECT_EQ(node(with_copy, "n50").runs, 3);
  EXPECT_EQ(with_copy.copies, std::vector<std::string>{folder_ / "z-copy"});
}

TEST_F(Cluster, RunsOfBeforeAChangeOfTheNodeDoNotCount) {
  add_sound(1, 20);
  for (const double memory : {32e9, 64e9}) {
    auto run = noisy({"n60", memory < 64e9 ? 0.2 : 0, 0});
    run["roofline"]["machine"]["memory_bytes"] = memory;
    add(run);
  }
  const auto all = report();
  EXPECT_EQ(node(all, "n60").runs, 1) << "with half of the memory it was another machine";
  EXPECT_EQ(node(all, "n60").verdict, Verdict::ok);
  EXPECT_EQ(all.groups.size(), 1u);
}

TEST_F(Cluster, TheLastRunIsTheLatestWhateverItsFileIsCalled) {
  add_sound(1, 20);
  for (const auto& [file, memory, date] :
       {std::tuple("a-new", 64e9, "2026-11-28T10:00:00Z"), std::tuple("z-old", 32e9, "2026-11-20T10:00:00Z")}) {
    auto run = noisy({"n60"});
    run["roofline"]["machine"]["memory_bytes"] = memory, run["roofline"]["date"] = date;
    files_.push_back(folder_ / file);
    write_file(files_.back(), run.dump());
  }
  EXPECT_EQ(report().groups.size(), 1u) << "it has 64 GB now";
}

TEST_F(Cluster, NoNodeIsSoundWhereHalfTheSpeedWouldNotBeTold) {
  for (const auto* const host : {"n1", "n2"}) add(noisy({host}));
  for (const auto* const host : {"bad1", "bad2"}) add(noisy({host, 0, 0.5}));
  const auto all = report();
  EXPECT_EQ(all.count(Verdict::alone), 4u);
  EXPECT_TRUE(all.groups[0].unjudged);
  EXPECT_TRUE(all.groups[0].capacity.empty());
  const auto text = cluster_text(all, false);
  EXPECT_NE(text.find("bad[1-2],n[1-2] without a verdict (equal nodes differ so much in core"), text.npos) << text;
}

TEST_F(Cluster, ANodeWithRowsOfItsOwnIsNotSound) {
  add_sound(1, 12);
  auto other = noisy({"other"}), few = noisy({"few"});
  for (auto* const list : {&other["roofline"]["ceilings"], &other["roofline"]["points"]})
    for (auto& row : *list) row["name"] = row["name"].get<std::string>() + "/threads:1";
  few["roofline"]["points"] = Json::array({few["roofline"]["points"][0]});
  few["roofline"]["ceilings"] = Json::array();
  add(other), add(few);
  const auto all = report();
  EXPECT_EQ(node(all, "other").also.front(), "no other nodes have its rows");
  EXPECT_EQ(node(all, "few").also.front(), "it has 1 of the 14 rows of the others");
  EXPECT_EQ(node(all, "n01").also, std::vector<std::string>{}) << "what others alone have is not missing here";
}

TEST_F(Cluster, AShortAndAFullNameAreOneNode) {
  add_sound(1, 20);
  for (const auto* const name : {"bad.cluster.org", "bad", "bad.cluster.org."}) {
    auto run = noisy({name, 0.2, 0});
    run["roofline"]["date"] = fmt::format("2026-11-2{}T11:00:00Z", files_.size() % 10);
    files_.push_back(folder_ / fmt::format("run-{}", files_.size()));
    write_file(files_.back(), run.dump());
  }
  const auto all = report();
  EXPECT_EQ(all.exclude(false), std::vector<std::string>{"bad"});
  EXPECT_EQ(node(all, "bad").also.back(), "also called bad.cluster.org");
}

TEST_F(Cluster, ShortNamesOfTwoDomainsAreTwoNodes) {
  add_sound(1, 20);
  for (const auto* const name : {"a.x.org", "a.y.org", "a", "10.0.0.1", "10"}) add(noisy({name}));
  EXPECT_EQ(report().nodes.size(), 25u);
}

TEST_F(Cluster, OutputsAreWhatTheirReadersTake) {
  add_sound(1, 20);
  auto odd = noisy({"odd"});
  odd["roofline"]["failures"] = Json::array({Json::array({"a<b>&\"c\"", "\x1b[2J, d"})});
  add(odd);
  add(noisy({"n50", 0.09, 0}));
  files_.push_back(folder_ / "missing.json");
  const auto all = report();
  const auto json = parse_json(cluster_json(all, true), "");
  EXPECT_EQ(json["exclude"], "n50,odd");
  EXPECT_EQ(json["suspects"], "n50");
  EXPECT_EQ(json["nodes"]["n50"]["resource"], "memory");
  EXPECT_EQ(json["nodes"]["n50"]["loss_interval"].size(), 2u);
  EXPECT_EQ(json["unread"].size(), 1u);
  const auto csv = cluster_csv(all);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 24);
  for (const auto& text : {cluster_text(all, true), csv}) EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST_F(Cluster, ThousandsOfNodesAreFortyLines) {
  for (int i = 0; i < 300; ++i) add(noisy({fmt::format("n{:03}", i), i < 60 ? 0.1 : 0, 0}));
  const auto text = cluster_text(report(), false);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40) << text;
  EXPECT_NE(text.find("(40 more: --all"), std::string::npos) << text;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    const auto line = text.substr(at, end - at);
    EXPECT_TRUE(line.size() <= 100 || line.starts_with("again:")) << line;
  }
}

}  // namespace
}  // namespace roofline::verdicts_test
