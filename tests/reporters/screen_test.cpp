#include "reporters/screen/screen.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/result/results.hpp"
#include "bench/text/format.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/point_names.hpp"
#include "tests/full_results.hpp"
#include "tests/shown.hpp"

namespace roofline::screen_test {
namespace {

const Screen usual{
    false, false, "roofline-out", {"run.json", "report.html", "data.txt", "roofline.svg", "efficiency.md"}};

std::vector<std::string> lines_on(const Results& results, const Screen& screen = usual) {
  return testing::lines_of(screen_text(results, screen));
}

std::string line_with(const std::vector<std::string>& lines, const std::string& text) {
  for (const auto& line : lines)
    if (line.find(text) != line.npos) return line;
  return {};
}

Results with_points(std::vector<std::string> names) {
  auto results = example::results(false);
  const auto triad = results.points[3];
  results.points.clear();
  for (auto& name : names) {
    results.points.push_back(triad);
    results.points.back().family = name.substr(0, name.find('/')), results.points.back().name = std::move(name);
  }
  assess(results);
  return results;
}

Results modelled(Results results) {
  results.model = ModelledRun{
      .device = "v100", .description = "Tesla V100 16 GB, 80 SMs, 1.53 GHz", .hash = {}, .gpu = true, .facts = {}};
  for (auto& point : results.points) point.bound_by = MemoryLevel::DRAM;
  assess(results);
  return results;
}

std::vector<Results> all_kinds() {
  std::vector<Results> kinds{example::results(false), example::results(true), example::full_results()};
  auto& crowded = kinds.emplace_back(example::full_results());
  for (int i = 0; i < 20; ++i) crowded.warnings.push_back("warning " + std::string(150, 'x'));
  crowded.failures = {{"gpp/" + std::string(200, 'y'), "index 3"}, {"b", "c"}};
  crowded.interrupted = true, crowded.noise = HostNoise{0.3, 0.5}, crowded.machine.name = std::string(150, 'n');
  std::vector<std::string> many;
  for (int i = 0; i < 90; ++i)
    many.push_back("BM_" + std::string(static_cast<std::size_t>(i), 'z') + "/" + std::to_string(i));
  kinds.push_back(with_points(many));
  kinds.push_back(with_points({"stream/triad"}));
  auto& bare = kinds.emplace_back(example::results(false));
  bare.roofline = {}, assess(bare);
  kinds.push_back(modelled(example::full_results()));
  auto& gpu = kinds.emplace_back(example::results(false));
  gpu.gpu = Gpu{.index = 0, .name = "NVIDIA H200", .sms = 132, .clock_hz = 1.98e9, .memory_bytes = 150e9};
  kinds.emplace_back();
  return kinds;
}

TEST(Screen, IsAtMost45LinesOf80Or100Columns) {
  for (const bool utf8 : {false, true})
    for (const auto& results : all_kinds()) {
      auto screen = usual;
      screen.utf8 = utf8;
      for (const std::size_t width : {80U, 100U}) {
        const auto lines = testing::lines_of(screen_text(results, screen, width));
        EXPECT_LE(lines.size(), 45U) << screen_text(results, screen, width);
        for (const auto& line : lines) EXPECT_LE(testing::columns_of(line), width) << line;
      }
    }
}

TEST(Screen, HasEveryRoofHoweverNarrow) {
  for (const std::size_t width : {60U, 80U, 100U}) {
    const auto text = screen_text(example::results(false), usual, width);
    for (const auto* const roof : {"FP32 FMA 516", "L3 220 (read)", "DRAM 65.9 (copy)", "DRAM 3.9 FLOP/B"})
      EXPECT_NE(text.find(roof), std::string::npos) << roof << '\n' << text;
  }
}

TEST(Screen, SaysWhatItIsBeforeAllElse) {
  auto results = example::results(false);
  results.machine.name = "Intel(R) Xeon(R) Processor @ 2.50GHz", results.device_note = "no driver";
  const auto lines = lines_on(results);
  EXPECT_EQ(lines[0],
            "roofline_bench " ROOFLINE_VERSION " Intel Xeon @ 2.50GHz, 2 cores, AVX-512 at 4.08 GHz, 23.5 GiB; no GPU");
  EXPECT_EQ(lines[1], "caches               L1 48 KiB, L2 1 MiB a core; L3 32 MiB for 2 cores");
  EXPECT_EQ(lines[3], "Roofs of 2 threads");
  EXPECT_EQ(lines[4],
            "  GFLOP/s   FP64 FMA 258   no FMA 222   add 129   div 16.2   FP32 FMA 516   (FMA: 98 % of theory)");
  EXPECT_EQ(lines[5], "  GB/s      L1 1000 (read)   L2 480 (read)   L3 220 (read)   DRAM 65.9 (copy)");
  EXPECT_EQ(lines[6], "  ridge     L1 0.26   L2 0.54   L3 1.2   DRAM 3.9 FLOP/B");
}

TEST(Screen, SaysWhereTheHostHasTheCores) {
  auto results = example::results(false);
  results.core_distance = 155e-9;
  EXPECT_TRUE(line_with(lines_on(results), "cache line").empty()) << "nobody moves the cores of a real machine";
  results.machine.virtual_machine = true;
  EXPECT_EQ(lines_on(results)[3], "Roofs of 2 threads, a cache line takes 155 ns from core to core");
}

TEST(Screen, ShowsOneRowAKernelOfManyAndAllOfFew) {
  const auto many = lines_on(example::results(true));
  int gpp = 0;
  for (const auto& line : many) gpp += line.starts_with("gpp/");
  EXPECT_EQ(gpp, 1);
  for (const char* row : {"stream/copy", "stream/dot", "stencil/7pt", "gsrb/branch", "lbm/collide", "lbm/propagate"})
    EXPECT_FALSE(line_with(many, row).empty()) << row;
  EXPECT_FALSE(line_with(many, "13 of 55 rows, one variant of a kernel; all: roofline show --all").empty());
  const auto few = lines_on(with_points({"gpp/nw:1", "gpp/nw:2", "gpp/nw:3"}));
  for (const char* row : {"gpp/nw:1 ", "gpp/nw:2 ", "gpp/nw:3 "}) EXPECT_FALSE(line_with(few, row).empty()) << row;
  EXPECT_TRUE(line_with(few, "of each kernel").empty());
}

TEST(Screen, OfVersionsTheShortestTimeCountsAndNotTheMostFlops) {
  auto results = example::results(true);
  for (auto& point : results.points)
    if (point.name.starts_with("lbm/collide/v0")) point.counts.operations.fma *= 64, point.time.median *= 8;
  EXPECT_TRUE(line_with(lines_on(results), "lbm/collide/v0").empty());
  EXPECT_FALSE(line_with(lines_on(results), "lbm/collide/v").empty());
}

TEST(Screen, ARowHasItsShareWithItsIntervalAndABar) {
  const auto row = line_with(lines_on(example::results(false)), "stream/dot");
  EXPECT_EQ(row,
            "stream/dot/n:33554432         13.7 ms       4.91   39.3   0.125  DRAM       60 %  +-1.8    #####....");
  auto utf8 = usual;
  utf8.utf8 = true;
  EXPECT_NE(line_with(lines_on(example::results(false), utf8), "stream/dot").find("█████"), std::string::npos);
}

TEST(Screen, AShareThatContradictsTheModelIsMarkedAndExplained) {
  auto results = example::results(false);
  EXPECT_TRUE(line_with(lines_on(results), "!").empty());
  results.points[3].time.median /= 2;
  example::add_rounds(results.roofline, results.points[3]);
  assess(results);
  const auto lines = lines_on(results);
  EXPECT_NE(line_with(lines, "stream/triad/n").find("181 %  +-5.4    !"), std::string::npos)
      << line_with(lines, "stream/triad/n");
  EXPECT_FALSE(line_with(lines, "! stream/triad/n:33554432: 184 % of its mix's ceiling or more: a count or").empty())
      << line_with(lines, "! stream/triad");
}

TEST(Screen, EndsWithPrecisionTheWeakestRowAndTheFiles) {
  const auto lines = lines_on(example::results(false));
  const auto last = lines.size() - 1;
  EXPECT_EQ(lines[last - 2],
            "Shares hold to +-3.0 % (median; 36 of 37 rows to 5 %; worst lbm/propagate: 11 %; 6 rounds).  46 s");
  EXPECT_EQ(lines[last - 1], "Weakest: 60 % of its DRAM roof. Why: roofline explain stream/dot/n:33554432");
  EXPECT_EQ(lines[last], "In roofline-out/: report.html (all 37 rows, plots), run.json, roofline.svg and 2 more");
}

TEST(Screen, BeyondTheShareItselfAnIntervalHasNoNumber) {
  auto results = example::results(false);
  results.precision.worst = 245;
  EXPECT_FALSE(line_with(lines_on(results), "worst lbm/propagate: > 100 %").empty());
}

TEST(Screen, CommandsNameTheRunWhereItIsElsewhere) {
  auto screen = usual;
  screen.folder = "mine";
  const auto lines = lines_on(with_points({"gpp/nw:1"}), screen);
  EXPECT_FALSE(line_with(lines, "roofline explain gpp/nw:1 mine/run.json").empty());
  screen.folder = "roofline-out", screen.files = {"run.partial.json"};
  EXPECT_FALSE(line_with(lines_on(with_points({"gpp/nw:1"}), screen), "nw:1 roofline-out/run.partial.json").empty());
}

TEST(Screen, ThreeRoundsAreNotCalled95Percent) {
  auto results = with_points({"stream/triad"});
  for (auto& point : results.points) point.samples.resize(6), point.probes[0].rates.resize(3);
  assess(results);
  EXPECT_EQ(screen_text(results, usual).find("95 % interval"), std::string::npos);
  EXPECT_FALSE(line_with(lines_on(results), "No interval: fewer than 6 rounds.").empty());
  EXPECT_NE(line_with(lines_on(results), "stream/triad ").find("~"), std::string::npos)
      << "the digits of such a share are not certain";
}

TEST(Screen, WarnsOfWhatTheReaderCanMend) {
  auto results = example::results(false);
  results.failures = {{"gpp/nw:1", "index 3: got 1, expected 2"}};
  results.noise = HostNoise{.steal = 0.02, .throttled = 0.4};
  const auto lines = lines_on(results);
  EXPECT_FALSE(line_with(lines, "No result for gpp/nw:1: index 3").empty());
  EXPECT_FALSE(line_with(lines, "A CPU quota stopped the run in 40 % of its periods").empty());
  EXPECT_TRUE(line_with(lines, "hypervisor").empty());
}

TEST(Screen, WarningsEndBeforeTheLineDoesAndCostNoRow) {
  auto results = example::results(false);
  const auto rows_of = [](const std::vector<std::string>& lines) {
    return std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.find(" %  ") != line.npos; });
  };
  results.warnings.clear();
  const auto quiet = lines_on(results);
  results.warnings = {
      "The first sentence of this warning is of a length that leaves some room; what follows does not fit any more",
      std::string(60, 'x') + " and then words without an end that go on and on beyond the hundredth column", "third",
      "fourth"};
  const auto warned = lines_on(results);
  EXPECT_EQ(rows_of(warned), rows_of(quiet));
  EXPECT_GT(rows_of(warned), 10);
  EXPECT_LE(warned.size(), screen_lines);
  EXPECT_EQ(line_with(warned, "The first"), "The first sentence of this warning is of a length that leaves some room.");
  EXPECT_TRUE(line_with(warned, "xxx").ends_with(" ...")) << line_with(warned, "xxx");
  EXPECT_LE(line_with(warned, "xxx").size(), screen_width);
}

