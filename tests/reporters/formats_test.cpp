#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/files/files.hpp"
#include "reporters/imports/external_ceilings.hpp"
#include "reporters/imports/google_json.hpp"
#include "reporters/imports/input.hpp"
#include "reporters/page/page.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/view/flop_convention.hpp"
#include "tests/example_results.hpp"

namespace roofline::formats_test {
namespace {

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

const std::string data_txt_example = R"(# a comment with AI in it
memroofs 14336.0 2996.8 828.758
mem_roof_names 'L1' 'L2' 'HBM'
comproofs 7068.86 3535.79
comp_roof_names 'FMA' 'No-FMA'
AI 0.87 2.25 2.58
GFLOPs 2085.756683
labels 'Kernel'
)";

const std::string edison =
    R"({"empirical": {"metadata": {"HOSTNAME": ["edison01", [], ["1.2.3.4"]], "META_DATAMPI_PROCS": 1, "": 3,
  "UNAME": ["Linux", "a", "b", "c", "d", "e"]},
  "gflops": {"data": [["GFLOPs", 355.78999999999996]], "metadata": {}},
  "gbytes": {"data": [["L1", 1723.23], ["L2", 1075.5599999999999], ["L3", 669.08], ["DRAM", 83.0]]}},
  "spec": {"gflops": {"data": [["GFLOPs", 460.4]]}, "gbytes": {"data": [["L1", 1843.2], ["DRAM", 102.4]]}}})";

TEST(ErtJson, TheShippedExampleIsRead) {
  const auto results = parse_ert_json(edison, "roofline.json");
  EXPECT_EQ(results.machine.name, "edison01");
  EXPECT_NEAR(results.roofline.compute(Operation::fma)->rate, 355.79e9, 1e3);
  EXPECT_NEAR(*results.roofline.compute(Operation::fma)->theory, 460.4e9, 1);
  EXPECT_NEAR(results.roofline.bandwidth(MemoryLevel::L3)->rate, 669.08e9, 1);
  EXPECT_NEAR(*results.roofline.bandwidth(MemoryLevel::DRAM)->theory, 102.4e9, 1);
  EXPECT_NE(results.warnings.at(0).find("ordinal"), std::string::npos);
}

TEST(ErtJson, LevelsTakeTheNamesThatTheUserKnows) {
  const std::string v100 = R"({"empirical": {"gflops": {"data": [["FP64 GFLOPs", 7068.9]]},
                           "gbytes": {"data": [["L1", 2996.82], ["DRAM", 828.83]]}}})";
  InputOptions options;
  options.levels = {"L2", "DRAM"};
  const auto results = parse_input(v100, "v100.json", options);
  EXPECT_EQ(results.roofline.bandwidth(MemoryLevel::L1), nullptr);
  EXPECT_NEAR(results.roofline.bandwidth(MemoryLevel::L2)->rate, 2996.82e9, 1);
  options.levels = {"L2"};
  EXPECT_THROW(parse_input(v100, "v100.json", options), std::invalid_argument);
}

TEST(ErtJson, WhatIsWrittenReadsBackEqual) {
  const auto results = example::results(false);
  const auto again = parse_ert_json(ert_json(results), "roofline.json");
  for (const auto level : memory_levels)
    EXPECT_NEAR(again.roofline.bandwidth(level)->rate / results.roofline.bandwidth(level)->rate, 1, 1e-6);
  EXPECT_NEAR(again.roofline.compute(Operation::fma)->rate / results.roofline.compute(Operation::fma)->rate, 1, 1e-6);
  auto text = nlohmann::ordered_json::parse(ert_json(again));
  auto first = nlohmann::ordered_json::parse(ert_json(results));
  EXPECT_EQ(text["empirical"]["gbytes"]["data"], first["empirical"]["gbytes"]["data"]);
}

TEST(ErtJson, ErrorsNameThePlace) {
  const auto error = [](const std::string& text) { return error_of([&] { parse_ert_json(text, "r.json"); }); };
  EXPECT_EQ(error(R"({"empirical": {"gbytes": {"data": [["L1"]]}}})"),
            "r.json: /empirical/gbytes/data/0: [name, value] is expected");
  EXPECT_EQ(error(R"({"empirical": {"gbytes": {"data": [["L1", -1]]}}})"),
            "r.json: /empirical/gbytes/data/0: the value is no rate");
  EXPECT_EQ(error(edison.substr(0, 100)).rfind("r.json:1:", 0), 0u);
}

