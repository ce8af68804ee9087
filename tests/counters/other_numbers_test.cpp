#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "bench/counters/imports/imported.hpp"
#include "bench/counters/imports/ncu_csv.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

// Each number of a file of counters, written as other languages and programs do: the same value, none, or a refusal.
namespace roofline::other_numbers_test {
namespace {

using Values = std::map<std::string, double>;

Values of_cpu(const std::string& text) {
  Values values;
  for (const auto& [row, events] : perf::parse_cpu_counters(text, "FILE"))
    for (const auto& [event, count] : events) values[row + " " + event] = count;
  return values;
}
Values of_gpu(const std::string& text) {
  Values values;
  for (const auto& [row, of_row] : parse_ncu_csv(text, "FILE"))
    for (const auto& metric : metrics())
      if (const auto value = of_row[metric.quantity]) values[row + " " + std::string(metric.names.front())] = *value;
  return values;
}

/// The number as others write it; empty: not so.
std::vector<std::string> written_otherwise(const std::string& number) {
  std::vector<std::string> all;
  const auto point = number.find('.');
  if (point != number.npos) all.push_back(std::string(number).replace(point, 1, ","));
  all.push_back(fmt::format("{:.12e}", std::stod(number)));
  if (const auto digits = number.substr(0, point); digits.size() > 3)
    for (const char* const mark : {",", ".", "'", " ", "\u00a0", "\u202f", "\u2009"}) {
      auto grouped = number;
      for (auto at = digits.size(); at > 3; at -= 3) grouped.insert(at - 3, mark);
      all.push_back(grouped);
    }
  return all;
}

void never_another_value(const std::string& good, const std::function<Values(const std::string&)>& read) {
  const auto truth = read(good);
  ASSERT_FALSE(truth.empty());
  int refused = 0;
  for (const auto& [at, groups] : matches("[a-zA-Z0-9_./-]+", good)) {
    const auto& number = groups[0];
    if (number.find_first_not_of("0123456789.") != number.npos) continue;  // a word
    for (const auto& other : written_otherwise(number)) {
      const auto text = std::string(good).replace(at, number.size(), other);
      SCOPED_TRACE(number + " as " + other);
      ::testing::internal::CaptureStderr();
      std::optional<Values> values;
      try {
        values = read(text);
      } catch (const FileError&) {
        ++refused;
      }
      if (!::testing::internal::GetCapturedStderr().empty() || !values) continue;
      for (const auto& [name, value] : *values) {
        const auto was = truth.find(name);
        ASSERT_NE(was, truth.end()) << name << " was no value";
        ASSERT_NEAR(value, was->second, 1e-9 * was->second) << name;
      }
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(OtherNumbers, OfPerf) {
  never_another_value(
      R"({"counter-value" : "4096.000000", "unit" : "", "event" : "l1d.replacement", "event-runtime" : 704229, "pcnt-running" : 100.00}
{"counter-value" : "128000.000000", "unit" : "Bytes", "event" : "uncore_imc_1/unc_m_cas_count.rd/", "event-runtime" : 704229, "pcnt-running" : 100.00}
)",
      of_cpu);
  never_another_value("4096,,l1d.replacement,704229,100.00,,\n2000000,,cycles:u,704229,100.00,3.100,GHz\n", of_cpu);
  never_another_value("1234567;;l1d.replacement;704229;100.00;;\n", of_cpu);
}

TEST(OtherNumbers, OfLikwid) {
  never_another_value(
      "STRUCT,Info,3,,\nTABLE,Region stream/triad,Group 1 Raw,MEM,3,\nEvent,Counter,HWThread 0,,\n"
      "Region calls,CTR,10,,\nCAS_COUNT_RD,MBOX0C0,1000000,,\nCAS_COUNT_RD,MBOX1C0,4096,,\n",
      of_cpu);
}

TEST(OtherNumbers, OfNsightCompute) {
  never_another_value(
      "\"ID\",\"Kernel Name\",\"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum\",\"dram__bytes_read.sum\"\n"
      "\"\",\"\",\"inst\",\"Kbyte\"\n\"0\",\"stream/triad\",\"1234567\",\"1536.25\"\n",
      of_gpu);
}

TEST(OtherNumbers, CountsThatPerfScaledToBytesAreLinesAgain) {
  const auto count = [](const std::string& value, const std::string& unit) {
    return of_cpu(fmt::format("{},{},uncore_imc_0/unc_m_cas_count.rd/,704229,100.00,,\n", value, unit))
        .at(" UNC_M_CAS_COUNT_RD");
  };
  EXPECT_EQ(count("1000", ""), 1000);
  EXPECT_EQ(count("64000", "Bytes"), 1000) << "64 times as much otherwise";
  EXPECT_EQ(count("1.50", "MiB"), 1.5 * 1048576 / 64);
}

}  // namespace
}  // namespace roofline::other_numbers_test
