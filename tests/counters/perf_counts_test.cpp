#include <gtest/gtest.h>

#include <cerrno>

#include "bench/counters/imports/imported.hpp"
#include "bench/counters/perf/counter.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/counting/cpu_counter.hpp"
#include "bench/text/output.hpp"
#include "tests/error_of.hpp"

namespace roofline::perf_counts_test {
namespace {

using perf::CpuQuantity;
using enum perf::CpuQuantity;

// perf 6.1 on a virtual machine without a PMU, with one event of a machine that has one added.
const std::string perf_stat = R"(# started on Sun Nov 22 06:04:13 2026

{"counter-value" : "0.806839", "unit" : "msec", "event" : "task-clock", "event-runtime" : 806839, "pcnt-running" : 100.00, "metric-value" : 0.006762, "metric-unit" : "CPUs utilized"}
{"counter-value" : "75.000000", "unit" : "", "event" : "page-faults", "event-runtime" : 704229, "pcnt-running" : 100.00, "metric-value" : 106.499448, "metric-unit" : "K/sec"}
{"counter-value" : "<not supported>", "unit" : "", "event" : "instructions", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
{"counter-value" : "1000000.000000", "unit" : "", "event" : "l1d.replacement:u", "event-runtime" : 704229, "pcnt-running" : 100.00, "metric-value" : 0.0, "metric-unit" : ""}
{"counter-value" : "3.000000", "unit" : "", "event" : "uncore_imc_0/unc_m_cas_count.rd/", "event-runtime" : 704229, "pcnt-running" : 100.00}
{"counter-value" : "4.000000", "unit" : "", "event" : "uncore_imc_1/unc_m_cas_count.rd/", "event-runtime" : 704229, "pcnt-running" : 100.00}
)";

/// A region of LIKWID's, of one call.
const perf::EventCounts of_likwid{{"INSTR_RETIRED_ANY", 300},
                                  {"FP_ARITH_INST_RETIRED_SCALAR_DOUBLE", 20},
                                  {"FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE", 0},
                                  {"FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", 0},
                                  {"FP_ARITH_INST_RETIRED_512B_PACKED_DOUBLE", 200},
                                  {"CAS_COUNT_RD", 128}};

const auto& skylake() { return perf::event_tables().at("skylake_sp").formulas; }

std::string refusal(const std::string& text) {
  const auto why = testing::error_of<FileError>([&] { perf::parse_cpu_counters(text, "FILE"); });
  EXPECT_EQ(why.find('\n'), std::string::npos);
  EXPECT_TRUE(why.starts_with("FILE")) << why;
  return why;
}

std::string with(std::string text, const std::string& old, const std::string& other) {
  const auto at = text.find(old);
  EXPECT_NE(at, text.npos) << old;
  return text.replace(at, old.size(), other);
}

TEST(PerfImport, PerfStatIsReadAndUnitsOfTheUncoreAreAddedUp) {
  ASSERT_TRUE(perf::is_cpu_counters(perf_stat));
  const auto rows = perf::parse_cpu_counters(perf_stat, "FILE");
  ASSERT_TRUE(rows.contains(""));
  const auto& events = rows.at("");
  EXPECT_EQ(events.at("PAGE_FAULTS"), 75);
  EXPECT_FALSE(events.contains("INSTRUCTIONS")) << "not supported is not zero";
  EXPECT_EQ(perf::values_of(events, skylake()), (perf::CpuValues{{l2_read, 64e6}, {dram_read, 7 * 64}}));
}

TEST(PerfImport, EventsHaveTheNamesOfLikwidToo) {
  EXPECT_EQ(perf::values_of(of_likwid, skylake()), (perf::CpuValues{{flops_fp64, 1620}, {dram_read, 128 * 64}}));
}

TEST(PerfImport, MalformedFilesGiveOneLineWithThePlace) {
  EXPECT_NE(refusal(with(perf_stat, "75.000000", "7,5")).find("FILE:4"), std::string::npos);
  EXPECT_NE(refusal(with(perf_stat, "75.000000", "-75")).find("not a count"), std::string::npos);
  EXPECT_NE(refusal(with(perf_stat, "75.000000", "1.9e19")).find("64-bit"), std::string::npos);
  EXPECT_NE(refusal(with(perf_stat, "704229, \"pcnt-running\" : 100.00", "1, \"pcnt-running\" : 33.21"))
                .find("33.21 % of the time"),
            std::string::npos);
  EXPECT_NE(refusal(perf_stat.substr(0, 300)).find("FILE:4"), std::string::npos) << refusal(perf_stat.substr(0, 300));
  EXPECT_NE(refusal("STRUCT,Info\nCPU name:,x\n").find("not the output of likwid-perfctr"), std::string::npos);
  EXPECT_NE(refusal(R"({"counter-value" : "<not counted>", "event" : "cycles"})").find("nothing was counted"),
            std::string::npos);
  EXPECT_FALSE(perf::is_cpu_counters("\"ID\",\"Kernel Name\""));
}

Counts triad() {
  Counts counts;
  counts.operations.fma = 500;
  counts.at(MemoryLevel::L1) = Traffic{16000, 8000};
  counts.at(MemoryLevel::L2) = Traffic{24000, 8000};
  counts.at(MemoryLevel::DRAM) = Traffic{24000, 8000};
  return counts;
}

TEST(PerfBeside, MeasuredBytesReplaceModelledOnesAndBothAreKept) {
  const auto counts = perf::with_counted(triad(),
                                         {{flops_fp64, 1000},
                                          {dram_read, 16200},
                                          {dram_written, 8000},
                                          {l2_read, 24100},
                                          {cycles, 50},
                                          {instructions, 200}},
                                         Source::hardware, "perf");
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), (Traffic{16200, 8000}));
  EXPECT_EQ(counts.at(MemoryLevel::L2), (Traffic{24100, 8000}));
  EXPECT_EQ(counts.traffic_label(), "hardware(L1:modelled,L2:writes_modelled)");
  ASSERT_EQ(counts.counted.size(), 4U);
  EXPECT_EQ(counts.counted[0].ratio, 1);
  const auto& read = counts.counted[2];
  EXPECT_EQ(read.quantity, "DRAM.read");
  EXPECT_DOUBLE_EQ(read.ratio.value(), 0.675);
  EXPECT_NE(read.note.find("write-allocates evaded"), std::string::npos);
  EXPECT_EQ(counts.instructions_per_cycle(), 4);
}

