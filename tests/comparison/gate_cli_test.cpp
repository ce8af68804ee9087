#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "tests/command_line.hpp"
#include "tests/comparison/made_up.hpp"

// The subcommands compare and ab as a user types them.

namespace roofline::gate_cli_test {
namespace {

using testing::Outcome;
using testing::Scratch;

using example::triad;

/// A few rows are enough here.
Side small_side(unsigned seed) {
  auto side = example::made_up_side(seed);
  std::erase_if(side.results.points, [](const auto& point) { return point.family != "stream"; });
  for (auto& point : side.results.points) point.samples.resize(8);
  return side;
}

std::string run_text(const Side& side) {
  return run_json("", side.results,
                  {{"fingerprint", side.fingerprint}, {"model_hash", side.model_hash}, {"compiler", "GNU 12.2.0"}});
}

class GateCommand : public ::testing::Test {
 protected:
  Outcome roofline(const std::string& arguments) { return testing::roofline(arguments, folder); }
  void expect_one_line(const std::string& arguments, int code, const std::string& part) {
    SCOPED_TRACE(arguments);
    testing::expect_one_line(roofline(arguments), code, part);
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
    write_script(name,
                 "for a; do case $a in --out=*) out=${a#--out=};; esac; done\n"
                 "n=$(expr ${out##*/} + 0)\nmkdir -p $out\necho \"$0 $*\" >> '" +
                     (folder / (name + ".log")) + "'\ncp '" + (folder / (name + ".runs")) +
                     "'/$n.json $out/run.json\n");
  }
  void write_script(const std::string& name, const std::string& lines) {
    write_file(folder / name, "#!/bin/sh\n" + lines);
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
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
  write_file(folder / "nested.json", std::string(5000, '[')),
      write_file(folder / "foreign.json", "{\"benchmark\": []}");
  write_file(folder / "nan.json", "{\"roofline\": {\"schema\": NaN}}");
  write_file(folder / "other.json", "{\"roofline\": {\"schema\": 7}}");
  expect_one_line("compare base.json", 2, "pairs");
  expect_one_line("compare base.json base.json --floor=nan", 2, "--floor");
  expect_one_line("compare base.json base.json --gate=some", 2, "--gate");
  expect_one_line("compare base.json base.json --junit=no/such/\x01/../../../../../proc/x", 4, "proc");
  write_file(folder / "huge.json", testing::contents(folder / "base.json"));
  std::filesystem::resize_file(folder / "huge.json", 100u << 20);
  for (const auto* const file : {"cut", "nested", "foreign", "nan", "other", "absent", "huge"})
    expect_one_line(std::string("compare base.json ") + file + ".json", 4, std::string(file) + ".json");
  EXPECT_EQ(testing::shell("TMPDIR=/absent '" ROOFLINE_CLI "' ab --base=true --new=true", folder).code, 4);
  expect_one_line("ab --base=./absent --new=./absent", 4, "no such program");
  expect_one_line("ab --base=\"'open\" --new=x", 2, "quote");
  expect_one_line("ab --base=true --new=true --pairs=1", 4, "wrote no result");
  expect_one_line("ab --base=true --new=true --budget=soon", 2, "--budget");
  std::filesystem::create_directories(folder / "kept/a");
  expect_one_line("ab --base=true --new=true --keep=kept", 2, "another folder");
}

TEST_F(GateCommand, AbFindsASlowdownAndStopsWhenEverythingIsDecided) {
  write_program("base", 100, 1), write_program("next", 200, 1.2);
  const auto outcome =
      roofline("ab --base='./base --quick' --new='./next --quick' --filter=stream --json=v.json --keep=kept");
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  const auto verdict = testing::json_of(folder / "v.json");
  EXPECT_LE(verdict["pairs"].get<int>(), 10);
  EXPECT_EQ(verdict["counts"]["WORSE"], 1);
  const auto log = testing::contents(folder / "base.log"), next = testing::contents(folder / "next.log");
  EXPECT_NE(log.find("--quick --benchmark_filter=stream"), std::string::npos) << log;
  EXPECT_EQ(log.substr(0, log.find('\n')).size(), next.substr(0, next.find('\n')).size());
}

TEST_F(GateCommand, AbOfOneBuildFindsNothingAndAControlRaisesTheBar) {
  write_program("base", 100, 1), write_program("next", 200, 1), write_program("slow", 300, 1.2),
      write_program("control", 400, 1.25);
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
  EXPECT_EQ(testing::json_of(folder / "v.json")["pairs"], 1);
}

TEST_F(GateCommand, AbRunsBaseNewNewBaseAndKeepsToItsBudget) {
  write_program("base", 100, 1), write_program("next", 200, 1);
  for (const char* const name : {"base", "next"}) {
    auto text = testing::contents(folder / name);
    write_file(folder / name, text.insert(text.find("mkdir"), "[ \"$1\" = --help ] && exit; sleep 0.4; echo $0 >> '" +
                                                                  (folder / "order") + "'\n"));
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }
  const auto start = std::chrono::steady_clock::now();
  const auto outcome = roofline("ab --base=./base --new=./next --budget=3.5s");
  EXPECT_LE(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1.1 * 3.5) << outcome.err;
  std::istringstream in(testing::contents(folder / "order"));
  std::string order;
  for (std::string name; in >> name;) order += name.find("/a/") != name.npos ? 'a' : 'b';
  EXPECT_GE(order.size(), 4u);
  EXPECT_EQ(order.substr(0, 4), "abba");
}

TEST_F(GateCommand, AbRunsAnyProgramOfGoogleBenchmark) {
  const auto script = [&](const std::string& name, const std::string& time) {
    write_script(name,
                 "for a; do case $a in --help) echo '[--benchmark_out=<filename>]'; exit 0;; "
                 "--benchmark_out=*) out=${a#--benchmark_out=};; esac; done\n"
                 "echo '{\"context\": {\"host_name\": \"here\", \"num_cpus\": 2}, \"benchmarks\": [{\"name\": \"f\", "
                 "\"run_type\": \"iteration\", \"real_time\": " +
                     time + ", \"time_unit\": \"us\"}]}' > $out\n");
  };
  script("one", "10"), script("two", "15");
  EXPECT_EQ(roofline("ab --base=./one --new=./one --pairs=4").code, 0);
  const auto slower = roofline("ab --base=./one --new=./two --pairs=6"),
             open = roofline("ab --base=./one --new=./two --pairs=5");
  EXPECT_EQ(slower.code, 1) << slower.out << slower.err;
  EXPECT_EQ(open.code, 0) << open.out << open.err;
  EXPECT_NE(open.out.find("To decide it (about "), std::string::npos) << open.out;
}

TEST_F(GateCommand, CompareTakesTheFilesOfAnyProgramOfGoogleBenchmark) {
  const auto write_times = [&](const char* name, double factor, const char* last) {
    std::string rows;
    for (int i = 0; i < 6; ++i)
      rows += "{\"name\": \"sort/8\", \"run_name\": \"sort/8\", \"run_type\": \"iteration\", \"real_time\": " +
              std::to_string(factor * (100 + i)) + ", \"time_unit\": \"us\"}, ";
    write_file(folder / name, "{\"context\": {\"host_name\": \"here\", \"num_cpus\": 2}, \"benchmarks\": [" + rows +
                                  "{\"name\": \"" + last + "\", \"real_time\": 1, \"time_unit\": \"ms\"}]}");
  };
  write_times("a.json", 1, "find"), write_times("b.json", 1.001, "find"), write_times("slow.json", 1.5, "find"),
      write_times("gone.json", 1, "lookup");
  const auto slow = roofline("compare a.json slow.json");
  EXPECT_EQ(slow.code, 1) << slow.out;
  EXPECT_NE(slow.out.find("+50.0"), std::string::npos) << slow.out;
  EXPECT_EQ(roofline("compare --undecided=fail a.json b.json").code, 3) << "two runs decide nothing small";
  EXPECT_EQ(roofline("compare a.json b.json").code, 0);
  EXPECT_EQ(roofline("compare --undecided=fail a.json a.json").code, 0);
  EXPECT_EQ(
      roofline("compare a.json b.json a.json b.json a.json b.json a.json b.json a.json b.json a.json b.json").code, 0);
  EXPECT_EQ(roofline("compare a.json gone.json").code, 1);
}

TEST_F(GateCommand, AMissingResultIsNotMeasuredAndFailsOnlyStrictly) {
  const auto base = small_side(1);
  auto next = small_side(2);
  std::erase_if(next.results.points, [](const auto& point) { return point.name == triad; });
  write("base.json", base);
  auto document = parse_json(run_text(next), "");
  document["benchmarks"] = {{{"name", triad}, {"error_occurred", true}, {"error_message", "out of memory"}}};
  write_file(folder / "new.json", document.dump());
  const auto outcome = roofline("compare base.json new.json --gate=exact");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("not measured: out of memory"), std::string::npos) << outcome.out;
  EXPECT_EQ(roofline("compare base.json new.json --gate=exact --undecided=fail").code, 3);
}

TEST_F(GateCommand, AnInterruptedAbAsksItsProgramOnceAndLeavesNothingBehind) {
  write_script("slow",
               "trap 'echo term >> log; left=4' TERM\nleft=200\n"
               "while [ $left -gt 0 ]; do sleep 0.05; left=$((left-1)); done\n");
  std::filesystem::create_directory(folder / "tmp");
  const auto outcome = testing::shell(
      "TMPDIR=\"$PWD/tmp\" env --default-signal=HUP timeout --foreground --preserve-status -s HUP 0.5 '" ROOFLINE_CLI
      "' ab --base=./slow --new=./slow",
      folder);
  EXPECT_EQ(outcome.code, 129) << outcome.err;
  EXPECT_EQ(testing::contents(folder / "log"), "term\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

}  // namespace
}  // namespace roofline::gate_cli_test
