#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bench/model/assessment.hpp"
#include "bench/storage/stored_run.hpp"
#include "reporters/files/files.hpp"
#include "reporters/imports/input.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/explain.hpp"
#include "tests/example_results.hpp"
#include "tests/reporters/imported_rows.hpp"

// Statements of imports about other people's numbers: kinds of operations, the account of FLOPs, levels and times come
// from the file, or they stay blank.

namespace roofline::imported_accounts_test {
namespace {

using namespace imported_rows;

Results on_v100(Results results) {
  results.roofline = parse_data_txt(v100, "v100.txt").roofline;
  for (auto& point : results.points) point.threads = 1;
  assess(results);
  return results;
}

/// GPP at six frequencies as Nsight Compute counts it, in the published numbers.
Results profile(double seconds) {
  const std::string sass = "smsp__sass_thread_inst_executed_op_";
  return on_v100(parse_input(
      fmt::format("\"ID\",\"Process ID\",\"Kernel Name\",\"{0}dadd_pred_on.sum\",\"{0}dmul_pred_on.sum\","
                  "\"{0}dfma_pred_on.sum\",\"gpu__time_duration.sum\",\"dram__bytes.sum\",\"lts__t_bytes.sum\","
                  "\"l1tex__t_bytes.sum\"\n"
                  "\"\",\"\",\"\",\"inst\",\"inst\",\"inst\",\"second\",\"byte\",\"byte\",\"byte\"\n"
                  "\"0\",\"1\",\"gpp\",\"164886478848\",\"1429016150016\",\"2363372863488\",\"{1}\","
                  "\"480440000000\",\"1250000000000\",\"1580000000000\"\n",
                  sass, seconds),
      "ncu.csv"));
}

TEST(TalksProfile, OfNsightComputeIsAt87PercentOfItsMix) {
  const auto results = profile(1.2808043044885498);
  const auto& point = results.points.at(0);
  EXPECT_NEAR(point.counts.operations.fma_fraction(), 0.597, 0.0005);
  ASSERT_TRUE(point.assessment.mix);
  EXPECT_NEAR(*point.assessment.mix->attainable * 1e-9, 5646, 0.5);
  EXPECT_NEAR(point.assessment.mix->efficiency, 0.87, 0.005);
  EXPECT_NEAR(1 / point.assessment.mix->efficiency, 1.14, 0.005);
  EXPECT_NE(explain(results.roofline, point).find("at 87 % of the roof of its mix"), std::string::npos);
  EXPECT_EQ(source_lines(results)[0], "FLOPs: as the file counts them, source: imported");
  EXPECT_EQ(fma_mix_table(results).rows.at(1).cells[5], "0.597");
}

TEST(TalksProfile, OfNvprofHasTheKindsThatItsMetricsTell) {
  const auto metrics = [](const std::string& rows) {
    return parse_input(
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\","
        "\"Avg\"\n" +
            rows,
        "nvprof.csv");
  };
  const auto row = [](const std::string& metric, const std::string& n) {
    return fmt::format("\"V100 (0)\",\"gpp\",1,\"{}\",\"-\",{},{},{}\n", metric, n, n, n);
  };
  const auto add = row("flop_count_dp_add", "100"), mul = row("flop_count_dp_mul", "100"),
             fma = row("flop_count_dp_fma", "400");
  EXPECT_EQ(metrics(add + mul + fma).points.at(0).counts.operations, (Operations{.add = 100, .mul = 100, .fma = 400}));
  const auto total = metrics(row("flop_count_dp", "1000")).points.at(0).counts;
  EXPECT_EQ(total.operations.flops(), 1000U);
  EXPECT_FALSE(total.kinds_known);
  const auto both = metrics(add + mul + fma + row("flop_count_dp", "1200"));
  EXPECT_EQ(both.points.at(0).counts.operations.flops(), 1200U);
  EXPECT_FALSE(both.points.at(0).counts.kinds_known) << "of what the kinds leave out nobody knows the kind";
  EXPECT_NE(fmt::format("{}", fmt::join(both.warnings, "\n")).find("flop_count_dp is not the sum"), std::string::npos);
}

TEST(TalksData, HasTheSixPublishedPercentages) {
  const auto results =
      parse_data_txt(v100 +
                         "AI_L1 0.865326481 1.556526957 2.222121895 2.863508257 3.446245893 4.034947498\n"
                         "AI_L2 2.250285265 3.34359685 3.245471837 3.766406852 4.356477696 5.182021625\n"
                         "AI_HBM 2.584785579 4.738878073 6.892970567 9.047063062 11.08619259 13.21154434\n"
                         "FLOPS 2085.756683 3593.593112 4381.739349 4625.535516 4599.764097 4692.209405\n",
                     "six.txt");
  const double published[] = {97.4, 91.5, 76.7, 65.4, 65.1, 66.4};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(100 * results.points.at(i).assessment.roof->efficiency, published[i], 0.05) << i;
    EXPECT_FALSE(results.points[i].assessment.mix) << "a mix of unknown kinds";
    EXPECT_EQ(explain(results.roofline, results.points[i]).find("of its mix"), std::string::npos);
  }
  EXPECT_EQ(kernel_table(results).rows.at(1).cells[1], "-") << "a data.txt has no times";
}

// 51 % of the peak with 70 % FMA: 73 % by the talk's convention, 60 % by that of NERSC.
TEST(TalksLattice, HasBothConventions) {
  auto results = on_v100(parse_data_txt("comproofs 7833.6\ncomp_roof_names 'FMA'\nFLOPS 3995.1\nAI 11.1\n", "lbm.txt"));
  results.roofline = parse_data_txt("comproofs 7833.6\ncomp_roof_names 'FMA'\n", "peak.txt").roofline;
  results.points.at(0).counts.operations = {.add = 15, .mul = 15, .fma = 70};
  results.points[0].counts.kinds_known = true, results.points[0].time.median = 170 / 3995.1e9;
  const auto table = fma_mix_table(results);
  const auto& cells = table.rows.at(1).cells;
  EXPECT_EQ(cells[5], "0.700");
  EXPECT_EQ(cells[8], "51.0");
  EXPECT_EQ(cells[9], "60.0");
  EXPECT_EQ(cells[11], "72.9");
}

TEST(UnknownKinds, StayBlankAlsoInRowsOfOurOwn) {
  auto results = example::results();
  std::erase_if(results.points, [](const auto& point) { return point.counts.operations.flops() == 0; });
  auto& row = results.points.at(0);
  row.counts.kinds_known = false;
  assess(results);
  const auto cells = csv_rows(results).at(0);
  for (const auto* const column :
       {"add", "mul", "fma_instructions", "div", "fma_fraction", "bound_mix", "efficiency_mix", "attainable_mix"})
    EXPECT_EQ(cells.at(column), "") << column;
  EXPECT_NE(cells.at("flops"), "");
  EXPECT_NE(cells.at("efficiency"), "");
}

TEST(Levels, NamesThatSayNoneAreOfOneMemory) {
  const auto opteron = parse_data_txt(
      "memroofs 16.6 12 8\nmem_roof_names 'peak stream' 'without prefetch' 'without NUMA'\ncomproofs 73.6\n"
      "comp_roof_names 'peak'\nAI 0.083 0.25\nFLOPS 1.17 3\nlabels 'triad' 'stencil'\n",
      "opteron.txt");
  EXPECT_EQ(opteron.roofline.bandwidth(MemoryLevel::L1), nullptr);
  EXPECT_DOUBLE_EQ(opteron.roofline.bandwidth(MemoryLevel::DRAM)->rate, 16.6e9);
  EXPECT_EQ(opteron.roofline.ceilings().size(), 4U) << "the slower ones stay lines";
  ASSERT_FALSE(opteron.warnings.empty());
  EXPECT_NE(opteron.warnings[0].find("'without NUMA'"), std::string::npos);
  EXPECT_NEAR(opteron.points.at(0).assessment.roof->efficiency, 0.85, 0.005);
  const auto damaged = parse_data_txt("memroofs 829\nmem roof names 'HBM'\ncomproofs 7068\n", "slide.txt");
  ASSERT_FALSE(damaged.warnings.empty());
  EXPECT_EQ(damaged.warnings.back(), "slide.txt:2: mem: left out: no key of data.txt");
}

TEST(Theory, OfADataTxtBelongsToTheRoofBesideIt) {
  const auto knl = parse_data_txt(
      "comproofs 2457.6 2390.1 1228.8 959.5\ncomp_roof_names 'theoretical FMA' 'empirical FMA' "
      "'theoretical no-FMA' 'empirical no-FMA'\n",
      "knl.txt");
  EXPECT_DOUBLE_EQ(knl.roofline.compute(Operation::fma)->rate, 2390.1e9);
  EXPECT_DOUBLE_EQ(*knl.roofline.compute(Operation::fma)->theory, 2457.6e9);
  EXPECT_DOUBLE_EQ(*knl.roofline.compute(Operation::nofma)->theory, 1228.8e9);
  EXPECT_NE(data_txt(knl).find("2457.6"), std::string::npos) << "lost on the way back";
}

TEST(Accounts, OfOnePlotAreNamedWithTheirRows) {
  auto results = example::results();
  results.points.resize(2);
  results.points[1].counts.account = FlopAccount::counted,
  results.points[1].counts.operations_source = Source::imported;
  const auto lines = source_lines(results);
  EXPECT_EQ(lines.at(0),
            fmt::format("FLOPs of 1 rows ({}): canonical account (FMA = 2, division = 1), source: software",
                        results.points[0].name));
  EXPECT_NE(lines.at(1).find("as the file counts them"), std::string::npos);
  EXPECT_NE(lines.at(2).find("do not compare"), std::string::npos);
}

}  // namespace
}  // namespace roofline::imported_accounts_test
