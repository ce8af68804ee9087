#include "bench/library/declared_points.hpp"

#include <gtest/gtest.h>

#include "bench/library/declared_row.hpp"

namespace roofline {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

Machine machine() {
  Machine m;
  m.cpus = {0, 1};
  return m;
}

/// A row as the library reports it: `seconds` per iteration of one thread.
Row row(const char* name, double seconds, const DeclaredWork& work, int threads = 1) {
  Row r;
  r.run_name.function_name = name;
  r.run_name.time_type = "real_time";
  r.threads = threads;
  r.iterations = 100 * threads;
  r.real_accumulated_time = 100 * seconds * (ROOFLINE_BENCHMARK_VERSION < 10900 ? 1 : threads);
  for (int thread = 0; thread < threads; ++thread) {
    benchmark::UserCounters own;
    put({work, {}}, own);
    for (const auto& [key, counter] : own) r.counters[key].value += counter.value;  // as the library merges them
  }
  return r;
}

TEST(DeclaredPoints, AreTheRowsThatDeclareTheirWork) {
  KeptRows rows;
  rows.ReportRuns({row("axpy/8", 1e-6, {.fma = 8, .read = 64, .updated = 64})});
  Row silent;
  silent.run_name.function_name = "silent";
  rows.ReportRuns({silent});
  const auto found = declared_points(rows, machine());
  ASSERT_EQ(found.points.size(), 1u);
  const auto& point = found.points[0];
  EXPECT_EQ(point.name, "axpy/8");
  EXPECT_EQ(point.family, "axpy");
  EXPECT_DOUBLE_EQ(point.time.median, 1e-6);
  EXPECT_EQ(point.counts.operations.flops(), 16u);
  EXPECT_EQ(point.declared_flops, 16u);
  EXPECT_EQ(point.threads, 1);
  EXPECT_EQ(point.samples, 1);
}

TEST(DeclaredPoints, OfSeveralThreadsAreAnIterationOfAllOfThem) {
  KeptRows rows;
  rows.ReportRuns({row("axpy", 1e-6, {.fma = 8}, 2)});
  const auto point = declared_points(rows, machine()).points.at(0);
  EXPECT_EQ(point.threads, 2);
  EXPECT_EQ(point.counts.operations.flops(), 32u);
  EXPECT_DOUBLE_EQ(point.time.median, 1e-6);
}

TEST(DeclaredPoints, TakeTheThreadsThatAreDeclared) {
  KeptRows rows;
  rows.ReportRuns({row("pool", 1e-6, {.fma = 8, .threads = 2})});
  rows.ReportRuns({row("many", 1e-6, {.fma = 8, .threads = 3})});
  const auto found = declared_points(rows, machine());
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_EQ(found.points[0].threads, 2);
  ASSERT_EQ(found.failures.size(), 1u);
  EXPECT_EQ(found.failures[0].second, "declares more threads than this process has CPUs");
}

TEST(DeclaredPoints, TakeTheMedianOfRepetitions) {
  KeptRows rows;
  const DeclaredWork work{.add = 1};
  rows.ReportRuns({row("sum", 3e-6, work), row("sum", 1e-6, work), row("sum", 2e-6, work)});
  const auto point = declared_points(rows, machine()).points.at(0);
  EXPECT_DOUBLE_EQ(point.time.median, 2e-6);
  EXPECT_DOUBLE_EQ(point.time.high, 3e-6);
  EXPECT_EQ(point.samples, 3);
  EXPECT_FALSE(point.converged);
}

TEST(DeclaredPoints, OfAggregatesAloneAreTheMedian) {
  KeptRows rows;
  auto mean = row("sum", 9e-6, {.add = 1}), middle = row("sum", 2e-6, {.add = 1});
  mean.run_type = middle.run_type = Row::RT_Aggregate;
  mean.aggregate_name = "mean", middle.aggregate_name = "median";
  rows.ReportRuns({mean, middle});
  EXPECT_DOUBLE_EQ(declared_points(rows, machine()).points.at(0).time.median, 2e-6);
}

TEST(DeclaredPoints, ThatDeclareNothingSaySo) {
  KeptRows rows;
  rows.ReportRuns({row("empty", 1e-6, {})});
  const auto found = declared_points(rows, machine());
  EXPECT_TRUE(found.points.empty());
  ASSERT_EQ(found.failures.size(), 1u);
  EXPECT_EQ(found.failures[0].second, "its Work declares nothing");
}

TEST(DeclaredPoints, ShowNobodyTheCountersThatCarryThem) {
  struct Seen : benchmark::BenchmarkReporter {
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override { counters += runs[0].counters.size(); }
    std::size_t counters = 0;
  } seen;
  KeptRows rows(&seen);
  auto with_own = row("axpy", 1e-6, {.mul = 1, .div = 2, .sqrt = 3, .precision = Precision::fp32});
  with_own.counters["own"] = 1;
  rows.ReportRuns({with_own});
  EXPECT_EQ(seen.counters, 1u);
  auto counters = with_own.counters;
  const auto declared = take(counters);
  ASSERT_TRUE(declared);
  EXPECT_EQ(declared->work.sqrt, 3);
  EXPECT_EQ(declared->work.precision, Precision::fp32);
  EXPECT_FALSE(take(counters));
}

TEST(DeclaredPoints, GiveEveryRowOfACsvTheSameCounters) {
  KeptRows rows;
  auto one = row("a", 1e-6, {.add = 1}), other = row("b", 1e-6, {.add = 1});
  one.counters["only a"] = 1;
  benchmark::BenchmarkReporter::Context context;
  rows.ReportContext(context);
  rows.ReportRuns({one}), rows.ReportRuns({other});
  struct Seen : benchmark::BenchmarkReporter {
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override { counters.push_back(runs[0].counters.count("only a")); }
    std::vector<std::size_t> counters;
  } seen;
  rows.replay(
      seen, [](Row& r) { take(r.counters); }, true);
  EXPECT_EQ(seen.counters, (std::vector<std::size_t>{1, 1}));
}

}  // namespace
}  // namespace roofline
