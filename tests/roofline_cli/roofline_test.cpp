#include <gtest/gtest.h>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"

namespace roofline::roofline_test {
namespace {

using testing::expect_one_line, testing::roofline;

/// A folder with a stored run.
class RooflineCommand : public ::testing::Test {
 protected:
  RooflineCommand() { write_file(folder / "run.json", run_json("", example::results(false))); }
  testing::Scratch folder;
};

TEST_F(RooflineCommand, CompletionsKnowEveryFlagAndShellsReadThem) {
  for (const char* const shell : {"bash", "zsh", "fish", "man"}) {
    const auto script = roofline(std::string("completion ") + shell, folder);
    EXPECT_EQ(script.code, 0) << script.err;
    EXPECT_NE(script.out.find("markdown"), std::string::npos) << shell << ": a flag of compare";
    write_file(folder / shell, script.out);
  }
  EXPECT_EQ(testing::shell("bash -c '. ./bash; COMP_WORDS=(roofline sh) COMP_CWORD=1; _roofline; echo ${COMPREPLY[0]}'",
                           folder)
                .out,
            "show\n");
  expect_one_line(roofline("completion tcsh", folder), 2, "tcsh");
  const auto bench = testing::shell("'" ROOFLINE_BENCH "' --completion=bash | bash -n", folder);
  EXPECT_EQ(bench.code, 0) << bench.err;
}

TEST_F(RooflineCommand, VersionsTellCommitAndCompiler) {
  for (const char* const program : {ROOFLINE_CLI, ROOFLINE_BENCH}) {
    const auto version = testing::shell(std::string("'") + program + "' --version", folder).out;
    EXPECT_NE(version.find(", commit "), std::string::npos) << version;
    EXPECT_NE(version.find("GNU"), std::string::npos) << version;
  }
}

TEST_F(RooflineCommand, EverySubcommandHasHelpWithAnExample) {
  const auto help = roofline("--help", folder);
  EXPECT_EQ(help.code, 0);
  int subcommands = 0;
  for (const auto& [at, line] : matches("\n  ([a-z]+) {2,}[^ -]", help.out)) {
    const auto own = roofline(line[1] + " --help", folder);
    EXPECT_EQ(own.code, 0);
    EXPECT_NE(own.out.find("Example"), std::string::npos) << line[1];
    ++subcommands;
  }
  EXPECT_GE(subcommands, 10);
}

TEST_F(RooflineCommand, WrongUsageIsOneLineAndCode2) {
  expect_one_line(roofline("", folder), 2, "subcommand");
  expect_one_line(roofline("show --everything", folder), 2, "--everything");
  expect_one_line(roofline("show run.json --width=10", folder), 2, "--width");
  expect_one_line(roofline("convert run.json --to=pdf", folder), 2, "--to");
}

TEST_F(RooflineCommand, AMistypedWordGetsTheNearestOne) {
  expect_one_line(roofline("expalin gpp", folder), 2, "unknown subcommand 'expalin', did you mean explain?");
  expect_one_line(roofline("plot run.json --veiw=time", folder), 2, "unknown flag '--veiw=time', did you mean --view?");
  const auto bench = testing::shell("'" ROOFLINE_BENCH "' --benchmark_fliter=gpp", folder);
  expect_one_line(bench, 2, "did you mean --benchmark_filter?");
  EXPECT_FALSE(std::filesystem::exists(folder / "roofline-out")) << "refused before anything is measured";
}

TEST_F(RooflineCommand, AFolderIsItsRun) {
  std::filesystem::create_directory(folder / "out");
  std::filesystem::copy(folder / "run.json", folder / "out/run.json");
  for (const auto* const command : {"plot @ -o @.svg", "explain gpp/nw:6 @", "claims @", "compare @ @"}) {
    const auto with = [&](const std::string& name) {
      std::string text = command;
      for (auto at = text.find('@'); at != text.npos; at = text.find('@', at + name.size())) text.replace(at, 1, name);
      return roofline(text, folder);
    };
    const auto of_file = with("out/run.json"), of_folder = with("out");
    EXPECT_EQ(of_folder.code, of_file.code) << command << of_folder.err;
  }
  EXPECT_EQ(testing::contents(folder / "out.svg"), testing::contents(folder / "out/run.json.svg"));
  EXPECT_EQ(roofline("show out", folder).out, roofline("show out/run.json", folder).out);
  std::filesystem::create_directory(folder / "empty");
  expect_one_line(roofline("plot empty", folder), 4, "empty: this folder has no run.json");
}

TEST_F(RooflineCommand, RunsOfOnePictureHaveTheNamesThatTellThemApart) {
  auto other = example::results(false);
  other.date = "the next day", other.machine.name = "Another CPU";
  for (const auto* const name : {"a/out", "b/out", "c"}) std::filesystem::create_directories(folder / name);
  std::filesystem::copy(folder / "run.json", folder / "a/out/run.json");
  write_file(folder / "b/out/run.json", run_json("", other));
  std::filesystem::copy(folder / "b/out/run.json", folder / "c/a.json");
  ASSERT_EQ(roofline("plot a/out b/out/run.json -o both.svg", folder).code, 0);
  const auto both = testing::contents(folder / "both.svg");
  for (const auto* const part : {"(a), Another CPU (b)", "the next day (b)", "a: gpp/nw:6", "b: gpp/nw:6"})
    EXPECT_NE(both.find(part), std::string::npos) << part;
  EXPECT_EQ(both.find("out: "), std::string::npos);
  // Two files that would both be "a" have their folders' names as well.
  ASSERT_EQ(roofline("plot a/out/run.json c/a.json b/out/run.json -o three.svg", folder).code, 0);
  const auto three = testing::contents(folder / "three.svg");
  for (const auto* const part : {"a/out: gpp", ">Roofline of", "b/out: gpp", "a: gpp"})
    EXPECT_NE(three.find(part), std::string::npos) << part;
  ASSERT_EQ(roofline("plot run.json run.json -o same.svg", folder).code, 0) << "one file twice has one name";
}

TEST_F(RooflineCommand, OnePlotForAPaperHasItsWidthAndItsRowsOnly) {
  ASSERT_EQ(roofline("plot run.json --only=gpp --width=480 -o gpp.svg", folder).code, 0);
  const auto gpp = testing::contents(folder / "gpp.svg");
  EXPECT_NE(gpp.find("width=\"480\" height=\"317\""), std::string::npos) << gpp.substr(0, 200);
  EXPECT_NE(gpp.find("gpp/nw:6"), std::string::npos);
  EXPECT_EQ(gpp.find("stream/"), std::string::npos);
  EXPECT_EQ(gpp.find("font-size=\"20\""), std::string::npos) << "a paper has its own caption";
  ASSERT_EQ(roofline("plot run.json --only='*' -o all.svg", folder).code, 0);
  EXPECT_NE(testing::contents(folder / "all.svg").find("stream/"), std::string::npos);
  expect_one_line(roofline("plot run.json --only=nowhere", folder), 2, "--only=nowhere: no row");
  expect_one_line(roofline("plot run.json --only=gpp --view=time", folder), 2, "--only");
  expect_one_line(roofline("plot run.json --width=480", folder), 2, "--only");
}

TEST_F(RooflineCommand, UnreadableInputIsOneLineAndCode4) {
  write_file(folder / "cut.json", testing::contents(folder / "run.json").substr(0, 500));
  expect_one_line(roofline("show nothing.json", folder), 4, "nothing.json");
  expect_one_line(roofline("show cut.json", folder), 4, "not JSON, or cut short");
  expect_one_line(roofline("plot cut.json", folder), 4, "not JSON, or cut short");
  EXPECT_FALSE(std::filesystem::exists(folder / "roofline.svg"));
  write_file(folder / "x.txt", "memroofs 1 2 nonsense\n");
  expect_one_line(roofline("plot x.txt", folder), 4, "x.txt:1: memroofs: 'nonsense'");
}

TEST_F(RooflineCommand, TablesKeepToAnyWidthFrom60) {
  for (const int width : {60, 72, 80, 100, 140}) {
    const auto shown = roofline("show --all run.json --width=" + std::to_string(width), folder);
    ASSERT_EQ(shown.code, 0) << shown.err;
    std::istringstream lines(shown.out.substr(0, shown.out.find("GFLOP/s ")));
    for (std::string line; std::getline(lines, line);) {
      if (line.find("\u2500") != std::string::npos) break;  // the plot has a width of its own
      EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST_F(RooflineCommand, ControlCharactersOfAFileDoNotReachTheTerminal) {
  auto results = example::results(false);
  results.points[0].name = "stream/\x1b[31mred\x07";
  results.warnings = {"\x1b]0;title\x07"};
  write_file(folder / "evil.json", run_json("", results));
  const auto shown = roofline("show evil.json", folder);
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(shown.out.find('\x1b'), std::string::npos);
  EXPECT_NE(shown.out.find("?[31mred"), std::string::npos);
  EXPECT_EQ(roofline("explain stream evil.json", folder).out.find('\x1b'), std::string::npos);
  EXPECT_EQ(roofline("plot evil.json -o evil.svg", folder).err, "?]0;title?\n");
  EXPECT_EQ(roofline("convert evil.json --to=data -o evil.txt", folder).err,
            "?]0;title?\n--to=data has no place for FP32 FMA: left out, or under another name\n");
}

TEST_F(RooflineCommand, ARowIsExplained) {
  const auto one = roofline("explain gpp/nw:6/fma:1/stride:1", folder);
  EXPECT_EQ(one.code, 4) << "no roofline-out here";
  const auto explained = roofline("explain gpp/nw:6/fma:1/stride:1 run.json", folder);
  ASSERT_EQ(explained.code, 0) << explained.err;
  for (const auto* const part : {"gpp/nw:6/fma:1/stride:1", "roof of its mix", "bytes of DRAM", "modelled", "####"})
    EXPECT_NE(explained.out.find(part), std::string::npos) << part;
  EXPECT_EQ(roofline("explain GPP/NW:6/FMA:1/stride:1 run.json", folder).out, explained.out);
  expect_one_line(roofline("explain nowhere run.json", folder), 5, "no row contains 'nowhere'");
}

TEST_F(RooflineCommand, ARowOfAGpuIsExplainedWithTheFiguresOfItsProfile) {
  auto results = example::results(false);
  results.points[0].counts.details = {
      {"registers", 254}, {"occupancy_theoretical", 0.125}, {"hit_rate_L2", 0.498}, {"predication", 0.25}};
  auto& counts = results.points[0].counts;
  counts.operations = {.add = 1 << 29};
  counts.range[static_cast<std::size_t>(MemoryLevel::DRAM)] = Span{1 << 27, 1 << 28};
  write_file(folder / "gpu.json", run_json("", results));
  const auto text = roofline("explain " + results.points[0].name + " gpu.json", folder).out;
  EXPECT_NE(text.find("\nprofile: registers per thread 254, theoretical occupancy 12.5 %, hit rate of L2 49.8 %\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("predication                 0.25\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("occupancy_theoretical"), std::string::npos) << "said twice";
  EXPECT_NE(text.find(" FLOP/B (2.00 .. 4.00, " + counts.traffic_label() + ")\n"), std::string::npos) << text;
}

TEST_F(RooflineCommand, APlotRefusesFlagsThatItsViewDoesNotLookAt) {
  EXPECT_EQ(roofline("plot run.json --view=time -o time.svg", folder).code, 0);
  expect_one_line(roofline("plot run.json --view=time -o time.html", folder), 2, "a view is a plot");
  for (const auto* const flag : {"--division-flops=11", "--ceilings=run.json", "--external-ceilings=x.csv"})
    expect_one_line(roofline(std::string("plot run.json run.json --view=scaling ") + flag, folder), 2,
                    "leave --division-flops");
}

TEST_F(RooflineCommand, AMachineOfTheArchiveStandsForItsFile) {
  testing::shell("mkdir machines && cp run.json machines/other.json", folder);
  const auto with_archive = [&](const std::string& arguments) {
    return testing::shell("ROOFLINE_MACHINES=machines '" ROOFLINE_CLI "' " + arguments, folder);
  };
  ASSERT_EQ(with_archive("plot run.json --with=other -o with.svg").code, 0);
  ASSERT_EQ(with_archive("plot run.json -o without.svg").code, 0);
  EXPECT_NE(testing::contents(folder / "with.svg").find("other DRAM"), std::string::npos);
  EXPECT_NE(testing::contents(folder / "with.svg").find("other FP64 FMA"), std::string::npos);
  EXPECT_EQ(testing::contents(folder / "without.svg").find("other "), std::string::npos);
  EXPECT_EQ(with_archive("portability other run.json").out, with_archive("portability run.json run.json").out);
  expect_one_line(with_archive("plot run.json --with=nowhere"), 4, "of the archive, which has other");
}

TEST_F(RooflineCommand, AFlagOfEarlierVersionsIsTakenWithANotice) {
  const auto then = roofline("show --all --divide=11 run.json", folder);
  EXPECT_EQ(then.code, 0) << then.err;
  EXPECT_EQ(then.err, "roofline: --divide is now --division-flops\n");
  EXPECT_EQ(then.out, roofline("show --all --division-flops=11 run.json", folder).out);
  EXPECT_NE(then.out, roofline("show --all run.json", folder).out);
}

TEST_F(RooflineCommand, AForeignSuiteIsPlottedOnOurRoofs) {
  write_file(folder / "results.json", R"({"context": {}, "benchmarks": [
    {"name": "BM_axpy/1", "run_name": "BM_axpy/1", "run_type": "iteration", "real_time": 2.0, "time_unit": "ms",
     "F": 2e9, "B": 24e9, "other": NaN}]})");
  expect_one_line(roofline("plot results.json --ceilings=run.json", folder), 2, "--flops=COUNTER");
  expect_one_line(roofline("plot results.json --ceilings=run.json --flops=G --bytes=B", folder), 2, "there are: B, F");
  const auto plotted = roofline("plot results.json --ceilings=run.json --flops=F --bytes=B", folder);
  ASSERT_EQ(plotted.code, 0) << plotted.err;
  const auto svg = testing::contents(folder / "roofline.svg");
  EXPECT_NE(svg.find("BM_axpy/1: 2.00 GFLOP/s, 0.0833 FLOP/B at DRAM"), std::string::npos);
  EXPECT_NE(svg.find("DRAM: 65.9 GB/s"), std::string::npos);
  EXPECT_NE(svg.find("run.json (6 rounds, 36 of 37 rows to 5 %)"), std::string::npos)
      << "what their run said of itself, and nothing of this one";
}

TEST_F(RooflineCommand, APictureIsOfTheKindThatItsNameEndsIn) {
  expect_one_line(roofline("plot run.json -o x.gif", folder), 2, "x.gif: a plot ends in .svg, .png or .pdf");
  const bool converts = std::system("command -v rsvg-convert >/dev/null 2>&1") == 0;
  for (const auto& [name, begin] : {std::pair{"x.png", "\x89PNG"}, {"x.pdf", "%PDF"}}) {
    const auto plotted = roofline(std::string("plot run.json -o ") + name, folder);
    if (!converts) {
      expect_one_line(plotted, 2, "needs rsvg-convert");
      continue;
    }
    EXPECT_EQ(plotted.code, 0) << plotted.err;
    EXPECT_EQ(testing::contents(folder / name).substr(0, 4), begin);
  }
}

TEST_F(RooflineCommand, ARunIsShownOnAScreenOrWhole) {
  const auto screen = roofline("show run.json", folder), all = roofline("show --all run.json", folder);
  EXPECT_LE(std::count(screen.out.begin(), screen.out.end(), '\n'), 45);
  EXPECT_NE(screen.out.find("Shares hold to +-"), std::string::npos);
  EXPECT_EQ(screen.out.find("Compute ceilings"), std::string::npos);
  for (const auto* const title : {"\nCompute ceilings", "\nKernels, 2 threads", "\nSanity checks"})
    EXPECT_NE(all.out.find(title), std::string::npos) << title;
}

}  // namespace
}  // namespace roofline::roofline_test
