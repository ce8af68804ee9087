#include <gtest/gtest.h>

#include <map>

#include "bench/model/assessment.hpp"
#include "reporters/files/files.hpp"
#include "tests/example_results.hpp"

namespace roofline::efficiency_csv_test {
namespace {

/// Fields of RFC 4180 text, one record per line.
std::vector<std::vector<std::string>> records(const std::string& text) {
  std::vector<std::vector<std::string>> all(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto& field = all.back().back();
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
      field += text[i++];
    else if (text[i] == '"')
      quoted = !quoted;
    else if (text[i] == ',' && !quoted)
      all.back().emplace_back();
    else if (text[i] == '\n' && !quoted)
      all.push_back({""});
    else
      field += text[i];
  }
  all.pop_back();
  return all;
}

std::vector<std::map<std::string, std::string>> rows(const Results& results) {
  const auto all = records(efficiency_csv(results));
  std::vector<std::map<std::string, std::string>> rows;
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_EQ(all[i].size(), all[0].size());
    rows.emplace_back();
    for (std::size_t c = 0; c < all[i].size(); ++c) rows.back()[all[0][c]] = all[i][c];
  }
  return rows;
}

TEST(EfficiencyCsv, NumbersReadBackToTheSameBits) {
  auto results = example::results();
  auto& interval = results.points[1].time;
  interval.low = 0.9 * interval.median, interval.high = 1.2 * interval.median;
  const auto all = rows(results);
  ASSERT_EQ(all.size(), results.points.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& point = results.points[i];
    EXPECT_EQ(all[i].at("name"), point.name);
    EXPECT_EQ(std::stod(all[i].at("time_median")), point.time.median);
    EXPECT_EQ(std::stod(all[i].at("time_ci_low")), point.time.low);
    EXPECT_EQ(std::stod(all[i].at("time_ci_high")), point.time.high);
    EXPECT_EQ(std::stoull(all[i].at("flops")), point.counts.operations.flops());
    EXPECT_EQ(std::stod(all[i].at("FLOP/s")), point.flop_rate());
    EXPECT_EQ(std::stod(all[i].at("bytes_DRAM")), point.counts.at(MemoryLevel::DRAM)->total());
    EXPECT_EQ(std::stod(all[i].at("efficiency")), assess(results.roofline, point).roof->efficiency);
  }
}

TEST(EfficiencyCsv, HasTheKeysOfTheJson) {
  const auto header = records(efficiency_csv(Results{})).front();
  for (const char* key : {"flops",        "FLOP/s",         "bytes_L1",        "bytes_L2",    "bytes_L3",
                          "bytes_DRAM",   "AI_L1",          "AI_DRAM",         "efficiency",  "attainable",
                          "fma_fraction", "efficiency_mix", "time_median",     "time_ci_low", "time_ci_high",
                          "bound",        "efficiency_low", "efficiency_high", "rounds",      "resolved"})
    EXPECT_EQ(std::count(header.begin(), header.end(), key), 1) << key;
}

TEST(EfficiencyCsv, EfficienciesAreNotClamped) {
  auto results = example::results();
  results.points[1].time.median /= 2;  // scale at 98 % of its roof
  example::add_rounds(results.roofline, results.points[1]);
  assess(results);
  EXPECT_NEAR(std::stod(rows(results)[1].at("efficiency")), 1.962, 1e-3);
}

TEST(EfficiencyCsv, AShareHasItsRangeOverTheRounds) {
  auto results = example::results();
  auto all = rows(results);
  const auto& roof = *results.points[1].assessment.roof;
  EXPECT_EQ(std::stod(all[1].at("efficiency_low")), roof.range->low);
  EXPECT_EQ(std::stod(all[1].at("efficiency_high")), roof.range->high);
  EXPECT_EQ(all[1].at("rounds"), "6");
  EXPECT_EQ(all[1].at("samples"), "12");
  EXPECT_EQ(all[1].at("resolved"), "1");
  EXPECT_EQ(all.back().at("resolved"), "0") << "+-9 %";
  results.points[1].samples.clear();
  assess(results);
  all = rows(results);
  for (const char* key : {"efficiency_low", "efficiency_high", "resolved"}) EXPECT_EQ(all[1].at(key), "") << key;
  EXPECT_EQ(all[1].at("rounds"), "0");
}

TEST(EfficiencyCsv, UnknownIsEmpty) {
  auto results = example::results();
  results.points[0].counts.at(MemoryLevel::L3).reset();
  results.points[0].counts.traffic_note = "LRU, \"small\"";
  auto all = rows(results);
  EXPECT_EQ(all[0].at("bytes_L3"), "");
  EXPECT_EQ(all[0].at("AI_L3"), "");
  EXPECT_EQ(all[0].at("attainable"), "") << "no FLOPs";
  EXPECT_EQ(all[0].at("bound"), "DRAM");
  EXPECT_EQ(all[0].at("bytes_note"), "LRU, \"small\"");
  results.roofline = {};
  assess(results);
  all = rows(results);
  for (const char* key : {"efficiency", "bound", "attainable_mix"}) EXPECT_EQ(all[1].at(key), "") << key;
}

}  // namespace
}  // namespace roofline::efficiency_csv_test
