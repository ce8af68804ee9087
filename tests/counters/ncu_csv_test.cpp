#include "bench/counters/imports/ncu_csv.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "bench/text/csv.hpp"
#include "bench/text/output.hpp"
#include "tests/error_of.hpp"

namespace roofline::ncu_csv_test {
namespace {

using enum Quantity;

/// The raw page: a program's own output, ncu's messages, the header, the units, two kernels of one row and another.
const std::string raw = R"csv(output of the program, with a comma
==PROF== Connected to process 4711
"ID","Process ID","Kernel Name","Block Size","dram__bytes_read.sum","gpu__time_duration.sum","smsp__sass_thread_inst_executed_op_dfma_pred_on.sum","device__attribute_name"
"","","","","Mbyte","usecond","inst",""
"0","4711","gsrb/branch/op:7pt/level:7","(256, 1, 1)","1,234.5","10.5","53,261,312","NVIDIA ""H200"""
"1","4711","gsrb/branch/op:7pt/level:7","(256, 1, 1)","0.5","1.5","8","NVIDIA H200"
"2","4711","void read_all(const double *, long, double *)","(512, 1, 1)","n/a","2","0","NVIDIA H200"
)csv";

TEST(NcuCsv, TheRawPageGivesRowsByNameInBytesAndSeconds) {
  const auto counters = parse_ncu_csv(raw, "x.csv");
  const auto& gsrb = counters.at("gsrb/branch/op:7pt/level:7");
  EXPECT_DOUBLE_EQ(*gsrb[dram_read], 1235.0e6) << "two kernels of one launch are added, scaled units converted";
  EXPECT_DOUBLE_EQ(*gsrb[seconds], 12e-6);
  EXPECT_EQ(gsrb[fp64_fma], 53261320);
  const auto& other = counters.at("void read_all(const double *, long, double *)");
  EXPECT_FALSE(other[dram_read]) << "n/a is not zero";
  EXPECT_EQ(other[fp64_fma], 0);
}

TEST(NcuCsv, ARangesNameBeforeTheKernelsOwnIsTheRow) {
  // As ncu 2025.3 writes them with --print-nvtx-rename kernel.
  const auto counters = parse_ncu_csv(R"csv("ID","Kernel Name","dram__bytes_read.sum"
"","","byte"
"0","gpp/nw:2/fma:1/stride:1/void roofline::cuda::run_kernel<roofline::gpp::OneWarpPerRow<(int)2, (bool)1, (bool)1>>(T1)","100"
"1","gpp/nw:2/fma:1/stride:1/clear(double *, a/b)","10"
"2","gpp/nw:2/fma:1/stride:1/tuned/void run_kernel<gpp::Tuned>(T1)","5"
)csv",
                                      "x.csv");
  ASSERT_EQ(counters.size(), 2u);
  EXPECT_EQ(counters.at("gpp/nw:2/fma:1/stride:1")[dram_read], 110) << "all kernels of a row";
  EXPECT_EQ(counters.at("gpp/nw:2/fma:1/stride:1/tuned")[dram_read], 5);
}

TEST(NcuCsv, TheDetailsPageHasOneRowPerMetricAndMayEndWithColumnsOfRules) {
  const auto counters =
      parse_ncu_csv(R"("ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name"
"0","stream/triad","Memory","dram__bytes_write.sum","Gbyte","2.5",""
"0","stream/triad","Memory","gpu__time_duration.sum","nsecond","1,000"
"0","stream/triad","Memory","launch__grid_size","","7",""
)",
                    "x.csv");
  EXPECT_DOUBLE_EQ(*counters.at("stream/triad")[dram_written], 2.5e9);
  EXPECT_DOUBLE_EQ(*counters.at("stream/triad")[seconds], 1e-6);
}

std::string refusal(const std::string& text) {
  return testing::error_of<FileError>([&] { parse_ncu_csv(text, "x.csv"); });
}