TEST(GoogleJson, RepetitionsAreOnePointAtTheirMedian) {
  std::string rows;
  for (const int time : {3, 1, 2})
    rows += (rows.empty() ? "" : ",") +
            std::string(R"({"name": "BM/1", "run_type": "iteration", "time_unit": "us", "real_time": )") +
            std::to_string(time) + R"(, "ops": 100, "moved": 50, "nothing": -Infinity})";
  rows +=
      R"(,{"name": "BM/1_mean", "run_type": "aggregate", "aggregate_name": "mean", "time_unit": "us", "real_time": 9})";
  rows += R"(,{"name": "BM/2", "time_unit": "us", "real_time": 9})";
  InputOptions options;
  options.flops = "ops", options.bytes = "moved", options.level = "L2", options.per_iteration = true;
  const auto results = parse_google_json("{\"benchmarks\": [" + rows + "]}", "g.json", options);
  ASSERT_EQ(results.points.size(), 1u);
  EXPECT_NEAR(results.points[0].time.median, 2e-6, 1e-12);
  EXPECT_NEAR(*results.points[0].counts.intensity(MemoryLevel::L2), 2, 1e-9);
  EXPECT_EQ(results.points[0].counts.operations.flops(), 100u);
  EXPECT_NE(results.warnings.at(0).find("1 rows without ops or moved"), std::string::npos);
}

TEST(RunCsv, PointsReadBackFromTheTable) {
  const auto results = example::results(false);
  const auto again = parse_run_csv(efficiency_csv(results), "e.csv");
  ASSERT_EQ(again.points.size(), results.points.size());
  for (std::size_t i = 0; i < results.points.size(); ++i) {
    EXPECT_EQ(again.points[i].time.median, results.points[i].time.median);
    EXPECT_EQ(again.points[i].counts.operations, results.points[i].counts.operations);
    for (const auto level : memory_levels)
      EXPECT_DOUBLE_EQ(again.points[i].counts.at(level)->total(), results.points[i].counts.at(level)->total());
  }
  EXPECT_EQ(error_of([] { parse_run_csv("name,flops\na\n", "e.csv"); }), "e.csv:2: 1 fields, the header has 2");
  EXPECT_EQ(error_of([] { parse_run_csv("name,flops\na,x\n", "e.csv"); }), "e.csv:2: flops: 'x' is no number");
}

const std::string carm_csv =
    "Name:,host,L1 Size:,48,L2 Size:,1024,L3 Size:,32768,,L1,L1,L2,L2,L3,L3,DRAM,DRAM,FP,FP,FP FMA,FP_FMA\n"
    "Date,ISA,Precision,Threads,Loads,Stores,Interleaved,DRAM Bytes,FP "
    "Inst.,GB/s,I/Cycle,GB/s,I/Cycle,GB/s,I/Cycle,GB/s,I/"
    "Cycle,Gflop/s,I/Cycle (FP),Gflop/s,I/Cycle (FP FMA)\n"
    "2024,avx512,dp,2,2,1,No,1,add,1400,2,900,1,300,0.5,60,0.1,130,2,0,0\n";
const std::string rocprof_csv =
    "device,HBMBw,HBMBwLow,hbmBwHigh,L2Bw,FP64Flops,MFMAF64Flops\n0,1406.8727,1405.718,1408.0273,4980.5576,20438.549,"
    "0\n";
const std::string babel_csv =
    "function,num_times,n_elements,sizeof,max_mibytes_per_sec,min_runtime\nCopy,100,33554432,8,40000,0.01\nTriad,100,"
    "33554432,8,30000,0.02\n";
const std::string likwid_out = "Test: triad_avx512\nCycles: 12\nMByte/s:\t\t50000.5\nMFlops/s:\t100\n";
const std::string nvbench_json =
    R"({"meta": {"version": {}}, "devices": [], "benchmarks": [{"name": "copy", "states": [{"summaries": [
    {"tag": "nv/cold/bw/global/bytes_per_second", "data": [{"name": "value", "type": "float64", "value": "4.1e12"}]}]}]}]})";

