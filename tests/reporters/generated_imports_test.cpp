#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

#include "reporters/imports/input.hpp"
#include "reporters/tables/tables.hpp"
#include "tests/reporters/imported_rows.hpp"

// Imports with values at random: the rows have what the file says, and nothing else.

namespace roofline::generated_imports_test {
namespace {

using namespace imported_rows;

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}
  bool maybe() { return random_() % 2 == 0; }
  std::uint64_t count() { return 1 + random_() % 1'000'000'007; }
  double rate() { return 0.5 + static_cast<double>(random_() % 9999); }

 private:
  std::mt19937_64 random_;
};

void expect_blank_or(const std::string& cell, const std::optional<double>& input, const std::string& what) {
  if (!input) {
    EXPECT_EQ(cell, "") << what;
  } else {
    ASSERT_NE(cell, "") << what;
    EXPECT_NEAR(std::stod(cell) / *input, 1, 1e-6) << what;
  }
}

TEST(GeneratedImports, OfNvprofSayWhatTheFileSays) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Generator random(seed);
    std::map<std::string, std::uint64_t> metrics;
    for (const auto* const name :
         {"flop_count_dp_add", "flop_count_dp_mul", "flop_count_dp_fma", "dram_read_transactions",
          "dram_write_transactions", "l2_read_transactions", "l2_write_transactions"})
      if (seed % 3 == 0 || random.maybe()) metrics[name] = random.count();
    const auto value = [&](const char* name) {
      return metrics.contains(name) ? std::optional<double>(metrics.at(name)) : std::nullopt;
    };
    const auto add = value("flop_count_dp_add"), mul = value("flop_count_dp_mul"), fma = value("flop_count_dp_fma");
    const bool kinds = add && mul && fma;
    std::optional<double> flops;
    if (kinds) flops = *add + *mul + 2 * *fma;
    if (random.maybe()) flops = metrics["flop_count_dp"] = kinds ? static_cast<std::uint64_t>(*flops) : random.count();
    if (metrics.empty()) continue;
    std::string text =
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"\n";
    for (const auto& [name, n] : metrics)
      text += fmt::format("\"V100 (0)\",\"k\",1,\"{}\",\"-\",{},{},{}\n", name, n, n, n);
    const auto read = parse_input(text, "nvprof.csv");
    for (const auto& results : {read, through_run_json(read), parse_run_csv(efficiency_csv(read), "e.csv")}) {
      const auto cells = csv_rows(results).at(0);
      expect_blank_or(cells.at("add"), kinds ? add : std::nullopt, "add");
      expect_blank_or(cells.at("mul"), kinds ? mul : std::nullopt, "mul");
      expect_blank_or(cells.at("fma_instructions"), kinds ? fma : std::nullopt, "fma");
      EXPECT_EQ(cells.at("flops"), fmt::format("{:.0f}", flops.value_or(0)));
      EXPECT_EQ(cells.at("fma_fraction").empty(), !kinds);
      EXPECT_EQ(cells.at("time_median"), "") << "metrics have no times";
      EXPECT_EQ(cells.at("flop_account"), "counted");
      for (const auto& [level, prefix] : {std::pair("DRAM", "dram"), std::pair("L2", "l2")}) {
        const auto in = value(fmt::format("{}_read_transactions", prefix).c_str()),
                   out = value(fmt::format("{}_write_transactions", prefix).c_str());
        expect_blank_or(cells.at(fmt::format("bytes_{}", level)),
                        in && out ? std::optional(32 * (*in + *out)) : std::nullopt, level);
      }
      for (const auto* const level : {"L1", "L3"}) EXPECT_EQ(cells.at(fmt::format("bytes_{}", level)), "");
    }
  }
}

