#include "bench/storage/google_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/text/parse_json.hpp"
#include "tests/example_results.hpp"

namespace roofline::google_rows_test {
namespace {

/// The library's own output for a row that takes these times, with a counter of each.
class LibraryRows : public benchmark::BenchmarkReporter {
 public:
  explicit LibraryRows(const std::vector<double>& seconds) {
    benchmark::RegisterBenchmark("row",
                                 [&, n = std::size_t{0}](benchmark::State& state) mutable {
                                   for (auto _ : state) state.SetIterationTime(seconds[n]);
                                   state.counters["time_median"] = seconds[n++];
                                 })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(static_cast<int>(seconds.size()));
    benchmark::RunSpecifiedBenchmarks(this, "all");
    benchmark::ClearRegisteredBenchmarks();
  }
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override { rows.insert(rows.end(), runs.begin(), runs.end()); }

  std::vector<Run> rows;
};

/// A run whose row was sampled once in each round.
Results run_of(const std::vector<double>& seconds) {
  Results results;
  KernelPoint point;
  point.name = "row";
  point.counts.operations = {.fma = 500};
  for (std::size_t i = 0; i < seconds.size(); ++i)
    point.samples.push_back({.round = static_cast<int>(i), .start = 0, .seconds = seconds[i], .launches = 1});
  point.time = {seconds[0], seconds[0], seconds[0]};
  results.points = {point};
  results.rounds = static_cast<int>(seconds.size());
  assess(results);
  return results;
}

TEST(GoogleRows, AggregatesAreThoseOfTheLibrary) {
  for (const std::vector<double>& seconds : {std::vector{1e-3, 3e-3}, {4e-3, 1e-3, 2.5e-3, 7e-3, 2e-3}}) {
    const auto rows = google_rows(run_of(seconds), {{.name = "row", .is_ceiling = false, .missing = ""}},
                                  static_cast<int>(seconds.size()));
    const LibraryRows library(seconds);
    ASSERT_EQ(rows.size(), seconds.size() + 4);
    ASSERT_EQ(library.rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto &ours = rows[i], &theirs = library.rows[i];
      EXPECT_EQ(ours.run_type, theirs.run_type) << i;
      EXPECT_EQ(ours.aggregate_name, theirs.aggregate_name) << i;
      EXPECT_EQ(ours.iterations, theirs.iterations) << ours.aggregate_name;
      EXPECT_EQ(ours.repetitions, theirs.repetitions);
      EXPECT_EQ(ours.repetition_index, theirs.repetition_index);
      EXPECT_EQ(ours.aggregate_unit, theirs.aggregate_unit) << i;
      EXPECT_NEAR(ours.real_accumulated_time, theirs.real_accumulated_time, 1e-12) << ours.aggregate_name;
      EXPECT_NEAR(ours.counters.at("time_median").value, theirs.counters.at("time_median").value, 1e-12)
          << ours.aggregate_name;
    }
  }
}

TEST(GoogleRows, ARepetitionHasItsOwnRounds) {
  const auto rows = google_rows(run_of({1e-3, 3e-3, 2e-3, 5e-3, 6e-3, 9e-3}),
                                {{.name = "row", .is_ceiling = false, .missing = ""}}, 2);
  EXPECT_DOUBLE_EQ(rows[0].GetAdjustedRealTime(), 2.0);
  EXPECT_DOUBLE_EQ(rows[1].GetAdjustedRealTime(), 6.0);
  EXPECT_EQ(rows[1].iterations, 3);
  EXPECT_EQ(rows[0].counters.at("rounds").value, 3.0);
  EXPECT_DOUBLE_EQ(rows[1].counters.at("time_min").value, 5e-3);
  const auto aggregates = google_rows(run_of({1, 2}), {{.name = "row", .is_ceiling = false, .missing = ""}}, 2, true);
  EXPECT_EQ(aggregates.size(), 4u);
  EXPECT_EQ(google_rows(run_of({1, 2}), {{.name = "row", .is_ceiling = false, .missing = ""}}, 1, true).size(), 1u);
}

TEST(GoogleRows, OneThreadThatAQuotaStopsIsMarked) {
  auto run = run_of({1e-3});
  run.points[0].threads = 1, run.machine.quota = 0.5;
  const auto rows = google_rows(run, {{.name = "row", .is_ceiling = false, .missing = ""}}, 1);
  EXPECT_NE(rows.at(0).report_label.find("throttled"), std::string::npos) << rows[0].report_label;
}

TEST(GoogleRows, ARowWithoutAResultSaysWhy) {
  const auto rows = google_rows(run_of({1e-3}),
                                {{.name = "wrong", .is_ceiling = false, .missing = "element 7"},
                                 {.name = "row", .is_ceiling = false, .missing = ""},
                                 {.name = "ceiling/late", .is_ceiling = true, .missing = ""}},
                                1);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(row_error(rows[0]), "element 7");
  EXPECT_EQ(row_error(rows[1]), "");
  EXPECT_EQ(row_error(rows[2]), "interrupted");
  EXPECT_EQ(rows[2].family_index, 2);
  const auto json = parse_json(google_json(rows), "")["benchmarks"];
  EXPECT_EQ(json[0]["error_message"], "element 7");
  EXPECT_EQ(json[1]["real_time"], 1.0);
}

TEST(GoogleRows, NumbersThatAreNoneAreNullInJson) {
  auto row = ceiling_row(example::roofline().ceilings()[0]);
  row.counters["a"] = std::nan("");
  row.counters["b"] = -INFINITY;
  row.report_label = "NaN";
  const auto json = parse_json(google_json({row}), "")["benchmarks"][0];
  EXPECT_TRUE(json["a"].is_null());
  EXPECT_TRUE(json["b"].is_null());
  EXPECT_EQ(json["label"], "NaN");
}

TEST(GoogleRows, CeilingsHaveTheTimeOfAGigaUnit) {
  const auto results = example::results();
  const auto& ceiling = results.roofline.ceilings()[0];
  const auto rows = google_rows(results, {{.name = ceiling.name, .is_ceiling = true, .missing = ""}}, 3);
  ASSERT_EQ(rows.size(), 7u);
  for (int n = 0; n < 5; ++n)
    EXPECT_DOUBLE_EQ(rows[static_cast<std::size_t>(n)].GetAdjustedRealTime(), 1e12 / ceiling.rate);
  EXPECT_EQ(rows[0].counters.at("FLOP/s").value, ceiling.rate);
}

}  // namespace
}  // namespace roofline::google_rows_test