std::vector<Ceiling> opinions_of(const std::string& text, const std::string& origin) {
  OpinionOptions options;
  return parse_external_ceilings(text, origin, options);
}

/// A few lines of each profiler's file, to be damaged.
const std::map<std::string, std::string> foreign{
    {"ncu, raw page",
     "\"ID\",\"Process ID\",\"Kernel "
     "Name\",\"CC\",\"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum\",\"smsp__sass_"
     "thread_inst_executed_op_dmul_pred_on.sum\",\"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum\",\"gpu__time_"
     "duration.sum\",\"dram__bytes.sum\"\n\"\",\"\",\"\",\"\",\"inst\",\"inst\",\"inst\",\"usecond\",\"Mbyte\"\n\"0\","
     "\"1\",\"k\","
     "\"8.0\",\"0\",\"0\",\"1,024,000\",\"12.5\",\"1.50\"\n"},
    {"nvprof",
     "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
     "Description\",\"Min\",\"Max\",\"Avg\"\n\"V100\",\"k(int)\",1,"
     "\"flop_count_dp\",\"\",8,8,8\n\"V100\",\"k(int)\",1,\"dram_read_transactions\",\"\",8,8,8\n"},
    {"rocprofiler",
     "Kernel_Name,Start_Timestamp,End_Timestamp,SQ_INSTS_VALU_ADD_F64,SQ_INSTS_VALU_MUL_F64,SQ_INSTS_VALU_FMA_F64,TCP_"
     "TCC_READ_REQ_sum,TCP_TCC_WRITE_REQ_sum\nk,100,900,1,2,3,40,50\n"},
    {"Advisor", "ID,Function Call Sites and Loops,Self GFLOPS,Self AI,Self GFLOP\n1,loop,42.5,0.25,527.0\n"},
    {"Google Benchmark, CSV",
     "name,iterations,real_time,cpu_time,time_unit,\"f\",\"b\"\n\"axpy/1\",70,1e+07,9.9e+06,ns,1.5e+11,1.25e+10\n"}};

TEST(Foreign, EveryFormatIsToldByItsContent) {
  InputOptions google;
  google.flops = "f", google.bytes = "b", google.per_iteration = true;
  for (const auto& [format, text] : foreign) EXPECT_EQ(parse_input(text, "m", google).points.size(), 1u) << format;
  EXPECT_NE(error_of([] { parse_input("a,b\n1,2\n", "x.csv"); }).find("no format that is known; read are run.json"),
            std::string::npos);
}

TEST(ExternalCeilings, EveryToolIsReadAndNamed) {
  const auto find = [](const std::string& text, const std::string& label) {
    for (const auto& ceiling : opinions_of(text, "file"))
      if (ceiling.label == label) return ceiling.opinion ? ceiling.rate : -1;
    return 0.0;
  };
  EXPECT_EQ(find(carm_csv, "CARM L2"), 900e9);
  EXPECT_EQ(find(carm_csv, "CARM no-FMA"), 130e9);
  EXPECT_EQ(find(carm_csv, "CARM FMA"), 0) << "0 was not measured";
  EXPECT_EQ(find(rocprof_csv, "rocprof HBMBw"), 1406.8727e9);
  EXPECT_EQ(find(rocprof_csv, "rocprof FP64 FMA"), 20438.549e9);
  EXPECT_EQ(find(babel_csv, "BabelStream Copy"), 40000 * 1048576.0);
  EXPECT_EQ(find(likwid_out, "likwid-bench triad_avx512"), 50000.5e6);
  EXPECT_EQ(find(nvbench_json, "nvbench copy"), 4.1e12);
  EXPECT_NE(error_of([] { opinions_of(R"({"benchmarks": [], "devices": []})", "n.json"); }).find("/meta is missing"),
            std::string::npos);
}

TEST(ExternalCeilings, IsShownAndIsNoRoof) {
  auto results = example::results(false);
  auto ceilings = results.roofline.ceilings();
  for (auto ceiling : opinions_of(carm_csv, "c.csv")) {
    ceiling.rate *= 100, ceiling.threads = results.roofline.threads();
    ceilings.push_back(ceiling);
  }
  const Roofline with(ceilings, results.roofline.threads());
  EXPECT_EQ(with.bandwidth(MemoryLevel::DRAM)->rate, results.roofline.bandwidth(MemoryLevel::DRAM)->rate);
  EXPECT_EQ(with.compute(Operation::nofma)->rate, results.roofline.compute(Operation::nofma)->rate);
}

