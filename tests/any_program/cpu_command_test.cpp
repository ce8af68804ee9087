#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "tests/any_program/counted.hpp"

namespace roofline::cpu_command_test {
namespace {

using namespace ::roofline::testing;

void write_program(const std::string& path, const std::string& content, int mode = 0755) {
  std::ofstream(path, std::ios::binary) << content;
  ASSERT_EQ(::chmod(path.c_str(), static_cast<mode_t>(mode)), 0);
}

std::string elf(int bits, int machine) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = bits == 32 ? ELFCLASS32 : ELFCLASS64;
  header.e_type = ET_EXEC, header.e_machine = static_cast<Elf64_Half>(machine);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header);
}

TEST(CpuCommand, RefusesWhatIsNoProgramThatCanBeCounted) {
  const Scratch folder;
  write_program(folder / "script", "#!/bin/sh\n");
  write_program(folder / "text", "hello");
  write_program(folder / "short", "");
  write_program(folder / "of32", elf(32, EM_386));
  write_program(folder / "mpirun", elf(64, EM_X86_64));
  write_program(folder / "risc", elf(64, EM_RISCV));
  write_program(folder / "root", elf(64, EM_X86_64), 04755);
  write_program(folder / "data", elf(64, EM_X86_64), 0644);
  expect_one_line(count("-- ./nothing", folder), 4, "there is no such program");
  expect_one_line(count("-- no_such_program_in_path", folder), 4, "not found in PATH");
  expect_one_line(count("-- ./script", folder), 2, "is a script");
  expect_one_line(count("-- ./text", folder), 2, "not an ELF file");
  expect_one_line(count("-- ./short", folder), 2, "not an ELF file");
  expect_one_line(count("-- ./of32", folder), 2, "32 bit");
  expect_one_line(count("-- ./mpirun -np 2 ./a", folder), 2, "mpirun -np 2 roofline cpu -- ./program");
  expect_one_line(count("-- ./risc", folder), 2, "another machine");
  expect_one_line(count("-- ./root", folder), 2, "set-uid");
  expect_one_line(count("-- ./data", folder), 4, "chmod +x");
  expect_one_line(count("-- ./", folder), 2, "not a file that can be run");
  expect_one_line(count("", folder), 2, "no program");
  expect_one_line(count("--caches=48K -- ./text", folder), 2, "--caches");
  expect_one_line(roofline("cpu --counts=c.json --only=f -- ./text", folder), 2, "--caches is given");
  expect_one_line(count("--caches=1K/100 -- ./text", folder), 2, "1");
  expect_one_line(count("--min-share=2 -- ./text", folder), 2, "--min-share");
  expect_one_line(count("--time-limit=-1 -- ./text", folder), 2, "--time-limit");
  expect_one_line(count("--by=line -- ./text", folder), 2, "--by");
  expect_one_line(count("--no-bytes --only=f -- ./text", folder), 2, "--only");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(CpuCommand, RefusesTilesBeforeTheProgramRuns) {
  const Scratch folder;
  std::ofstream(folder / "tiles.c") << "#include <stdio.h>\nint main(int n, char** v) {\n"
                                       "  puts(\"runs\");\n  static char shape[64];\n"
                                       "  if (n > 1) __asm__ volatile(\"ldtilecfg %0\" : : \"m\"(shape));\n}\n";
  const auto count_on = [&](const std::string& cpu) {
    return shell(cpu + " '" ROOFLINE_CLI "' cpu --counts=a.json -- ./tiles", folder);
  };
  if (shell("cc -O1 tiles.c -o tiles", folder).code != 0) GTEST_SKIP() << "no compiler that knows them";
  expect_one_line(count_on("ROOFLINE_CPU_HAS_TILES=1"), 2, "has AMX code, whose operations are not counted");
  EXPECT_EQ(count_on("ROOFLINE_CPU_HAS_TILES=1").out, "");
  ASSERT_EQ(shell("sed -i s/ldtilecfg/prefetcht0/ tiles.c; cc -O1 tiles.c -o tiles", folder).code, 0);
  EXPECT_EQ(count_on("ROOFLINE_CPU_HAS_TILES=1").err.find("AMX"), std::string::npos);
}

TEST(CpuCommand, NamesThePackageThatIsMissing) {
  const Scratch folder;
  std::filesystem::create_directories(folder / "bin");
  std::filesystem::copy(ROOFLINE_CLI, folder / "bin/roofline");  // without what lies beside it
  const auto outcome = shell("bin/roofline cpu -- '" ROOFLINE_CLI "'", folder);
  expect_one_line(outcome, 3, "libzydis-dev");
}

/// Programs that end in all ways.
class CountedEnds : public Counted {
 protected:
  void SetUp() override {
    Counted::SetUp();
    if (!IsSkipped()) {
      ASSERT_EQ(compile("ends", "-mfsgsbase", folder), "");
    }
  }
};

TEST_F(CountedEnds, WithTheCodeOfTheProgram) {
  const auto fails = count("--no-bytes -- ./ends fails", folder);
  EXPECT_EQ(fails.code, 3);
  EXPECT_NE(fails.err.find("ended with exit code 3"), std::string::npos) << fails.err;
  EXPECT_EQ(flops_of(read_run(folder / "out/run.json"), "spin"), 1000);  // counted all the same
  const auto aborts = count("--no-bytes -- ./ends aborts", folder);
  EXPECT_EQ(aborts.code, 3);
  EXPECT_NE(aborts.err.find("ended by signal 6 (Aborted) by itself: rates are left out"), std::string::npos);
  const auto partial = read_run(folder / "out/run.partial.json");
  EXPECT_EQ(flops_of(partial, "spin"), 1000) << "kept to the signal";
  EXPECT_EQ(partial.points.front().time.median, 0);
}

TEST_F(CountedEnds, GoesOnWithoutFloatingPointAndSaysSo) {
  const auto nothing = count("--min-share=0 --counters=perf -- ./ends", folder);
  EXPECT_EQ(nothing.code, 0) << nothing.err;
  EXPECT_NE(nothing.err.find("no floating-point operation"), std::string::npos) << nothing.err;
  EXPECT_NE(nothing.err.find("hardware"), std::string::npos) << "counted, or why not: " << nothing.err;
  const auto other = count("--only=other -- ./ends", folder);
  EXPECT_NE(other.err.find("--only=other: no function of this name"), std::string::npos) << other.err;
  const auto starts = count("--no-bytes -- ./ends starts", folder);
  EXPECT_NE(starts.err.find("was started and not counted: /bin/sh"), std::string::npos) << starts.err;
}

TEST_F(CountedEnds, ReadsItsInputTwice) {
  const auto reads =
      shell("echo hello | '" ROOFLINE_CLI "' cpu --no-bytes --ceilings=roofs.json --out=out -- ./ends reads",
            (count("-- ./nothing", folder), folder));
  EXPECT_EQ(reads.code, 0) << reads.err;
  EXPECT_EQ(reads.out.substr(0, 6), "hello\n");
  EXPECT_EQ(reads.err.find("another result"), std::string::npos) << reads.err;
}

TEST_F(CountedEnds, NamesAnotherResultAndNoTimes) {
  const auto differs = count("--no-bytes -- ./ends differs", folder);  // the counter maps code that can be written to
  EXPECT_NE(differs.err.find("prints another result when it is counted, so its work may be other work: 'mappings "),
            std::string::npos)
      << differs.err;
}

TEST_F(CountedEnds, HasTheThreadsThatTheUserWants) {
  const auto threads =
      shell("OMP_NUM_THREADS=7 '" ROOFLINE_CLI "' cpu --no-bytes --ceilings=roofs.json --out=out -- ./ends threads",
            (count("-- ./nothing", folder), folder));
  EXPECT_EQ(threads.out.substr(0, 2), "7\n") << threads.err;
  EXPECT_EQ(threads.err.find("another result"), std::string::npos) << threads.err;
}

TEST_F(CountedEnds, IsStartedOnceAsOneOfSeveralRanks) {
  const auto rank = shell(
      "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=2 "
      "ROOFLINE_NODE=n7 OMP_NUM_THREADS=7 '" ROOFLINE_CLI
      "' cpu --no-bytes --ceilings=roofs.json --out=out -- ./ends threads",
      (count("-- ./nothing", folder), folder));
  EXPECT_EQ(rank.code, 0) << rank.err;
  EXPECT_EQ(rank.out.substr(0, 2), "7\n") << "what it prints: " << rank.out;
  EXPECT_NE(rank.err.find("rank 1 of 2"), std::string::npos) << rank.err;
  EXPECT_NE(rank.err.find("counts without times"), std::string::npos) << rank.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/n7.1/run.json"));
}

TEST_F(CountedEnds, RefusesWhatWaitsForTheTerminal) {
  static_cast<void>(count("-- ./nothing", folder));  // writes the roofs
  const auto asks =
      shell("script -qec \"'" ROOFLINE_CLI "' cpu --ceilings=roofs.json --out=out -- ./ends asks\" /dev/null", folder);
  if (asks.code == 127) GTEST_SKIP() << asks.err;
  EXPECT_EQ(asks.code, 3) << asks.out;
  EXPECT_NE(asks.out.find("./ends: waits for the terminal"), std::string::npos) << asks.out;
}

TEST_F(CountedEnds, RefusesCodeThatUsesTheCountersRegister) {
  const auto segment = count("--no-bytes -- ./ends segment", folder);
  EXPECT_EQ(segment.code, 3);
  EXPECT_NE(segment.err.find("segment has code that uses the GS register"), std::string::npos) << segment.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "out/run.json"));
}

