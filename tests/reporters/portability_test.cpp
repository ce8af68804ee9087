#include "reporters/view/portability.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/model/assessment.hpp"
#include "bench/text/output.hpp"
#include "reporters/plots/plots.hpp"
#include "tests/example_results.hpp"
#include "tests/xml.hpp"

namespace roofline::portability_test {
namespace {

std::vector<PlatformResult> efficiencies(const std::string& csv) {
  std::vector<std::string> notes;
  return parse_efficiencies(csv, "e.csv", notes);
}

TEST(Portability, ATableOfTheTalk) {
  // KNL, V100 and the printed harmonic mean, in percent; 0.011 is its rounding.
  // Without FMA, with FMA, and over strides.
  const std::array<double, 3> columns[] = {
      {82.06, 92.88, 87.14},  {72.95, 92.88, 81.72}, {73.74, 97.43, 83.95}, {78.72, 98.91, 87.67},
      {81.28, 100.64, 89.93}, {82.81, 99.73, 90.49}, {84.98, 97.36, 90.76}, {77.50, 91.50, 83.92},
      {66.77, 76.70, 71.39},  {55.28, 65.44, 59.93}, {46.56, 65.07, 54.28}, {39.65, 66.38, 49.65},
      {38.40, 65.64, 48.46},  {75.24, 85.43, 80.01}, {98.39, 98.81, 98.60}, {99.20, 99.89, 99.55}};
  std::string csv = "kernel,platform,efficiency\n";
  for (const auto& [knl, v100, mean] : columns) csv += fmt::format("{0},KNL,{1}%\n{0},V100,{2} %\n", mean, knl, v100);
  const auto table = portability_table(efficiencies(csv));
  ASSERT_EQ(table.rows.size(), std::size(columns));
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    EXPECT_NEAR(std::stod(table.rows[i].cells.back()), columns[i][2], 0.0151) << i;
}

TEST(Portability, AnUnsupportedPlatformMakesItZero) {
  const auto platforms = efficiencies("kernel,platform,efficiency\na,x,0.5\nb,x,0.5\nb,y,0.25\n");
  const auto table = portability_table(platforms);
  EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{"a", "50.00", "-", "0.00"}));
  EXPECT_EQ(table.rows[1].cells, (std::vector<std::string>{"b", "50.00", "25.00", "33.33"}));
}

TEST(Portability, NamesOfAnEarlierVersionAreThoseOfToday) {
  auto platforms = efficiencies(
      "kernel,platform,efficiency\nstream/triad,new,0.5\nstencil/7pt,new,0.5\nlbm/collide/v4/fma:1,new,0.5\n"
      "stream/triad/n:64,old,0.25\nstencil/7pt/n:258/flops:7,old,0.25\nlbm/collide/v4/lx:257/ly:1024/fma:1,old,0.25\n");
  const auto notes = join_sizes(platforms);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("stream/triad (stream/triad, stream/triad/n:64)"), std::string::npos) << notes[0];
  const auto table = portability_table(platforms);
  ASSERT_EQ(table.rows.size(), 3U);
  for (const auto& row : table.rows) EXPECT_EQ(row.cells.back(), "33.33") << row.cells[0];
  auto two = efficiencies("kernel,platform,efficiency\na/n:1,x,0.5\na/n:2,x,0.5\na/n:3,y,0.5\n");
  EXPECT_NE(join_sizes(two).at(0).find("several sizes on one platform"), std::string::npos);
}

TEST(Portability, AboveOneIsClippedOnlyForTheToolThatRejectsIt) {
  const auto csv = p3_csv(efficiencies("kernel,platform,efficiency\n\"a,b\",x,1.0064\n"));
  EXPECT_EQ(csv, "problem,platform,application,arch eff,arch eff raw,clipped\n\"a,b\",x,roofline_bench,1,1.0064,1\n");
}

TEST(Portability, ErrorsNameTheLine) {
  for (const auto* const text :
       {"x\n", "kernel,platform,efficiency\na,b\n", "kernel,platform,efficiency\na,b,1\na,b,1\n"})
    EXPECT_THROW(efficiencies(text), FileError) << text;
}

