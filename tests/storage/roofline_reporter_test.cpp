#include "bench/storage/roofline_reporter.hpp"

#include <gtest/gtest.h>

namespace roofline::roofline_reporter_test {
namespace {

/// Writes down what it is told.
struct Notes : benchmark::BenchmarkReporter {
  int contexts = 0, ends = 0;
  std::vector<Run> rows;
  bool ReportContext(const Context&) override { return ++contexts, true; }
  void ReportRuns(const std::vector<Run>& runs) override { rows.insert(rows.end(), runs.begin(), runs.end()); }
  void Finalize() override { ++ends; }
};

TEST(RooflineReporter, AnnotatesCopies) {
  Notes notes;
  RooflineReporter reporter(notes, [](auto& run) { run.counters["flops"] = benchmark::Counter(7); });
  const std::vector<benchmark::BenchmarkReporter::Run> runs(2);
  reporter.ReportRuns(runs);
  EXPECT_TRUE(notes.rows.empty()) << "before the end nobody knows what to say of them";
  reporter.finish();
  ASSERT_EQ(notes.rows.size(), 2u);
  EXPECT_EQ(notes.rows[1].counters.at("flops").value, 7);
  EXPECT_TRUE(runs[0].counters.empty()) << "the library's own rows were changed";
}

TEST(RooflineReporter, SeveralLibraryRunsAreOneReport) {
  Notes notes;
  RooflineReporter reporter(notes, [](auto&) {});
  const benchmark::BenchmarkReporter::Context context;
  for (int phase = 0; phase < 3; ++phase) {
    EXPECT_TRUE(reporter.ReportContext(context));
    reporter.Finalize();
  }
  EXPECT_EQ(notes.contexts, 1);
  EXPECT_EQ(notes.ends, 0);
  reporter.finish();
  reporter.finish();
  EXPECT_EQ(notes.ends, 1);
}

TEST(Broadcast, EveryReporterHearsEverything) {
  Notes a, b;
  Broadcast both({&a, &b});
  both.ReportContext({});
  both.ReportRuns(std::vector<benchmark::BenchmarkReporter::Run>(1));
  both.Finalize();
  for (const auto* notes : {&a, &b}) {
    EXPECT_EQ(notes->contexts, 1);
    EXPECT_EQ(notes->rows.size(), 1u);
    EXPECT_EQ(notes->ends, 1);
  }
}

}  // namespace
}  // namespace roofline::roofline_reporter_test