TEST(PerfBeside, WritesAloneLeaveTheLevelModelled) {
  const auto counts = perf::with_counted(triad(), {{dram_written, 9000}, {l2_read, 24000}}, Source::hardware, "perf");
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), triad().at(MemoryLevel::DRAM));
  EXPECT_EQ(counts.traffic_label(), "hardware(L1:modelled,DRAM:modelled,L2:writes_modelled)");
}

TEST(PerfBeside, DifferencesBeyondAFifthAreExplainedAndSmallOnesAreNot) {
  EXPECT_EQ(perf::difference(dram_read, 20000, triad()), "");
  EXPECT_NE(perf::difference(dram_read, 40000, triad()).find("other users"), std::string::npos);
  EXPECT_NE(perf::difference(dram_read, 1000, triad()).find("stayed in the last-level cache"), std::string::npos);
  EXPECT_NE(perf::difference(dram_written, 100, triad()).find("dirty lines"), std::string::npos);
  EXPECT_EQ(perf::difference(flops_fp32, 0, triad()), "");
}

TEST(PerfBeside, LinesThatAreOverwrittenExplainReadsThatAreMissing) {
  auto modelled = triad();
  modelled.overwritten = 8000, modelled.unpaired = 100;
  const auto counts =
      perf::with_counted(modelled, {{dram_read, 16200}, {dram_written, 8000}}, Source::hardware, "perf");
  EXPECT_FALSE(counts.overwritten) << "of bytes that were counted nothing is left out";
  EXPECT_FALSE(counts.unpaired) << "the neighbours that memory brought are among them";
  EXPECT_NE(counts.counted[0].note.find("write-allocates evaded"), std::string::npos);
  EXPECT_EQ(perf::with_counted(modelled, {{l2_read, 24100}}, Source::hardware, "perf").overwritten, 8000);
  EXPECT_EQ(perf::with_counted(modelled, {{l2_read, 24100}}, Source::hardware, "perf").unpaired, 100);
  modelled.overwritten = 0;  // in place: nothing to evade
  EXPECT_EQ(perf::difference(dram_read, 16200, modelled).find("evaded"), std::string::npos);
}