TEST(NcuCsv, BadFilesAreRefusedWithThePlace) {
  EXPECT_NE(refusal("").find("x.csv: no row with ID"), std::string::npos);
  EXPECT_NE(refusal("{\"json\": 1}\n").find("not the output of ncu"), std::string::npos);
  const std::string header = "\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\"\n";
  EXPECT_NE(refusal(header).find("x.csv:1: the row of units is missing"), std::string::npos);
  EXPECT_EQ(refusal(header + "\"\",\"\",\"furlong\"\n\"0\",\"k\",\"1\"\n"),
            "x.csv:3: unit 'furlong' of dram__bytes_read.sum is not known");
  EXPECT_EQ(refusal(header + "\"\",\"\",\"byte\"\n\"0\",\"k\",\"1.2.3\"\n"),
            "x.csv:3: dram__bytes_read.sum: '1.2.3' is not a number with a decimal comma, as the others here are");
  EXPECT_EQ(refusal(header + "\"\",\"\",\"byte\"\n\"0\",\"k\"\n"), "x.csv:3: 2 fields, the header has 3");
  EXPECT_NE(refusal(header + "\"\",\"\",\"byte\"\n\"0\",\"k\",\"1").find("cut short"), std::string::npos);
  EXPECT_NE(
      refusal("\"ID\",\"Kernel Name\",\"other\"\n\"\",\"\",\"\"\n\"0\",\"k\",\"1\"\n").find("none of the metrics"),
      std::string::npos);
}

TEST(NcuCsv, NumbersOfAnyLanguageAreReadByAllOfThem) {
  const std::string begin =
      "\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\",\"dram__bytes_write.sum\"\n\"\",\"\",\"byte\",\"Kbyte\"\n";
  const auto read = [&](const std::string& whole, const std::string& scaled) {
    const auto values = parse_ncu_csv(begin + "\"0\",\"k\",\"" + whole + "\",\"" + scaled + "\"\n", "x.csv").at("k");
    return std::pair(values[dram_read].value(), values[dram_written].value());
  };
  EXPECT_EQ(read("1,234,567", "1.5"), std::pair(1234567.0, 1500.0));
  EXPECT_EQ(read("1.234.567", "1,5"), std::pair(1234567.0, 1500.0));
  EXPECT_EQ(read("1\u202f234\u202f567", "1,5"), std::pair(1234567.0, 1500.0));
  EXPECT_EQ(read("9.216", "1.024"), std::pair(9216.0, 1024000.0)) << "bytes have no fraction: points between thousands";
  for (const auto& [whole, scaled] :
       std::map<std::string, std::string>{{"1,234,567", "1,5"}, {"1.234", "1.5"}, {"12,34", "1.5"}, {"1234", "1,024"}})
    EXPECT_NE(refusal(begin + "\"0\",\"k\",\"" + whole + "\",\"" + scaled + "\"\n"), "no error")
        << whole << " " << scaled;
}

TEST(NcuCsv, AsksNcuForTheNamesOfTheChipAndElseForTheCommonOnes) {
  EXPECT_EQ(ncu_metrics({{dram_read, "dram__bytes_op_read.sum"}, {seconds, "gpu__time_duration.sum"}}),
            "dram__bytes_op_read.sum,gpu__time_duration.sum");
  const auto common = ncu_metrics({});
  EXPECT_NE(common.find("dram__bytes_read.sum,dram__bytes_write.sum"), std::string::npos) << common;
  EXPECT_EQ(common.find("ffma2"), std::string::npos) << "only some chips have packed FP32";
}

TEST(NcuCsv, TheCommandForAShellKeepsToTheTerminalAndJoinsToOneList) {
  auto text = describe_counters({});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  for (std::size_t at; (at = text.find("\\\n")) != std::string::npos;) text.erase(at, 2);
  EXPECT_NE(text.find("--metrics " + ncu_metrics({}) + "   roofline_bench --one-process"), std::string::npos) << text;
}

TEST(Csv, QuotesCommasAndLineBreaks) {
  const auto csv = parse_csv("a,\"b,\"\"c\"\"\nd\",\r\n\n1,,\"2\"");
  ASSERT_EQ(csv.records.size(), 2u);
  EXPECT_EQ(csv.records[0].fields, (std::vector<std::string>{"a", "b,\"c\"\nd", ""}));
  EXPECT_EQ(csv.records[1].fields, (std::vector<std::string>{"1", "", "2"}));
  EXPECT_EQ(csv.records[1].line, 4);
  EXPECT_TRUE(csv.complete);
  EXPECT_FALSE(parse_csv("\"a").complete);
}

}  // namespace
}  // namespace roofline::ncu_csv_test