TEST(Portability, ACellWithoutANumberIsAResultThatIsMissing) {
  for (const auto* const cell : {"nan", "", "failed"}) {
    auto platforms = efficiencies(fmt::format("kernel,platform,efficiency\na,x,{}\na,y,0.5\n", cell));
    const auto notes = join_sizes(platforms);
    ASSERT_EQ(notes.size(), 1U) << cell;
    EXPECT_NE(notes[0].find("Phi of a is 0"), std::string::npos) << notes[0];
  }
}

/// The example `factor` times as fast, with its roofs.
Results machine(double factor) {
  auto results = example::results(false);
  for (auto& point : results.points)
    point.time = {point.time.median / factor, point.time.low / factor, point.time.high / factor};
  auto ceilings = results.roofline.ceilings();
  for (auto& ceiling : ceilings) ceiling.rate *= factor;
  results.roofline = Roofline(std::move(ceilings), results.roofline.threads());
  return results;
}

TEST(ManyMachines, NinetyPercentLieWithin) {
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back((i * 37) % 101);
  const auto band = middle_ninety(values);
  EXPECT_EQ(band.median, 50);
  EXPECT_EQ(band.low, 5);
  EXPECT_EQ(band.high, 95);
  EXPECT_EQ(middle_ninety({3}).low, 3);
  const auto two = middle_ninety({1, 3});
  EXPECT_EQ(two.low, 1) << "of few the whole range";
  EXPECT_EQ(two.high, 3);
}

TEST(ManyMachines, AreOneRunAtTheMedians) {
  std::vector<Results> runs;
  for (int i = 0; i < 21; ++i) runs.push_back(machine(0.9 + 0.01 * ((i * 8) % 21)));
  runs[4].points.pop_back();  // one has a row less
  const auto first = example::results(false);
  const auto all = many_machines(runs);
  ASSERT_EQ(all.points.size(), first.points.size());
  EXPECT_NEAR(all.points[0].time.median, first.points[0].time.median, 1e-9 * first.points[0].time.median);
  EXPECT_NEAR(all.points[0].time.low, first.points[0].time.median / 1.09, 1e-9);
  EXPECT_NEAR(all.points[0].time.high, first.points[0].time.median / 0.91, 1e-9);
  const auto* const fma = all.roofline.compute(Operation::fma);
  EXPECT_NEAR(fma->rate, 258e9, 1);
  EXPECT_NEAR(fma->rate_low, 0.91 * 258e9, 1);
  EXPECT_NEAR(all.points[0].assessment.roof->efficiency, assess(first.roofline, first.points[0]).roof->efficiency, 0.2);
  const auto svg = svg_plot(all);
  EXPECT_NE(svg.find("medians of 21 runs"), std::string::npos);
  EXPECT_NE(svg.find("Roofline of 21 runs on"), std::string::npos);
}

TEST(ManyMachines, OfAnotherKindAreNoFleet) {
  std::vector<Results> runs(3, example::results(false));
  EXPECT_TRUE(are_alike(runs));
  runs[1].machine.name = "another";
  EXPECT_FALSE(are_alike(runs));
  runs[1] = runs[0], runs[2].points.clear();
  EXPECT_FALSE(are_alike(runs));
  runs[2] = runs[0], runs[2].failures.emplace_back("stream/triad", "wrong");
  EXPECT_TRUE(are_alike(runs));
  EXPECT_EQ(many_machines(runs).warnings,
            std::vector<std::string>{"1 of 3 runs lack rows; the medians are over the runs that have them"});
}

TEST(ManyMachines, ArePercentilesInTheTableOfPortability) {
  std::vector<PlatformResult> platforms;
  for (int i = 0; i < 13; ++i) platforms.push_back({"n" + std::to_string(i), {"triad"}, {{"triad", 0.80 + 0.01 * i}}});
  platforms[3].efficiency["triad"] = 0;
  const auto table = portability_table(platforms);
  ASSERT_EQ(table.columns.size(), 6u);
  EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{"triad", "12/13", "80.00", "86.50", "92.00", "0.00"}));
}

}  // namespace
}  // namespace roofline::portability_test