/// Everything that a report is made of, so that a mutation that parses is also drawn.
void report_all(const Results& results) {
  svg_plot(results), page_data(results), data_txt(results), ert_json(results), efficiency_csv(results);
  everything_text(results, true, 60), screen_text(results, {.utf8 = true, .folder = {}, .files = {}});
  by_account(results, parse_flop_convention("11")), by_account(results, parse_flop_convention("measured"));
  for (auto* const view : {time_plot, cache_aware_plot, instruction_plot}) try {
      view(results);
    } catch (const std::invalid_argument&) {  // nothing to draw
    }
}

/// 1000 mutations: bytes changed, removed, doubled, numbers replaced, the end cut off.
void mutate(const std::string& text, const std::function<Results(const std::string&)>& parse) {
  std::mt19937 random(12345);
  const char* const numbers[] = {"-1",   "0",    "1e308", "1e-308", "99999999999999999999",
                                 "null", "\"\"", "[]",    "{}",     "1e999"};
  int parsed = 0;
  for (int i = 0; i < 1000; ++i) {
    auto mutated = text;
    for (unsigned n = 1 + random() % 3; n > 0 && !mutated.empty(); --n) {
      const auto at = random() % mutated.size();
      switch (random() % 5) {
        case 0:
          mutated[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          mutated.erase(at, 1 + random() % 20);
          break;
        case 2:
          mutated.insert(at, mutated.substr(at, random() % 40));
          break;
        case 3:
          mutated.resize(at);
          break;
        default: {
          const auto digit = mutated.find_first_of("0123456789", at);
          if (digit == std::string::npos) break;
          const auto end = mutated.find_first_not_of("0123456789.eE+-", digit);
          mutated.replace(digit, std::min(end, mutated.size()) - digit, numbers[random() % std::size(numbers)]);
        }
      }
    }
    try {
      const auto results = parse(mutated);
      if (++parsed % 8 == 0) report_all(results);
    } catch (const FileError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    } catch (const std::invalid_argument&) {
    }
  }
  EXPECT_GT(parsed, 0);
}

TEST(Mutations, OfEveryFormatEndInOneLineOrInAReport) {
  auto small = example::results(false);
  small.points.resize(6);
  conclude(small);
  mutate(nlohmann::ordered_json{{"roofline", stored_run(small)}}.dump(),
         [](const auto& t) { return parse_run(t, "m"); });
  mutate(data_txt_example, [](const auto& t) { return parse_data_txt(t, "m"); });
  mutate(edison, [](const auto& t) { return parse_ert_json(t, "m"); });
  mutate(efficiency_csv(small), [](const auto& t) { return parse_run_csv(t, "m"); });
  InputOptions google;
  google.flops = "f", google.bytes = "b", google.per_iteration = true;
  mutate(R"({"benchmarks": [{"name": "a", "time_unit": "us", "real_time": 1, "f": 3, "b": 4}]})",
         [&](const auto& t) { return parse_google_json(t, "m", google); });
  for (const auto& [file, columns] : foreign)
    mutate(columns, [&](const auto& t) { return parse_input(t, "m", google); });
  mutate("kernel,platform,efficiency\na,x,0.5\n\"b,c\",x,98 %\na,y,1.0064\n", [](const auto& t) {
    std::vector<std::string> notes;
    auto platforms = parse_efficiencies(t, "m", notes);
    join_sizes(platforms);
    navigation_chart(platforms, {}), p3_csv(platforms), cascade_csv(platforms), to_text(portability_table(platforms));
    return Results{};
  });
  mutate("kernel,divergence\na,0.25\n\"b,c\",1\n", [](const auto& t) {
    navigation_chart({PlatformResult{"x", {"a"}, {{"a", 0.5}}}}, parse_divergence(t, "m"));
    return Results{};
  });
  for (const auto& opinion : {carm_csv, rocprof_csv, babel_csv, likwid_out, nvbench_json})
    mutate(opinion, [](const auto& t) {
      Results results;
      results.roofline = Roofline(opinions_of(t, "m"), 1);
      return results;
    });
}

}  // namespace
}  // namespace roofline::formats_test
