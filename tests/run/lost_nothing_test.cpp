#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "bench/text/output.hpp"
#include "tests/command_line.hpp"

namespace roofline::lost_nothing_test {
namespace {

using testing::contents;
using testing::Scratch;

// Four rows of some tenths of a second in six rounds.
const std::string program = "'" ROOFLINE_BENCH "' ";
const std::string arguments =
    "--stream=20000 --benchmark_filter='stream/(copy|scale|add|triad)' --ceilings=none --benchmark_min_time=0.2";

nlohmann::ordered_json read(const std::string& path) { return testing::json_of(path); }

std::set<std::string> rows_with_a_result(const nlohmann::ordered_json& document) {
  std::set<std::string> names;
  for (const auto& row : document["benchmarks"])
    if (!row.value("error_occurred", false)) names.insert(row["run_name"]);
  return names;
}

std::set<std::string> journalled(const std::string& path) {
  std::set<std::string> names;
  std::istringstream lines(contents(path));
  for (std::string line; std::getline(lines, line);) {
    try {
      const auto j = parse_json(line, path);
      if (j.contains("found")) names.insert(j["row"]);
    } catch (const FileError&) {
      EXPECT_EQ(lines.peek(), EOF) << "a broken line in the middle: " << line;
    }
  }
  return names;
}

double random_delay() {
  static std::mt19937 random(std::random_device{}());
  return std::uniform_real_distribution<>(0.01, 0.9)(random);
}

class Signals : public ::testing::TestWithParam<int> {};

TEST_P(Signals, CostNoFinishedRowAndNoEarlierResult) {
  const int signal = GetParam();
  const Scratch folder;
  std::filesystem::create_directory(folder / "roofline-out");
  std::ofstream(folder / "roofline-out/run.json") << "an earlier complete result";
  const double delay = random_delay();
  SCOPED_TRACE(delay);
  // A shell starts background jobs with SIGINT ignored, and so it stays until the program catches it. Therefore SIGINT
  // comes at any time, the others when there is something to lose.
  const auto wait = signal == SIGINT ? fmt::format("sleep {:.2f}", delay)
                                     : fmt::format(
                                           "for i in $(seq 400); do sleep 0.02; grep -qs found "
                                           "roofline-out/run.journal && break; done; sleep {:.2f}",
                                           delay / 4);
  const auto outcome =
      testing::shell(fmt::format("env --default-signal=INT {}{} & pid=$!; {}; kill -{} $pid; wait $pid", program,
                                 arguments, wait, signal),
                     folder);
  const auto out = folder / "roofline-out/";
  EXPECT_EQ(contents(out + "run.json"), "an earlier complete result");
  const auto kept = journalled(out + "run.journal");
  if (signal == SIGKILL) {
    EXPECT_EQ(outcome.code, 128 + SIGKILL);
    EXPECT_FALSE(std::filesystem::exists(out + "run.partial.json"));
  } else if (!std::filesystem::exists(out + "run.partial.json")) {
    EXPECT_TRUE(kept.empty()) << "it came after the program caught it";
  } else {
    EXPECT_EQ(outcome.code, 128 + signal) << outcome.err;
    const auto partial = read(out + "run.partial.json");
    EXPECT_EQ(partial["roofline"]["complete"], false);
    EXPECT_EQ(rows_with_a_result(partial), kept) << "a finished row is missing, or one that is not";
  }

  const auto resumed = testing::shell(program + arguments + " --resume", folder);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  const auto complete = read(out + "run.json");
  EXPECT_EQ(complete["roofline"]["complete"], true);
  EXPECT_EQ(rows_with_a_result(complete).size(), 4u);
  EXPECT_FALSE(std::filesystem::exists(out + "run.journal"));
  EXPECT_FALSE(std::filesystem::exists(out + "run.partial.json"));
  if (kept.empty()) return;
  EXPECT_NE(complete["roofline"]["warnings"].dump().find(fmt::format("resumed: {} rows", kept.size())),
            std::string::npos)
      << complete["roofline"]["warnings"];
}

INSTANTIATE_TEST_SUITE_P(All, Signals, ::testing::Values(SIGINT, SIGTERM, SIGHUP, SIGKILL));

TEST(LostNothing, OneRoundIsAResultAndSaysSo) {
  const Scratch folder;
  // Interrupted as soon as two rounds of rows are in the journal.
  const auto outcome =
      testing::shell(program + arguments +
                         " & pid=$!; for i in $(seq 200); do sleep 0.02; "
                         "[ $(grep -c found roofline-out/run.journal 2>/dev/null) -ge 2 ] 2>/dev/null && break; done; "
                         "kill -INT $pid; wait $pid",
                     folder);
  ASSERT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("interrupted: the current row is finished"), std::string::npos) << outcome.err;
  int rows = 0;
  const auto document = read(folder / "roofline-out/run.partial.json");
  for (const auto& row : document["benchmarks"])
    if (!row.value("error_occurred", false)) {
      ++rows;
      EXPECT_GT(row.value("FLOP/s", 1.0), 0.0) << "absent for a copy";
      EXPECT_GE(row["rounds"], 1);
      EXPECT_LT(row["rounds"], 6);
    }
  EXPECT_GE(rows, 2);
}

class Minutes : public ::testing::TestWithParam<const char*> {};

TEST_P(Minutes, EndWhenAsked) {
  const Scratch folder;
  const std::string row = "gpp/nw:6/fma:1/stride:1";
  const auto outcome =
      testing::shell(fmt::format("{}{} --benchmark_filter='{}$' & pid=$!; for i in $(seq 500); do sleep 0.02; "
                                 "grep -qs begin roofline-out/run.journal && break; done; sleep 0.5; "
                                 "kill -INT $pid; wait $pid",
                                 program, GetParam(), row),
                     folder);
  if (outcome.code == 2 || outcome.code == 3) GTEST_SKIP() << "a build without CUDA kernels: " << outcome.err;
  ASSERT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_FALSE(rows_with_a_result(read(folder / "roofline-out/run.partial.json")).contains(row))
      << "it was worked on to its end";
}

// A published size: modelled in a minute, executed in hours.
INSTANTIATE_TEST_SUITE_P(Of, Minutes, ::testing::Values("--model=v100", "--device=virtual:v100"));

TEST(LostNothing, AModelledRunThatWasKilledGoesOnFromItsRows) {
  const Scratch folder, alone;
  const std::string first = "gsrb/fp/op:7pt/level:5";
  const auto run = [&](const std::string& filter) {
    return program + "--model=v100 --gsrb=5 --lbm=256,1024 --benchmark_filter='" + filter + "'";
  };
  const auto both = run(first + "$|lbm/collide/v0");
  const auto killed = testing::shell(both +
                                         " & pid=$!; for i in $(seq 1000); do sleep 0.02; "
                                         "grep -qs bound_by roofline-out/run.journal && break; done; "
                                         "kill -KILL $pid; wait $pid",
                                     folder);
  if (killed.code == 2) GTEST_SKIP() << "a build without CUDA kernels: " << killed.err;
  ASSERT_EQ(killed.code, 128 + SIGKILL) << killed.err;
  const auto resumed = testing::shell(both + " --resume", folder);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  const auto complete = read(folder / "roofline-out/run.json");
  EXPECT_NE(complete["roofline"]["warnings"].dump().find("resumed: 1 rows"), std::string::npos)
      << complete["roofline"]["warnings"];
  ASSERT_EQ(testing::shell(run(first), alone).code, 0);
  const auto point = [&](const nlohmann::ordered_json& document) {
    for (const auto& p : document["roofline"]["points"])
      if (p["name"] == first) return p;
    return nlohmann::ordered_json();
  };
  EXPECT_FALSE(point(complete).is_null());
  EXPECT_EQ(point(complete), point(read(alone / "roofline-out/run.json")))
      << "what the journal holds is not what was modelled";
}

TEST(LostNothing, WhoIgnoresHangUpsIsNotInterrupted) {
  const Scratch folder;
  const auto outcome = testing::shell("(trap '' HUP; exec " + program +
                                          "--stream=20000 --benchmark_filter=stream/copy --ceilings=none "
                                          "--benchmark_min_time=0.2) & pid=$!; sleep 0.3; kill -HUP $pid; wait $pid",
                                      folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(LostNothing, AReaderThatLeavesCostsNoFile) {
  const Scratch folder;
  const auto outcome = testing::shell("( " + program + arguments + "; echo $? > code ) | true; sleep 3", folder);
  EXPECT_EQ(contents(folder / "code"), "4\n");
  EXPECT_EQ(rows_with_a_result(read(folder / "roofline-out/run.json")).size(), 4u);
}

TEST(LostNothing, StreamsThatAreClosedOrFullAreNoReasonToDie) {
  for (const char* streams : {"2>&-", "2>/dev/full", "<&- >&- 2>&-", ">&-"}) {
    const Scratch folder;
    const auto outcome = testing::shell("( " + program +
                                            "--stream=20000 --benchmark_filter=stream/copy --ceilings=none "
                                            "--benchmark_min_time=0.001 ) " +
                                            streams,
                                        folder);
    const bool no_output =
        std::string(streams).find('>') != 0 ? std::string(streams).find(">&- 2") != std::string::npos : true;
    EXPECT_EQ(outcome.code, no_output ? 4 : 0) << streams;
    EXPECT_EQ(rows_with_a_result(read(folder / "roofline-out/run.json")).size(), 1u) << streams;
  }
}

TEST(LostNothing, BytesThatAreNotTextCostNothing) {
  const Scratch folder;
  const auto outcome = testing::shell(program +
                                          "--stream=20000 --benchmark_filter=stream/copy --ceilings=none --quick "
                                          "--out=\"$(printf 'caf\\351\\033[31m')\"",
                                      folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos) << "a terminal would obey";
  EXPECT_EQ(rows_with_a_result(read(folder / "caf\xe9\x1b[31m/run.json")).size(), 1u);
}

TEST(LostNothing, VariablesOfGoogleBenchmarkWriteNoExternalCeilings) {
  const Scratch folder;
  const auto outcome = testing::shell(
      "BENCHMARK_OUT=second.json " + program + "--stream=20000 --benchmark_filter=stream/copy --ceilings=none --quick",
      folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "second.json"));
  EXPECT_NE(read(folder / "roofline-out/run.json")["roofline"]["warnings"].dump().find("BENCHMARK_OUT"),
            std::string::npos);
}

}  // namespace
}  // namespace roofline::lost_nothing_test
