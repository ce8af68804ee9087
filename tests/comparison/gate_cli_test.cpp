#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/run/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/comparison/made_up.hpp"

// The subcommands compare, ab and baseline as a user types them.

namespace roofline {
namespace {

using testing::Outcome;
using testing::Scratch;

using example::triad;

/// A few rows are enough here.
Side small_side(unsigned seed) {
  auto side = example::made_up_side(seed);
  std::erase_if(side.results.points, [](const auto& point) { return point.family != "stream"; });
  for (auto& point : side.results.points) point.sample_seconds.resize(6);
  return side;
}

std::string run_text(const Side& side) {
  nlohmann::ordered_json document;
  document["context"] = {
      {"fingerprint", side.fingerprint}, {"model_hash", side.model_hash}, {"compiler", "GNU 12.2.0"}};
  document["roofline"] = stored_run(side.results);
  return document.dump();
}

class GateCommand : public ::testing::Test {
 protected:
  Outcome roofline(const std::string& arguments) { return testing::shell("'" ROOFLINE_CLI "' " + arguments, folder); }
  void expect_one_line(const std::string& arguments, int code, const std::string& part) {
    const auto outcome = roofline(arguments);
    EXPECT_EQ(outcome.code, code) << arguments << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  void write(const std::string& name, const Side& side) {
    require_writable(folder / name);
    write_file(folder / name, run_text(side));
  }

  /// A program that takes no time and "measures" what lies ready: its n-th run gives DIR/n.json.
  void write_program(const std::string& name, unsigned seed, double factor) {
    for (int i = 1; i <= 12; ++i) {
      auto side = small_side(seed + static_cast<unsigned>(i));
      example::slow_down(side, triad, factor);
      write(name + ".runs/" + std::to_string(i) + ".json", side);
    }
    write_file(folder / name,
               "#!/bin/sh\nfor a; do case $a in --out=*) out=${a#--out=};; esac; done\n"
               "n=$(expr ${out##*/} + 0)\nmkdir -p $out\necho \"$0 $*\" >> '" +
                   (folder / (name + ".log")) + "'\ncp '" + (folder / (name + ".runs")) + "'/$n.json $out/run.json\n");
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }
  void write_script(const std::string& name, const std::string& text) {
    write_file(folder / name, text);
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }
  /// The same of a program that asks for turns of `rows`, and notes each that it gets in "order".
  void write_taking_turns(const std::string& name, const std::string& rows) {
    write_program(name, 500, 1);
    auto text = testing::contents(folder / name);
    std::string with_tabs;
    for (const char c : rows) with_tabs += c == ' ' ? "\\t" : std::string(1, c);
    const std::string turns = "printf 'rows\\t" + with_tabs + "\\n' >&3\nfor row in " + rows +
                              "; do\n  while :; do\n    printf 'turn\\t%s\\n' $row >&3\n" +
                              "    [ \"$(head -c1 <&3)\" = g ] || break\n    echo " + name + ":$row >> '" +
                              (folder / "order") + "'\n  done\ndone\n";
    write_script(name, text.insert(text.find("mkdir"), turns));
  }
  std::vector<std::string> order() {
    std::istringstream in(testing::contents(folder / "order"));
    return {std::istream_iterator<std::string>(in), {}};
  }

  Scratch folder;
};

TEST_F(GateCommand, CompareExitsWithItsVerdict) {
  auto base = small_side(1), next = small_side(2), more = small_side(3), broken = small_side(4);
  ++example::point_named(more, triad).counts.operations.add;
  broken.results.points.clear();
  write("base.json", base), write("new.json", next), write("more.json", more), write("empty.json", broken);
  EXPECT_EQ(roofline("compare base.json new.json").code, 0);
  const auto worse = roofline("compare base.json more.json --gate=exact --markdown=c.md --junit=j.xml --json=v.json");
  EXPECT_EQ(worse.code, 1);
  EXPECT_NE(worse.out.find("flops"), std::string::npos) << worse.out;
  for (const auto* const file : {"c.md", "j.xml", "v.json"}) EXPECT_NE(testing::contents(folder / file), "") << file;
  EXPECT_EQ(roofline("compare empty.json new.json").code, 5);
  EXPECT_EQ(roofline("compare base.json empty.json").code, 1);
}

TEST_F(GateCommand, ALinkToStandardOutputIsWrittenThroughAndStays) {
  auto base = small_side(1), more = small_side(2);
  ++example::point_named(more, triad).counts.operations.add;
  write("base.json", base), write("more.json", more);
  std::filesystem::create_symlink("/proc/self/fd/1", folder / "out");
  const auto outcome = roofline("compare base.json more.json --annotations=out");
  EXPECT_NE(outcome.out.find("\n::error title=roofline WORSE::"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("base base.json"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "out"));
}

TEST_F(GateCommand, WrongUsageAndUnreadableInputAreOneLine) {
  write("base.json", small_side(1));
  write_file(folder / "cut.json", testing::contents(folder / "base.json").substr(0, 900));
  std::string nested(5000, '[');
  write_file(folder / "nested.json", nested), write_file(folder / "foreign.json", "{\"benchmarks\": []}");
  write_file(folder / "nan.json", "{\"roofline\": {\"schema\": NaN}}");
  write_file(folder / "other.json", "{\"roofline\": {\"schema\": 7}}");
  expect_one_line("compare base.json", 2, "pairs");
  expect_one_line("compare base.json base.json --floor=nan", 2, "--floor");
  expect_one_line("compare base.json base.json --gate=some", 2, "--gate");
  expect_one_line("compare base.json base.json --junit=no/such/\x01/../../../../../proc/x", 4, "proc");
  for (const auto* const file : {"cut", "nested", "foreign", "nan", "other", "absent"})
    expect_one_line(std::string("compare base.json ") + file + ".json", 4, std::string(file) + ".json");
  expect_one_line("ab --base=./absent --new=./absent", 4, "no such program");
  expect_one_line("ab --base=\"'open\" --new=x", 2, "quote");
  expect_one_line("ab --base=true --new=true --pairs=1", 4, "wrote no run.json");
  expect_one_line("ab --base=true --new=true --budget=soon", 2, "--budget");
  expect_one_line("baseline check . base.json --stale-days=0", 2, "--stale-days");
}

TEST_F(GateCommand, AHistoryOfAnotherProgramIsRefusedBeforeAnythingRuns) {
  write_program("base", 100, 1);
  write_file(folder / "other.csv", "a,b\n1,2\n");
  expect_one_line("ab --base=./base --new=./base --pairs=1 --history=other.csv", 4, "not a history");
  EXPECT_FALSE(std::filesystem::exists(folder / "base.log"));
}

TEST_F(GateCommand, ASystemThatHasNoFolderForRunsIsNoRegression) {
  const auto outcome = testing::shell("TMPDIR=/absent '" ROOFLINE_CLI "' ab --base=true --new=true", folder);
  EXPECT_EQ(outcome.code, 4) << outcome.err;
}

TEST_F(GateCommand, AFileOfAHundredMegabytesIsRefusedBeforeItIsRead) {
  write("base.json", small_side(1));
  std::filesystem::resize_file(folder / "base.json", 100u << 20);
  expect_one_line("compare base.json base.json", 4, "base.json");
}

TEST_F(GateCommand, AbFindsASlowdownAndStopsWhenEverythingIsDecided) {
  write_program("base", 100, 1), write_program("next", 200, 1.08);
  const auto outcome =
      roofline("ab --base='./base --quick' --new='./next --quick' --filter=stream --json=v.json --keep=kept");
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  const auto verdict = nlohmann::json::parse(testing::contents(folder / "v.json"));
  EXPECT_LE(verdict["pairs"].get<int>(), 10);
  EXPECT_EQ(verdict["counts"]["WORSE"], 1);
  const auto log = testing::contents(folder / "base.log"), next = testing::contents(folder / "next.log");
  EXPECT_NE(log.find("--quick --benchmark_filter=stream"), std::string::npos) << log;
  EXPECT_EQ(log.substr(0, log.find('\n')).size(), next.substr(0, next.find('\n')).size());
}

TEST_F(GateCommand, AbOfOneBuildFindsNothingAndAControlRaisesTheBar) {
  write_program("base", 100, 1), write_program("next", 200, 1), write_program("slow", 300, 1.06),
      write_program("control", 400, 1.08);
  EXPECT_EQ(roofline("ab --base=./base --new=./next --pairs=8").code, 0);
  const auto slow = roofline("ab --base=./base --new=./slow --pairs=8");
  EXPECT_EQ(slow.code, 1) << slow.out << slow.err;
  // The control differs from the base more than the new build does: code placement, not code.
  const auto controlled = roofline("ab --base=./base --new=./slow --control=./control --pairs=8");
  EXPECT_EQ(controlled.code, 0) << controlled.out << controlled.err;
}

TEST_F(GateCommand, AbOnExactClassesNeedsOnePair) {
  write_program("base", 100, 1), write_program("next", 200, 1.5);
  const auto outcome = roofline("ab --base=./base --new=./next --gate=exact --json=v.json");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(testing::contents(folder / "v.json"))["pairs"], 1);
}

TEST_F(GateCommand, AbLetsBothSidesSampleInTurns) {
  write_taking_turns("one", "r"), write_taking_turns("two", "r");
  const auto outcome = roofline("ab --base=./one --new=./two --pairs=1");
  EXPECT_NE(outcome.out.find("side by side"), std::string::npos) << outcome.out << outcome.err;
  const auto turns = order();
  ASSERT_GE(turns.size(), 2 * 9u) << outcome.err;
  for (std::size_t i = 0; i < turns.size(); ++i) EXPECT_EQ(turns[i], i % 4 == 0 || i % 4 == 3 ? "one:r" : "two:r") << i;
}

TEST_F(GateCommand, AbSamplesARowOfOneSideAlone) {
  write_taking_turns("one", "r s"), write_taking_turns("two", "q r s");
  roofline("ab --base=./one --new=./two --pairs=1");
  const auto turns = order();
  const auto of = [&](const char* turn) { return std::count(turns.begin(), turns.end(), turn); };
  EXPECT_GE(of("two:q"), 9);
  for (const char* const row : {"r", "s"})
    EXPECT_EQ(of((std::string("one:") + row).c_str()), of((std::string("two:") + row).c_str())) << row;
  // Whoever is there first waits.
  const auto last_alone = std::find(turns.rbegin(), turns.rend(), "two:q").base();
  EXPECT_EQ(std::find(turns.begin(), last_alone, "one:r"), last_alone);
}

TEST_F(GateCommand, AbStopsASideWhileItWaits) {
  // What the other side runs in the background gets nowhere meanwhile: it is stopped with it.
  write_taking_turns("one", "r"), write_taking_turns("two", "r");
  auto text = testing::contents(folder / "two");
  write_script("two", text.insert(text.find("printf"),
                                  "(while :; do echo background >> '" + (folder / "order") + "'; done) &\n"));
  roofline("ab --base=./one --new=./two --pairs=1");
  const auto turns = order();
  int between = 0;  // two samples of the base in a row, with nothing of the other side between them
  for (std::size_t i = 1; i < turns.size(); ++i) between += turns[i - 1] == "one:r" && turns[i] == "one:r";
  EXPECT_GE(between, 4);
}

TEST_F(GateCommand, AbSaysWhereASideTakesNoTurns) {
  write_program("base", 100, 1), write_taking_turns("next", "r");
  const auto outcome = roofline("ab --base=./base --new=./next --pairs=1");
  EXPECT_NE(outcome.out.find("a side does not take turns"), std::string::npos) << outcome.out << outcome.err;
}

TEST_F(GateCommand, TheSuiteItselfTakesTurns) {
  const std::string side = "'" ROOFLINE_BENCH " --quick --stream=20000 --counters=model --ceilings=none'";
  const auto outcome = roofline("ab --base=" + side + " --new=" + side +
                                " --filter=stream/triad --pairs=1 --keep=kept --inconclusive=ok");
  // A busy machine may disturb one side alone, which is INVALID, rightly.
  const bool disturbed = outcome.code == 3 && outcome.out.find("1 INVALID") != std::string::npos;
  EXPECT_TRUE(outcome.code == 0 || disturbed) << outcome.code << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("side by side"), std::string::npos) << outcome.out;
  const auto samples = [&](const char* run) {
    const auto document = nlohmann::json::parse(testing::contents(folder / (std::string(run) + "/run.json")));
    return document["roofline"]["points"][0]["sample_seconds"].size();
  };
  EXPECT_GE(samples("kept/a/001"), 9u);
  EXPECT_EQ(samples("kept/a/001"), samples("kept/b/001"));
  // Whoever reads such a run later is told.
  EXPECT_NE(testing::contents(folder / "kept/a/001.log").find("in turns with another process"), std::string::npos);
}

TEST_F(GateCommand, AnInterruptedAbAsksItsProgramOnceAndLeavesNothingBehind) {
  write_file(folder / "slow",
             "#!/bin/sh\ntrap 'echo term >> log; left=4' TERM\nleft=200\n"
             "while [ $left -gt 0 ]; do sleep 0.05; left=$((left-1)); done\n");
  std::filesystem::permissions(folder / "slow", std::filesystem::perms::owner_all);
  std::filesystem::create_directory(folder / "tmp");
  const auto outcome = testing::shell(
      "TMPDIR=\"$PWD/tmp\" env --default-signal=HUP timeout --foreground --preserve-status -s HUP 0.5 '" ROOFLINE_CLI
      "' ab --base=./slow --new=./slow",
      folder);
  EXPECT_EQ(outcome.code, 129) << outcome.err;
  EXPECT_EQ(testing::contents(folder / "log"), "term\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST_F(GateCommand, BaselinesAreOnePerMachine) {
  auto base = small_side(1), foreign = small_side(2);
  foreign.fingerprint = foreign.results.machine.fingerprint = "other machine";
  write("base.json", base), write("foreign.json", foreign);
  EXPECT_EQ(roofline("baseline check none base.json").code, 4);
  EXPECT_EQ(roofline("baseline save kept base.json").code, 0);
  const auto other = roofline("baseline check kept foreign.json");
  EXPECT_EQ(other.code, 0) << other.out << other.err;
  EXPECT_NE(other.out.find("another machine"), std::string::npos) << other.out;
  EXPECT_EQ(roofline("baseline save kept foreign.json").code, 0);
  EXPECT_NE(roofline("baseline save kept base.json").out.find("replaces one"), std::string::npos);
  const auto list = roofline("baseline list kept --stale-days=100000");
  EXPECT_EQ(list.code, 0);
  EXPECT_NE(list.out.find("other machine"), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("AuthenticAMD"), std::string::npos) << list.out;
  ++example::point_named(base, triad).counts.operations.add;
  write("new.json", base);
  EXPECT_EQ(roofline("baseline check kept new.json").code, 1);
  EXPECT_EQ(roofline("baseline save kept new.json").code, 0);
  EXPECT_EQ(roofline("baseline check kept new.json").code, 0);
  base.results.complete = false;
  write("cut.json", base);
  expect_one_line("baseline save kept cut.json", 3, "interrupted");
}

}  // namespace
}  // namespace roofline
