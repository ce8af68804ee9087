#include "bench/library/declared/declared.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <roofline/work.hpp>
#include <span>
#include <stdexcept>
#include <vector>

#include "bench/library/kept_rows.hpp"
#include "tests/error_of.hpp"

namespace roofline::declared_test {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

Machine machine() {
  Machine m;
  m.caches = {{.level = MemoryLevel::L1, .size = 32 << 10, .ways = 8, .line = 64, .shared_by = 1},
              {.level = MemoryLevel::L2, .size = 256 << 10, .ways = 8, .line = 64, .shared_by = 1}};
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

/// The counters of each row.
struct Seen : benchmark::BenchmarkReporter {
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override { counters.push_back(runs[0].counters); }
  std::vector<benchmark::UserCounters> counters;
};

TEST(DeclaredPoints, ShowNobodyTheCountersThatCarryThem) {
  Seen seen;
  KeptRows rows(&seen);
  auto with_own = row("axpy", 1e-6, {.mul = 1, .div = 2, .sqrt = 3, .precision = Precision::fp32});
  with_own.counters["own"] = 1;
  rows.ReportRuns({with_own});
  EXPECT_EQ(seen.counters.at(0).size(), 1u);
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
  Seen seen;
  rows.replay(
      seen, [](Row& r) { take(r.counters); }, true);
  ASSERT_EQ(seen.counters.size(), 2u);
  for (const auto& counters : seen.counters) EXPECT_EQ(counters.count("only a"), 1u);
}

double total(const Counts& counts, MemoryLevel level) { return counts.at(level)->total(); }

TEST(DeclaredWork, ThatFitsIntoACacheMovesNothingBeyondIt) {
  const auto counts = declared_counts({.fma = 1024, .read = 8192, .updated = 8192}, machine(), 1);
  EXPECT_EQ(total(counts, MemoryLevel::L1), 3 * 8192);
  EXPECT_EQ(total(counts, MemoryLevel::L2), 0);
  EXPECT_EQ(total(counts, MemoryLevel::DRAM), 0);
  EXPECT_EQ(counts.operations, (Operations{.fma = 1024}));
  EXPECT_EQ(name(counts.operations_source), "analytic");
  EXPECT_FALSE(counts.regions) << "the program's threads are no parallel region of ours";
}

TEST(DeclaredWork, ThatDoesNotFitMovesWholeLinesWithWriteAllocates) {
  constexpr double n = 1 << 24;
  const auto counts = declared_counts({.read = 8 * n, .written = 8 * n, .updated = 8 * n}, machine(), 1);
  EXPECT_EQ(total(counts, MemoryLevel::L1), 32 * n);
  // Read once; written: fetched and written back; updated: the same.
  EXPECT_NEAR(counts.at(MemoryLevel::DRAM)->read, 24 * n, 0.01 * n);
  EXPECT_NEAR(counts.at(MemoryLevel::DRAM)->written, 16 * n, 0.01 * n);
}

TEST(DeclaredWork, IsSharedByTheCachesOfItsThreads) {
  const double bytes = 384 << 10;  // too much for the L2 of one core, not of two
  EXPECT_GT(total(declared_counts({.read = bytes}, machine(), 1), MemoryLevel::DRAM), 0);
  EXPECT_EQ(total(declared_counts({.read = bytes}, machine(), 2), MemoryLevel::DRAM), 0);
}

TEST(DeclaredWork, ThatCannotBeIsRefusedByItsKind) {
  const auto message = [](const DeclaredWork& work) {
    return testing::error_of<std::invalid_argument>([&] { declared_counts(work, machine(), 1); });
  };
  EXPECT_EQ(message({.div = -1}), "declares -1 divisions, which is impossible");
  EXPECT_EQ(message({.read = std::numeric_limits<double>::quiet_NaN()}), "declares nan bytes read, which is impossible");
  EXPECT_EQ(message({.updated = 1e300}), "declares 1e+300 bytes updated, which is impossible");
}

TEST(DeclaredWork, WithoutBytesHasNoIntensity) {
  EXPECT_FALSE(declared_counts({.mul = 3}, machine(), 1).intensity(MemoryLevel::L1));
}

struct Declared : detail::Declares<Declared> {};

TEST(DeclaredWork, TakesArraysOfEveryKindAndNumbersOfBytes) {
  const std::vector<double> vector(10);
  const std::array<float, 10> array{};
  const int plain[10] = {};
  Declared work;
  work.read(vector).read(array).read(plain).read(std::span(vector).first(5)).read(7u).update(1e3).write(std::size_t{8});
  EXPECT_EQ(work.declared().read, 80 + 40 + 40 + 40 + 7);
  EXPECT_EQ(work.declared().updated, 1000);
  EXPECT_EQ(work.declared().written, 8);
}

}  // namespace
}  // namespace roofline::declared_test