TEST(GeneratedImports, OfNsightComputeSayWhatTheFileSays) {
  const std::string sass = "smsp__sass_thread_inst_executed_op_";
  const std::array<std::string, 7> metrics{
      sass + "dadd_pred_on.sum", sass + "dmul_pred_on.sum", sass + "dfma_pred_on.sum", "gpu__time_duration.sum",
      "dram__bytes.sum",         "lts__t_bytes.sum",        "l1tex__t_bytes.sum"};
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Generator random(seed);
    std::array<std::optional<double>, metrics.size()> values;
    std::string names = "\"ID\",\"Process ID\",\"Kernel Name\"", units = "\"\",\"\",\"\"", row = "\"0\",\"1\",\"k\"";
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      if (seed % 3 != 0 && random.maybe()) continue;
      values[i] = random.count();
      names += fmt::format(",\"{}\"", metrics[i]), row += fmt::format(",\"{:.0f}\"", *values[i]);
      units += i < 3 ? ",\"inst\"" : i == 3 ? ",\"nsecond\"" : ",\"byte\"";
    }
    const auto& [add, mul, fma, nanoseconds, dram, l2, l1] = values;
    const bool kinds = add && mul && fma;
    if (!kinds && !dram && !l2 && !l1) continue;
    const auto read = parse_input(names + "\n" + units + "\n" + row + "\n", "ncu.csv");
    for (const auto& results : {read, through_run_json(read), parse_run_csv(efficiency_csv(read), "e.csv")}) {
      const auto cells = csv_rows(results).at(0);
      expect_blank_or(cells.at("add"), kinds ? add : std::nullopt, "add");
      expect_blank_or(cells.at("mul"), kinds ? mul : std::nullopt, "mul");
      expect_blank_or(cells.at("fma_instructions"), kinds ? fma : std::nullopt, "fma");
      expect_blank_or(cells.at("time_median"), nanoseconds ? std::optional(1e-9 * *nanoseconds) : std::nullopt, "time");
      expect_blank_or(cells.at("bytes_DRAM"), dram, "DRAM");
      expect_blank_or(cells.at("bytes_L2"), l2, "L2");
      expect_blank_or(cells.at("bytes_L1"), l1, "L1");
      EXPECT_EQ(cells.at("bytes_L3"), "");
      EXPECT_EQ(cells.at("flop_account"), "counted");
    }
  }
}

TEST(GeneratedImports, OfDataTxtHaveRatesAndNothingElse) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Generator random(seed);
    const int points = 1 + static_cast<int>(seed % 4);
    std::vector<double> rates;
    std::map<std::string, std::vector<std::optional<double>>> intensities;
    for (int i = 0; i < points; ++i) rates.push_back(random.rate());
    auto text = v100 + fmt::format("FLOPS {}\n", fmt::join(rates, " "));
    for (const auto& [key, level] : {std::pair("L1", "L1"), std::pair("L2", "L2"), std::pair("HBM", "DRAM")}) {
      if (random.maybe()) continue;
      text += fmt::format("AI_{}", key);
      for (int i = 0; i < points; ++i) {
        auto& value = intensities[level].emplace_back();
        if (random.maybe()) value = random.rate();
        text += value ? fmt::format(" {}", *value) : " nan";
      }
      text += "\n";
    }
    if (intensities.empty()) continue;  // the key AI would be needed
    const auto read = parse_input(text, "d.txt");
    for (const auto& results : {read, through_run_json(read), parse_run_csv(efficiency_csv(read), "e.csv")}) {
      const auto rows = csv_rows(results);
      ASSERT_EQ(rows.size(), rates.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        expect_blank_or(rows[i].at("FLOP/s"), 1e9 * rates[i], "FLOP/s");
        for (const auto* const level : {"L1", "L2", "L3", "DRAM"}) {
          const auto found = intensities.find(level);
          expect_blank_or(rows[i].at(fmt::format("AI_{}", level)),
                          found == intensities.end() ? std::nullopt : found->second[i], level);
          EXPECT_EQ(rows[i].at(fmt::format("bytes_{}", level)), "");
        }
        for (const auto* const unknown : {"flops", "time_median", "time_min", "add", "fma_instructions", "fma_fraction",
                                          "bound_mix", "efficiency_mix"})
          EXPECT_EQ(rows[i].at(unknown), "") << unknown;
        EXPECT_EQ(rows[i].at("flop_account"), "counted");
        EXPECT_EQ(kernel_table(results).rows.at(i + 1).cells[1], "-") << "a time that nobody measured";
      }
    }
  }
}

}  // namespace
}  // namespace roofline::generated_imports_test