TEST(Screen, TheWeakestRowHasTheSmallestShareOnTheScreen) {
  auto results = example::results(false);
  auto& weak = results.points[5];
  ASSERT_TRUE(weak.assessment.roof);
  weak.assessment.roof->efficiency = 0.02;
  if (weak.assessment.mix) weak.assessment.mix->efficiency = 0.99;
  EXPECT_NE(line_with(lines_on(results), "Weakest: 2 % of").find(kernel_of(weak.name)), std::string::npos);
}

Results next_to(double memory) {
  auto results = example::results(false);
  std::erase_if(results.points,
                [](const auto& p) { return !p.name.starts_with("stream/dot") && p.name != "stream/add"; });
  const auto& roof = *results.roofline.bandwidth(MemoryLevel::DRAM);
  for (auto& point : results.points) {
    const auto rounds = static_cast<std::size_t>(point.rounds());
    point.probes = {{roof.name, std::vector<double>(rounds, memory * roof.rate), {}}};
  }
  return results;
}

TEST(Screen, RatesDividedByThePrintedRoofAreTheSharesOrItSaysWhyNot) {
  for (int percent = 40; percent <= 160; percent += 3) {
    const auto results = next_to(0.01 * percent);
    const auto assessed_run = assessed(results);
    const auto line = line_with(lines_on(assessed_run), "Roofs moved in the run");
    bool agree = true;
    for (const auto& point : assessed_run.points) {
      const auto& roof = point.assessment.roof;
      ASSERT_TRUE(roof && roof->level) << point.name;
      const double rate = bandwidth(point, *roof->level).value();
      const double of_printed = rate / assessed_run.roofline.bandwidth(*roof->level)->rate;
      agree = agree && std::abs(of_printed / roof->efficiency - 1) <= 0.1;
    }
    EXPECT_EQ(line.empty(), agree) << percent << ": " << line;
    EXPECT_EQ(line.find("DRAM ") == std::string::npos, agree) << line;
  }
}

