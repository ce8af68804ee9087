#include <cmath>
#include <map>

#include "bench/any_program/preloaded_file.hpp"
#include "bench/any_program/program_events.hpp"
#include "bench/any_program/program_file.hpp"
#include "bench/any_program/program_rows.hpp"
#include "bench/any_program/readable.hpp"
#include "bench/any_program/runs.hpp"
#include "bench/counters/unavailable.hpp"
#include "tests/any_program/counted.hpp"

namespace roofline::native_run_test {
namespace {

using namespace any_program;
using ::roofline::testing::Scratch;

/// Samples of two loops of which one takes three times as long.
std::map<std::string, double> sampled(bool perf, std::string& by) {
  const Scratch folder;
  if (!testing::compile("three_to_one", "", folder).empty()) return {};
  Runner runner;
  runner.name = "three_to_one", runner.arguments = {"30000000"};  // 0.6 s on a Zen 5
  runner.input = "/dev/null", runner.folder = folder.path();
  runner.sampler = testing::installed / "libroofline_sampler.so";
  const auto program = program_file(folder / "three_to_one");
  perf ? ::unsetenv("ROOFLINE_NO_PERF_EVENTS") : ::setenv("ROOFLINE_NO_PERF_EVENTS", "1", 1);
  const auto run = run_natively(runner, program, false);
  ::unsetenv("ROOFLINE_NO_PERF_EVENTS");
  by = run.samples.by;
  const auto symbols = symbols_of(program.path);
  std::map<std::string, double> samples;
  for (const auto& [place, threads] : run.samples.threads)
    if (const auto* const symbol = place.first == program.path ? symbol_at(symbols, place.second) : nullptr)
      for (const auto& [thread, number] : threads) samples[symbol->name] += static_cast<double>(number);
  return samples;
}

TEST(NativeRun, SamplersSeeThreeQuartersOfTheTimeInOneLoop) {
  for (const bool perf : {true, false}) {
    std::string by;
    auto samples = sampled(perf, by);
    if (perf && by != "perf events") continue;  // not allowed here
    if (samples.empty()) GTEST_SKIP() << "there is no C compiler";
    const double all = samples["once"] + samples["thrice"];
    ASSERT_GT(all, 50) << by;
    const double error = std::sqrt(0.75 * 0.25 / all);
    EXPECT_NEAR(samples["thrice"] / all, 0.75, 4 * error + 0.01) << by << " " << all;
  }
}

TEST(NativeRun, LinesThatDifferBetweenNativeRunsHoldTimes) {
  EXPECT_FALSE(other_result("sum 3\n0.1 s\n", "sum 3\n0.2 s\n", "sum 3\n9.0 s\n"));
  EXPECT_EQ(other_result("sum 3\n0.1 s\n", "sum 3\n0.2 s\n", "sum 4\n9.0 s\n"), "sum 4");
  EXPECT_EQ(other_result("sum 3\n", "sum 3\n", "sum 3\nmore\n"), "more");
}

TEST(ProgramRows, NamesAreThoseOfTheSource) {
  EXPECT_EQ(readable("_Z5solvePdi.constprop.0", "a.c:3"), "solve");
  EXPECT_EQ(readable("main._omp_fn.0", "a.c:34"), "main/omp@34");
  EXPECT_EQ(readable("_ZN6DomainC1Ei", ""), "Domain::Domain");
  EXPECT_EQ(readable("_Z3mapIdET_S0_", ""), "map<double>");
  EXPECT_EQ(readable("_ZNK1AclEi", ""), "A::operator()");
  EXPECT_EQ(readable("main.run", ""), "main.run");  // Go
}

CountedFunction function(const std::string& name, const std::string& module, std::uint64_t from, std::uint64_t flops) {
  CountedFunction f;
  f.name = name, f.module = module, f.ranges = {{from, from + 100}};
  f.instructions = {1000}, f.operations["fp64"].add = flops;
  return f;
}

TEST(ProgramRows, TimeIsThatOfTheLongestThreadAndTheRestIsOneRow) {
  CountedRun run;
  run.program = "/p";
  run.functions = {function("f", "/p", 100, 500), function("f.part.0", "/p", 300, 100), function("g", "/p", 500, 1),
                   function("sin", "/libm.so", 100, 50)};
  Samples samples;
  samples.by = "perf events", samples.period = 0.001;
  samples.threads[{"/p", 150}] = {{1, 100}, {2, 50}};
  samples.threads[{"/p", 399}] = {{1, 20}};
  samples.threads[{"/p", 510}] = {{1, 1}};
  samples.threads[{"/libm.so", 999}] = {{2, 30}};
  samples.threads[{"[vdso]", 1}] = {{2, 1}};
  const auto rows = program_rows(run, samples, {0.01, false, {}});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].name, "f");
  EXPECT_EQ(rows[0].counted.flops(), 600u);
  EXPECT_DOUBLE_EQ(rows[0].seconds, 0.120);
  EXPECT_DOUBLE_EQ(rows[0].cpu_seconds, 0.170);
  EXPECT_EQ(rows[1].name, "libm.so");
  EXPECT_DOUBLE_EQ(rows[1].seconds, 0.030);
  EXPECT_EQ(rows[2].name, others_name);
  EXPECT_EQ(rows[2].samples, 2u);
  EXPECT_EQ(rows[2].counted.flops(), 1u);
  const auto point = point_of(rows[0], "p", "", 2);
  EXPECT_EQ(point.name, "p/f");
  EXPECT_DOUBLE_EQ(point.flop_rate(), 600 / 0.120);
  EXPECT_FALSE(point.counts.at(MemoryLevel::L1));
}

