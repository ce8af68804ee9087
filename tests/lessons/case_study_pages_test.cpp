#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/result/reports.hpp"
#include "bench/storage/stored_run.hpp"

namespace roofline::case_study_pages_test {
namespace {

/// The page of a study for the V100 model's run of all claims.
std::string page(const std::string& study) {
  static const auto results = read_run(ROOFLINE_TEST_DATA "/claims-v100.json");
  return case_study(study).pages(results, study).at(0).second;
}

bool has_row(const std::string& html, const std::string& cells) {
  return html.find("<tr><td>" + cells) != std::string::npos;
}

TEST(CaseStudyPages, LatticeHasTheTimesOfEveryVersionAndOfPropagate) {
  const auto html = page("lbm");
  const auto run = read_run(ROOFLINE_TEST_DATA "/claims-v100.json");
  for (const auto& [version, talk, row] :
       {std::tuple("baseline", "39.0", "v0"), std::tuple("constant", "56.0", "v1"),
        std::tuple("unrolled", "37.0", "v2"), std::tuple("launch bounds", "25.2", "v3"),
        std::tuple("shared memory", "24.3", "v4")})
    EXPECT_TRUE(
        has_row(html, fmt::format("{}</td><td>{}</td><td>lbm/collide/{}/fma:1</td><td>&gt;= ", version, talk, row)))
        << version;
  EXPECT_TRUE(has_row(html, "propagate</td><td>12.0</td><td>lbm/propagate</td><td>&gt;= "));
  EXPECT_NE(html.find("Red: this run at HBM."), std::string::npos);
  EXPECT_NE(html.find("<td>HBM</td>"), std::string::npos);
  EXPECT_EQ(html.find("<td>DRAM</td>"), std::string::npos);
  EXPECT_NE(html.find("5117 FLOP"), std::string::npos) << "why 51 and 73 % are not to be expected";
}

TEST(CaseStudyPages, PortabilityHasTheTableOfTheTalkAndThisRun) {
  const auto html = page("portability");
  EXPECT_TRUE(has_row(html, "nw 6, FMA</td><td>39.65</td><td>66.38</td><td>49.65</td><td>49.65</td>"));
  EXPECT_TRUE(has_row(html, "nw 5, without FMA</td><td>81.28</td><td>100.64</td><td>89.93</td><td>89.93</td>"));
  EXPECT_TRUE(has_row(html, "nw 6, stride 16</td><td>98.00</td><td>-</td><td>-</td><td>-</td>"))
      << "without a result on the V100 there is no Phi";
}

TEST(CaseStudyPages, SayWhichAccountTheirPointsHave) {
  for (const auto* const study : {"gpp", "portability"}) {
    const auto html = page(study);
    EXPECT_NE(html.find("FLOPs: canonical account (FMA = 2, division = 1)"), std::string::npos) << study;
    EXPECT_NE(html.find("FLOPs as counters of a V100 saw them"), std::string::npos) << study;
  }
}

}  // namespace
}  // namespace roofline::case_study_pages_test