TEST(Screen, AModelledRunHasBounds) {
  const auto lines = lines_on(modelled(example::results(false)));
  EXPECT_NE(lines[0].find("Tesla V100 16 GB, 80 SMs, 1.53 GHz: modelled, nothing was measured"), std::string::npos);
  EXPECT_FALSE(line_with(lines, "time >=").empty());
  EXPECT_TRUE(line_with(lines, "share of the roof").empty());
  EXPECT_FALSE(line_with(lines_on(assessed(example::results(false))), "share of the roof").empty())
      << "the words of a measured one";
  EXPECT_FALSE(line_with(lines, "Bounds, not measurements").empty());
}

TEST(Screen, WithoutRoofsItSaysSo) {
  auto results = example::results(false);
  results.roofline = {};
  assess(results);
  const auto lines = lines_on(results);
  EXPECT_TRUE(line_with(lines, "Roofs").empty());
  EXPECT_FALSE(line_with(lines, "No shares: this run has no roofs.").empty());
}

TEST(Screen, ColoursOnlyWhereItMayAndNamesStayHarmless) {
  auto results = example::results(false);
  results.points[0].name = "stream/\x1b[31mred", results.warnings = {"a\x1b[2Jb"};
  assess(results);
  results.precision.worst_row = results.points[0].name;
  EXPECT_EQ(screen_text(results, usual).find('\x1b'), std::string::npos);
  auto coloured = usual;
  coloured.colour = true;
  const auto text = screen_text(results, coloured);
  EXPECT_NE(text.find("\x1b[1m"), text.npos);
  EXPECT_EQ(text.find("\x1b[31mred"), text.npos);
  EXPECT_EQ(text.find("\x1b[2J"), text.npos);
}

}  // namespace
}  // namespace roofline::screen_test