TEST(ProgramRows, LoopsOfAFunctionAreRowsOfTheirOwn) {
  CountedRun run;
  run.program = "/p";
  run.functions = {function("f", "/p", 100, 500), function("f", "/p", 200, 300)};
  run.functions[0].loop = "/loop@12", run.functions[1].loop = "/loop@20";
  run.functions[0].source = run.functions[1].source = "heat.f90:1";
  const auto rows = program_rows(run, {}, {0, false, {}});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "f/loop@12");
  EXPECT_EQ(rows[0].source, "heat.f90:12") << "not the line of the program";
  EXPECT_EQ(rows[1].counted.flops(), 300u);
}

TEST(ProgramRows, ThreadsAreThoseThatDoATenthOfTheBusiestOnes) {
  ProgramRow row;
  EXPECT_EQ(row.threads(), 1);
  row.counted.instructions = {1000, 100, 99, 0};
  EXPECT_EQ(row.threads(), 2);
}

TEST(ProgramRows, PrecisionIsThatOfNineTenthsOfTheFlops) {
  const auto precision = [](std::uint64_t fp64, std::uint64_t fp32) {
    ProgramRow row;
    row.counted.operations["fp64"].add = fp64, row.counted.operations["fp32"].add = fp32;
    return point_of(row, "p", "", 1).counts.precision;
  };
  EXPECT_EQ(precision(90, 10), "fp64");
  EXPECT_EQ(precision(10, 90), "fp32");
  EXPECT_EQ(precision(89, 11), "unknown");
}

TEST(RegionRows, ThreadsAreSideBySideAndCallsOfAThreadOneAfterAnother) {
  const Scratch folder;
  const auto region = [](std::uint64_t thread, std::uint64_t milliseconds) {
    PreloadedRegion one{"solve", thread, 1, 1000000 * milliseconds, 0, 0};
    return std::string(reinterpret_cast<const char*>(&one), sizeof one);
  };
  // Regions of two processes, whose threads may have the same number.
  write_file(folder / "regions", region(7, 200) + region(8, 300) + region(7, 250));
  const auto times = read_region_times(folder / "regions");
  ASSERT_EQ(times.at("solve").size(), 2u);
  EXPECT_DOUBLE_EQ(times.at("solve").at(7), 0.45);
  CountedRun run;
  run.regions = {function("solve", "/p", 0, 100)};
  const auto rows = region_rows(run, times, 1.5);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(rows[0].seconds, 0.45) << "in the thread that spent most";
  EXPECT_DOUBLE_EQ(rows[0].cpu_seconds, 0.75);
  EXPECT_DOUBLE_EQ(rows[0].share, 0.5);
}

TEST(Hardware, IsNextToTheSumsOfAllRowsWithTheRatioAndItsCause) {
  ProgramRow row, other;
  row.counted.operations["fp64"].fma = 2'000'000'000, row.counted.operations["fp32"].add = 1'000'000'000;
  row.counted.bytes[MemoryLevel::DRAM] = {6e9, 2e9};
  other.counted.operations["fp64"].add = 1'000'000'000;
  using enum perf::CpuQuantity;
  const auto lines = hardware_next_to({row, other}, {{flops_fp64, 5e9}, {flops, 9e9}, {dram_read, 9e9}});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "hardware: flops_fp64 5.00 G, executed 5.00 G: 1.00 times");
  EXPECT_EQ(lines[1], "hardware: flops 9.00 G, executed 6.00 G: 1.50 times");
  EXPECT_EQ(lines[2].substr(0, 67), "hardware: DRAM.read 9.00 G, modelled 6.00 G: 1.50 times; prefetched");
}

TEST(Hardware, EventsAreThoseOfTheProgramAndItsChildren) {
  const Scratch folder;
  if (!testing::compile("three_to_one", "", folder).empty()) GTEST_SKIP() << "there is no C compiler";
  Launch launch;
  launch.file = "/bin/sh", launch.name = "sh", launch.arguments = {"-c", folder / "three_to_one 3000000; true"};
  launch.in = "/dev/null", launch.out = folder / "out.txt";
  constexpr std::uint32_t software = 1;  // PERF_TYPE_SOFTWARE, of a kernel without hardware counters as well
  std::unique_ptr<ProgramEvents> events;
  std::string why_not;
  launch.before = [&](pid_t child) {
    try {
      events = std::make_unique<ProgramEvents>(
          std::vector<perf::Event>{{"task-clock", {software, 1}}, {"page-faults", {software, 2}}}, child);
    } catch (const CountersUnavailable& why) {
      why_not = why.what();
    }
  };
  const auto ending = any_program::run(launch);
  if (!events) GTEST_SKIP() << why_not;
  const auto counts = events->counts();
  EXPECT_GT(counts.at("task-clock"), 0.5e9 * ending.user);
  EXPECT_LT(counts.at("task-clock"), 1e9 * (ending.user + ending.system) + 2e7) << "ns, not of ours";
  EXPECT_GT(counts.at("page-faults"), 10);
}

}  // namespace
}  // namespace roofline::native_run_test
