#include <gtest/gtest.h>

#include "bench/text/output.hpp"
#include "reporters/files/files.hpp"
#include "tests/error_of.hpp"

namespace roofline::data_txt_test {
namespace {

const std::string hierarchical = R"(# a comment with AI in it
memroofs 14336.0 2996.8 828.758
mem_roof_names 'L1' 'L2' 'HBM'
comproofs 7068.86 3535.79
comp_roof_names 'FMA' 'No-FMA'
AI 0.87 2.25 2.58
GFLOPs 2085.756683
labels 'Kernel'
)";
const std::string flat =
    "memroofs 828.758\nmem_roof_names 'HBM'\ncomproofs 7068.86\ncomp_roof_names 'FMA'\n"
    "AI 2.584785579\nFLOPS 2085.756683\nlabels \u2018FMA, nw=1\u2019'surplus'\n";

TEST(DataTxt, TheHierarchicalExampleOfTheTalk) {
  const auto results = parse_data_txt(hierarchical, "data.txt");
  ASSERT_EQ(results.points.size(), 1u);
  const auto& point = results.points[0];
  EXPECT_EQ(point.name, "Kernel");
  EXPECT_NEAR(point.flop_rate(), 2085.756683e9, 1);
  EXPECT_NEAR(*point.counts.intensity(MemoryLevel::L1), 0.87, 1e-12);
  EXPECT_NEAR(*point.counts.intensity(MemoryLevel::L2), 2.25, 1e-12);
  EXPECT_NEAR(*point.counts.intensity(MemoryLevel::DRAM), 2.58, 1e-12);
  EXPECT_NEAR(results.roofline.compute(Operation::nofma)->rate, 3535.79e9, 1);
  EXPECT_NEAR(results.roofline.bandwidth(MemoryLevel::L1)->rate, 14336e9, 1);
  EXPECT_EQ(name(point.assessment.roof->bound), "DRAM");
  EXPECT_NEAR(point.assessment.roof->efficiency, 2085.756683 / (828.758 * 2.58), 1e-9);
}

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
  EXPECT_EQ(error("memroofs 1 x\n"), "d.txt:1: memroofs: 'x' is no positive number");
  EXPECT_EQ(error("memroofs 1\nmemroofs 2\n"), "d.txt:2: a second line memroofs");
  EXPECT_EQ(error("memroofs 1\nlabels 'a\nFLOPS 1\nAI 1\n"), "d.txt:2: labels: a quote is not closed");
  EXPECT_EQ(error("memroofs 1\nFLOPS 1 2\nAI 1 2 3\n"), "d.txt:3: AI: 3 intensities for 2 rates");
  EXPECT_NE(error("memroofs 1 nan\n"), "no error") << "a roof has a rate";
  EXPECT_EQ(error("nothing\n"), "d.txt:1: no memroofs and no comproofs: not a data.txt");
}

}  // namespace
}  // namespace roofline::data_txt_test
