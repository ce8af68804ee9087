#include <gtest/gtest.h>

#include "bench/library/declared/declared.hpp"
#include "bench/library/kept_rows.hpp"

namespace roofline::declared_points_test {
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

TEST(DeclaredPoints, AreWhatARowDeclares) {
  const DeclaredWork work{.fma = 8, .read = 64, .updated = 64};
  const auto axpy = row("axpy/8", 1e-6, work);
  const auto point = declared_point(axpy, {work, {}}, machine());
  EXPECT_EQ(point.name, "axpy/8");
  EXPECT_EQ(point.family, "axpy");
  EXPECT_EQ(point.counts.operations.flops(), 16u);
  EXPECT_EQ(point.declared_flops, 16u);
  EXPECT_EQ(point.threads, 1);
  EXPECT_DOUBLE_EQ(seconds_of(axpy), 1e-6);
}

TEST(DeclaredPoints, OfSeveralThreadsAreAnIterationOfAllOfThem) {
  auto two = row("axpy", 1e-6, {.fma = 8}, 2);
  const auto declared = take(two.counters);
  ASSERT_TRUE(declared);
  const auto point = declared_point(two, *declared, machine());
  EXPECT_EQ(point.threads, 2);
  EXPECT_EQ(point.counts.operations.flops(), 32u);
  EXPECT_DOUBLE_EQ(seconds_of(two), 1e-6);
}

TEST(DeclaredPoints, TakeTheThreadsThatAreDeclared) {
  const DeclaredWork pool{.fma = 8, .threads = 2}, many{.fma = 8, .threads = 3};
  EXPECT_EQ(declared_point(row("pool", 1e-6, pool), {pool, {}}, machine()).threads, 2);
  EXPECT_THROW(declared_point(row("many", 1e-6, many), {many, {}}, machine()), std::invalid_argument);
  EXPECT_THROW(declared_point(row("empty", 1e-6, {}), {}, machine()), std::invalid_argument);
}

TEST(DeclaredPoints, HaveTheMedianOfTheirSamples) {
  KernelPoint point;
  point.samples = {{0, 0, 3e-6}, {1, 0, 1e-6}, {2, 0, 2e-6}};
  set_time(point);
  EXPECT_DOUBLE_EQ(point.time.median, 2e-6);
  EXPECT_DOUBLE_EQ(point.time.low, 1e-6);
  EXPECT_DOUBLE_EQ(point.time.high, 3e-6);
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
}  // namespace roofline::declared_points_test
