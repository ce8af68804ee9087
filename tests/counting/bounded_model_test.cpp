#include "bench/counting/bounded_model.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>
#include <vector>

#include "tests/error_of.hpp"

namespace roofline::bounded_model_test {
namespace {

Counts some_counts() {
  Counts counts;
  counts.operations.fma = 7;
  counts.traffic_source = Source::modelled;
  counts.modelled_device = "h200";
  counts.traffic_note = "4 blocks per SM";
  counts.at(MemoryLevel::DRAM) = Traffic{1e12, 3};
  return counts;
}

struct Limited : ::testing::Test {
  std::vector<std::string> warnings;
  std::shared_ptr<CounterSource> limit(std::shared_ptr<CounterSource> of, ModelBudget budget = {}) {
    return bounded(std::move(of), budget, [this](const std::string& line) { warnings.push_back(line); });
  }
  /// Asks a model for a row by its name.
  auto model(std::function<std::optional<Counts>(const std::string&)> of, ModelBudget budget = {}) {
    return [source = limit(std::make_shared<CounterFunction>(
                               [of = std::move(of)](const std::string& row, const Workload&) { return of(row); }),
                           budget)](const std::string& row) { return source->count(row, {}); };
  }
};

TEST_F(Limited, AnAnswerInTimeIsTheModels) {
  const auto counts = model([](const std::string&) { return some_counts(); })("row");
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->operations.fma, 7u);
  EXPECT_EQ(counts->at(MemoryLevel::DRAM), (Traffic{1e12, 3}));
  EXPECT_EQ(counts->traffic_label(), some_counts().traffic_label());
  EXPECT_EQ(counts->traffic_note, "4 blocks per SM");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Limited, OperationsAloneAreAnotherQuestion) {
  struct Source final : CounterSource {
    std::optional<Counts> count(const std::string&, const Workload&) override { return some_counts(); }
    std::optional<Counts> operations(const std::string&, const Workload&) override {
      Counts counts;
      counts.operations = {.mul = 3, .div = 1};
      counts.executed = Operations{.mul = 3, .fma = 5};
      return counts;
    }
  };
  const auto source = limit(std::make_shared<Source>());
  for (int time = 0; time < 2; ++time) {
    const auto operations = source->operations("row", {});
    ASSERT_TRUE(operations);
    EXPECT_EQ(operations->operations, (Operations{.mul = 3, .div = 1}));
    EXPECT_EQ(operations->executed, (Operations{.mul = 3, .fma = 5}));
    EXPECT_EQ(source->count("row", {})->operations.fma, 7u);
  }
}

TEST_F(Limited, UnknownRowsStayUnknownAndErrorsErrors) {
  EXPECT_FALSE(model([](const std::string&) { return std::optional<Counts>(); })("row"));
  EXPECT_TRUE(warnings.empty());
  const auto refuses =
      model([](const std::string&) -> std::optional<Counts> { throw std::invalid_argument("too big"); });
  EXPECT_EQ(testing::error_of<std::runtime_error>([&] { refuses("row"); }), "too big");
}

TEST_F(Limited, ARowThatTakesTooLongIsGivenUpAndTheNextOneAnswered) {
  const auto slow_first = model(
      [](const std::string& row) {
        if (row == "slow") ::sleep(100);
        return some_counts();
      },
      {.row_seconds = 0.2, .run_seconds = 50});
  EXPECT_FALSE(slow_first("slow"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("more than 0.2 s for a row"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("--counters=model"), std::string::npos) << warnings[0];
  EXPECT_FALSE(slow_first("slow")) << "asked once only";
  EXPECT_TRUE(slow_first("fast"));
}

TEST_F(Limited, ARunHasALimitOfItsOwn) {
  const auto slow = model(
      [](const std::string&) {
        ::sleep(100);
        return some_counts();
      },
      {.row_seconds = 0.2, .run_seconds = 0.3});
  EXPECT_FALSE(slow("a"));
  EXPECT_FALSE(slow("b"));
  EXPECT_FALSE(slow("c")) << "not even tried";
  EXPECT_NE(warnings.back().find("more than 0.3 s for this run"), std::string::npos) << warnings.back();
}

int threads_of_a_region() {
  int threads = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  ++threads;
  return threads;
}

TEST_F(Limited, AModelMayUseThreadsAfterTheRunHasUsedThem) {
  ASSERT_EQ(threads_of_a_region(), 2);
  const auto parallel = model(
      [](const std::string&) {
        auto counts = some_counts();
        counts.operations.fma = static_cast<std::uint64_t>(threads_of_a_region());
        return counts;
      },
      {.row_seconds = 10, .run_seconds = 10});
  const auto counts = parallel("row");
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->operations.fma, 2u);
}

TEST_F(Limited, NoModelStaysNone) { EXPECT_FALSE(limit(nullptr)); }

}  // namespace
}  // namespace roofline::bounded_model_test