TEST_F(CountedEnds, KeepsAllThatWasCountedBeforeItCrashes) {
  const auto crash = count("--no-bytes -- ./ends crashes", folder);
  EXPECT_EQ(crash.code, 3);
  EXPECT_NE(crash.err.find("ended by signal 11"), std::string::npos) << crash.err;
  EXPECT_EQ(crash.err.find("no floating-point operation"), std::string::npos) << crash.err;
  EXPECT_EQ(flops_of(read_run(folder / "out/run.partial.json"), "spin"), 3'000'000);
}

TEST_F(CountedEnds, KeepsAndMarksWhatWasCountedWhenItIsStopped) {
  const auto limit = count("--no-bytes --time-limit=1 -- ./ends long", folder);
  EXPECT_EQ(limit.code, 3) << limit.err;
  EXPECT_NE(limit.err.find("stopped before its end"), std::string::npos) << limit.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "out/run.json"));
  const auto partial = read_run(folder / "out/run.partial.json");
  EXPECT_FALSE(partial.complete());
  EXPECT_GT(flops_of(partial, "spin"), 0);
  EXPECT_EQ(partial.points.front().time.median, 0);
}

TEST_F(CountedEnds, KeepsWhatWasCountedWhenTheUserInterruptsIt) {
  static_cast<void>(count("-- ./nothing", folder));  // writes the roofs
  const auto interrupted =
      shell("'" ROOFLINE_CLI
            "' cpu --no-bytes --ceilings=roofs.json --out=out -- ./ends long 2>errors & run=$!; "
            "until grep -q 'counting takes' errors; do sleep 0.1; done; sleep 1; kill -INT $run; wait $run; code=$?; "
            "cat errors >&2; exit $code",
            folder);
  EXPECT_EQ(interrupted.code, 130) << interrupted.err;
  EXPECT_NE(interrupted.err.find("stopped before its end"), std::string::npos) << interrupted.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "out/run.json"));
  EXPECT_GT(flops_of(read_run(folder / "out/run.partial.json"), "spin"), 0);
}

TEST_F(CountedEnds, LeavesNothingWhereItCannotWriteOrRead) {
  expect_one_line(roofline("cpu --ceilings=nothing.json -- ./ends", folder), 4, "nothing.json");
  write_program(folder / "file", "");
  expect_one_line(roofline("cpu --out=file/out -- ./ends", folder), 4, "file");
}

TEST(CpuCommand, HasHelpWithAnExample) {
  const auto help = roofline("cpu --help", Scratch());
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("Example: OMP_NUM_THREADS=2 roofline cpu"), std::string::npos) << help.out;
}

}  // namespace
}  // namespace roofline::cpu_command_test
