#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "bench/text/output.hpp"
#include "reporters/files/files.hpp"
#include "reporters/imports/input.hpp"
#include "reporters/imports/profilers.hpp"
#include "tests/error_of.hpp"
#include "tests/example_results.hpp"

namespace roofline::formats_test {
namespace {

using testing::error_of;

std::string found(const std::string& name) {
  return read_plain_text(std::string(ROOFLINE_TEST_DATA "/field/found/") + name);
}

std::vector<Ceiling> opinions_of(const std::string& text, const std::string& origin) {
  OpinionOptions options;
  return parse_external_ceilings(text, origin, options);
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

TEST(Formats, NameThePlaceOfAnError) {
  const auto error = [](const std::string& text) { return error_of([&] { parse_ert_json(text, "r.json"); }); };
  EXPECT_EQ(error(R"({"empirical": {"gbytes": {"data": [["L1"]]}}})"),
            "r.json: /empirical/gbytes/data/0: [name, value] is expected");
  EXPECT_EQ(error(R"({"empirical": {"gbytes": {"data": [["L1", -1]]}}})"),
            "r.json: /empirical/gbytes/data/0: the value is not a rate");
  EXPECT_EQ(error_of([] { parse_run_csv("name,flops\na\n", "e.csv"); }), "e.csv:2: 1 fields, the header has 2");
  EXPECT_EQ(error_of([] { parse_run_csv("name,flops\na,x\n", "e.csv"); }), "e.csv:2: flops: 'x' is not a number");
  EXPECT_NE(error_of([] { opinions_of(R"({"benchmarks": [], "devices": []})", "n.json"); }).find("/meta is missing"),
            std::string::npos);
  EXPECT_EQ(error(found("roofline.json").substr(0, 100)).rfind("r.json:1:", 0), 0u);
}

/// A global summary of SDE with these lines.
std::string mix_of(const std::string& lines) {
  return "# EMIT_GLOBAL_DYNAMIC_STATS   EMIT# 1\n# $global-dynamic-counts\n" + lines + "# END_GLOBAL_DYNAMIC_STATS\n";
}

TEST(Sde, FusedInstructionsAreTwoFlopsOfEachNumber) {
  const auto flops = [](const std::string& lines) {
    const auto point = parse_input(mix_of(lines), "s.txt").points.at(0);
    return std::pair(point.counts.operations.flops(), point.counts.precision);
  };
  using Flops = std::pair<std::uint64_t, std::string>;
  EXPECT_EQ(flops("*elements_fp_double_4 10\n*elements_fp_double_1 3\n"), Flops(43, "fp64"));
  EXPECT_EQ(flops("VFMADD231PD_YMMqq_YMMqq_MEMqq 10\n*elements_fp_double_4 10\n"), Flops(80, "fp64"));
  EXPECT_EQ(flops("VFNMSUB213SD_XMMdq_XMMq_XMMq 7\n*elements_fp_double_1 7\n"), Flops(14, "fp64"));
  EXPECT_EQ(flops("VFMADDSUB132PS_XMMdq_XMMdq_XMMdq 5\n*elements_fp_single_4 5\n"), Flops(40, "fp32"));
  EXPECT_EQ(flops("VFMSUB231PS_ZMMf32_MASKmskw_ZMMf32_ZMMf32_AVX512 2\n*elements_fp_single_16 2\n"), Flops(64, "fp32"));
  EXPECT_EQ(flops("VFPCLASSPD_MASKmskw 9\n*elements_fp_double_1 1\n").first, 1u) << "no arithmetic";
}

TEST(Sde, WhatIsNotKnownIsRefusedOrNamed) {
  const auto error = [](const std::string& text) { return error_of([&] { parse_input(text, "s.txt"); }); };
  EXPECT_NE(error(mix_of("VFMADD231PD 10\n*elements_fp_double_4 10\n")).find("run sde with -iform 1"),
            std::string::npos);
  EXPECT_EQ(error("# EMIT_GLOBAL_DYNAMIC_STATS\n*elements_fp_double_4 10\n"),
            "s.txt: SDE's global summary has no end: the file is cut short");
  EXPECT_EQ(error(mix_of("*elements_fp_double_4 ten\n")), "s.txt:3: a name and a whole number are expected");
  EXPECT_EQ(error(mix_of("*total 1\n*total 2\n")), "s.txt:4: *total stands there twice");
  EXPECT_NE(error(mix_of("*total 1\n") + mix_of("*total 1\n")).find("s.txt:5: a second global summary"),
            std::string::npos);
  const auto masked = parse_input(mix_of("*elements_fp_double_8 2\n*elements_fp_double_8_masked 5\n"), "s.txt");
  EXPECT_EQ(masked.points.at(0).counts.operations.flops(), 16u);
  EXPECT_NE(masked.warnings.at(0).find("*elements_fp_double_8_masked is not counted"), std::string::npos);
}

TEST(Vtune, LinesOfMcdramAreTheBytesOfDram) {
  const std::string ddr = "UNC_M_CAS_COUNT.RD[UNIT0] 1,000\nUNC_M_CAS_COUNT.WR[UNIT0] 2\n";
  const std::string read = "UNC_E_RPQ_INSERTS[UNIT0] 5\nUNC_E_RPQ_INSERTS[UNIT1] 5\n";
  const std::string written = "UNC_E_WPQ_INSERTS[UNIT0] 1\nUNC_E_WPQ_INSERTS[UNIT1] 2\n";
  const auto bytes = [](const std::string& text) {
    return parse_input(text, "v.txt").points.at(0).counts.at(MemoryLevel::DRAM);
  };
  EXPECT_EQ(bytes(ddr), (Traffic{64000, 128}));
  EXPECT_EQ(bytes(ddr + read + written), (Traffic{640, 192}));
}

TEST(Vtune, HalfOfTheLinesIsRefused) {
  EXPECT_EQ(error_of([] { parse_input("UNC_M_CAS_COUNT.RD[UNIT0] 10\n", "v.txt"); }),
            "v.txt: UNC_M_CAS_COUNT.RD without UNC_M_CAS_COUNT.WR: half of the lines were not counted");
  EXPECT_EQ(error_of([] { parse_input("UNC_M_CAS_COUNT.RD[UNIT0] 10\nUNC_M_CAS_COUNT.WR[UNIT1] 2\n", "v.txt"); }),
            "v.txt: UNC_M_CAS_COUNT.RD and UNC_M_CAS_COUNT.WR are not of the same units: some lines were not counted");
  EXPECT_EQ(error_of([] { parse_input("UNC_M_CAS_COUNT.RD[UNIT0] ten\n", "v.txt"); }),
            "v.txt: UNC_M_CAS_COUNT.RD[UNIT0] without a whole number");
}

TEST(GoogleJson, WhatARowDoesNotSayIsAssumedWithAWord) {
  InputOptions options;
  options.flops = "flops", options.bytes = "bytes";
  const auto results = parse_google_json(
      R"({"benchmarks": [{"name": "BM/1", "real_time": 2e6, "flops": 1e9, "bytes": 1e9}]})", "g.json", options);
  EXPECT_DOUBLE_EQ(results.points.at(0).time.median, 2e-3);
  const auto said = fmt::format("{}", fmt::join(results.warnings, "\n"));
  EXPECT_NE(said.find("times without time_unit are taken for ns"), std::string::npos) << said;
  EXPECT_NE(said.find("rates without cpu_time are taken for those of real_time"), std::string::npos) << said;
}

TEST(ExternalCeilings, IsShownAndIsNoRoof) {
  auto results = example::results(false);
  auto ceilings = results.roofline.ceilings();
  for (auto ceiling : opinions_of(found("carm.csv"), "c.csv")) {
    ceiling.rate *= 100, ceiling.threads = results.roofline.threads();
    ceilings.push_back(ceiling);
  }
  const Roofline with(ceilings, results.roofline.threads());
  EXPECT_EQ(with.bandwidth(MemoryLevel::DRAM)->rate, results.roofline.bandwidth(MemoryLevel::DRAM)->rate);
  EXPECT_EQ(with.compute(Operation::nofma)->rate, results.roofline.compute(Operation::nofma)->rate);
}

const std::string flat =
    "memroofs 828.758\nmem_roof_names 'HBM'\ncomproofs 7068.86\ncomp_roof_names 'FMA'\n"
    "AI 2.584785579\nFLOPS 2085.756683\nlabels \u2018FMA, nw=1\u2019'surplus'\n";

TEST(DataTxt, TheFlatExampleWithTypographicQuotesAndASurplusLabel) {
  const auto results = parse_data_txt(flat, "data.txt");
  ASSERT_EQ(results.points.size(), 1u);
  EXPECT_EQ(results.points[0].name, "FMA, nw=1");
  EXPECT_NEAR(results.points[0].assessment.roof->efficiency, 0.97367, 1e-5);
}

TEST(DataTxt, ErrorsNameTheLine) {
  const auto error = [](const char* text) {
    return testing::error_of<FileError>([=] { parse_data_txt(text, "d.txt"); });
  };
  EXPECT_EQ(error("memroofs 1 x\n"), "d.txt:1: memroofs: 'x' is not a positive number");
  EXPECT_EQ(error("memroofs 1\nmemroofs 2\n"), "d.txt:2: a second line memroofs");
  EXPECT_EQ(error("memroofs 1\nlabels 'a\nFLOPS 1\nAI 1\n"), "d.txt:2: labels: a quote is not closed");
  EXPECT_EQ(error("memroofs 1\nFLOPS 1 2\nAI 1 2 3\n"), "d.txt:3: AI: 3 intensities for 2 rates");
  EXPECT_NE(error("memroofs 1 nan\n"), "no error") << "a roof has a rate";
  EXPECT_EQ(error("nothing\n"), "d.txt:1: no memroofs and no comproofs: not a data.txt");
}

TEST(EfficiencyMarkdown, HasAllTables) {
  auto results = example::results();
  results.warnings = {"DRAM copy is 30 days old"};
  const auto text = efficiency_markdown(results);
  for (const char* part : {"## Roofline\n", "### Machine\n", "### Compute ceilings\n", "### Bandwidth ceilings in GB/s",
                           "### Further bandwidth ceilings\n", "### Kernels, 2 threads\n", "| **gpp** |",
                           "- DRAM copy is 30 days old", "- bytes: modelled"})
    EXPECT_NE(text.find(part), text.npos) << part;
}

}  // namespace
}  // namespace roofline::formats_test