/// A kernel without a PMU, or one whose counters all say 8000.
struct FakePmu final : perf::System {
  int error = 0, next = 3;
  std::map<int, int> members;
  int open(const perf::Attribute&, int, int, int leader) override {
    if (error) return -error;
    ++members[leader < 0 ? next : leader];
    return next++;
  }
  int start(int) override { return 0; }
  int stop(int) override { return 0; }
  long read(int leader, std::vector<std::uint64_t>& words) override {
    std::fill(words.begin(), words.end(), 8000);
    words[0] = static_cast<std::uint64_t>(members[leader]);
    return static_cast<long>(words.size() * sizeof words[0]);
  }
  void close(int) override {}
};

struct OneRun {
  FakePmu pmu;
  Machine machine;
  int launched = 0;
  OneRun() { machine.vendor = "AuthenticAMD", machine.family = 25, machine.model = 1; }
  CpuCounter counter(const std::string& choice, const perf::ImportedEvents& imported = {}) {
    PerfAccess access;
    access.setup = {&pmu, "/nowhere", [] { return std::vector{1, 2}; }};
    // FLOPs of Zen 3 pass (8000 in each of two threads), bytes do not.
    access.kernels = [](int, const Machine&) {
      return std::vector<perf::KnownLaunch>{
          {"known",
           [] {},
           {{flops, 16000, 0.01}, {l2_read, 1, 0.05}, {instructions, 16000, 0.01}, {cycles, 16000, 0.01}}}};
    };
    const auto model =
        std::make_shared<CounterFunction>([](const std::string&, const Workload&) { return std::optional(triad()); });
    return cpu_counter(parse_counters_choice(choice), imported, machine, 2, model, access);
  }
  Counts count(const CpuCounter& counter) {
    Workload work;
    work.launch = [this] { ++launched; };
    return counter.source->count("stream/triad", work).value();
  }
};

TEST(CpuCounter, AMachineWithoutEventsIsModelledAndSaysSoInOneLine) {
  OneRun run;
  run.pmu.error = ENOENT;
  const auto counter = run.counter("auto");
  EXPECT_NE(counter.description.find("modelled; instructions: this kernel has no such event"), std::string::npos);
  EXPECT_TRUE(counter.warnings->empty());
  EXPECT_EQ(run.count(counter).traffic_label(), "modelled");
  EXPECT_THROW(run.counter("perf"), CountersUnavailable);
  EXPECT_THROW(run.counter("cupti"), CountersUnavailable);
}

TEST(CpuCounter, WhatFailsItsSelfTestIsNamedAndNotUsed) {
  OneRun run;
  const auto counter = run.counter("perf");
  EXPECT_NE(counter.description.find("AMD Zen 3: 1 of 3 quantities"), std::string::npos) << counter.description;
  ASSERT_GE(counter.warnings->size(), 2U);
  EXPECT_NE(counter.warnings->front().find("counter refused: L2.read"), std::string::npos);
  const auto counts = run.count(counter);
  EXPECT_EQ(counts.traffic_label(), "modelled");
  ASSERT_EQ(counts.counted.size(), 1U);
  EXPECT_EQ(counts.counted[0].quantity, "flops");
  EXPECT_GT(run.launched, 2);
  ASSERT_EQ(counter.self_test.size(), 4U);
  EXPECT_EQ(counter.self_test[0].events, (perf::EventCounts{{"fp_ret_sse_avx_ops.all", 16000}}));
  EXPECT_EQ(counts.instructions_per_cycle(), 1);
}

TEST(CpuCounter, AnUnknownCpuIsNamed) {
  OneRun run;
  run.machine.family = 99;
  EXPECT_NE(run.counter("auto").description.find("no table of events"), std::string::npos);
}

TEST(CpuCounter, ImportedCountsAreLabelledAndOthersStayModelled) {
  OneRun run;
  run.machine = {};
  run.machine.vendor = "GenuineIntel", run.machine.family = 6, run.machine.model = 0x55;
  const auto counter = run.counter("likwid.csv", {{"stream/triad", of_likwid}});
  const auto counts = run.count(counter);
  EXPECT_EQ(counts.traffic_label(), "imported(L1:modelled,L2:modelled,DRAM:writes_modelled)");
  EXPECT_EQ(run.launched, 0);
  const auto other = run.counter("likwid.csv", {{"gpp", {{"CYCLES", 1}}}});
  EXPECT_EQ(run.count(other).traffic_label(), "modelled");
  EXPECT_EQ(other.warnings->front(), "likwid.csv has no region named stream/triad");
}

}  // namespace
}  // namespace roofline::perf_counts_test
