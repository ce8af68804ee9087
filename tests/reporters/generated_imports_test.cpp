#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "bench/storage/stored_run.hpp"
#include "bench/text/csv.hpp"
#include "reporters/files/files.hpp"
#include "reporters/imports/input.hpp"
#include "tests/generated_files.hpp"

// Generated files of every format that is read. The kinds, account, precision, levels, times and rates of what is read,
// and of everything that is written of it, are those of the file, or blank.

namespace roofline::generated_imports_test {
namespace {

using namespace generated;

/// A table that somebody made with the columns of efficiency.csv.
File table_of_others(Random& random) {
  File file{"name,precision,flops,time_median,bytes_L1,bytes_L3,bytes_DRAM", {}};
  const bool kinds = random.maybe();
  file.text += kinds ? ",add,mul,fma_instructions\n" : "\n";
  for (std::size_t k = 0; k <= random.below(3); ++k) {
    Said said{.precision = precisions[random.below(3)]};
    Operations operations{.add = static_cast<std::uint64_t>(1e6 + random.count()), .fma = 7};
    said.flops = operations.flops(), said.seconds = random.maybe() ? Maybe(1e-3 * random.rate()) : std::nullopt;
    for (const auto* const level : {"L1", "L3", "DRAM"})
      if (const auto bytes = random.some()) said.bytes[level] = *bytes;
    file.text += fmt::format("k{},{},{:.0f},{}", k, said.precision, *said.flops,
                             said.seconds ? fmt::format("{}", *said.seconds) : "");
    for (const auto* const level : {"L1", "L3", "DRAM"})
      file.text += said.bytes.contains(level) ? fmt::format(",{:.0f}", said.bytes[level]) : ",";
    if (kinds && random.maybe()) {
      said.kinds = operations;
      file.text += fmt::format(",{},0,7", operations.add);
    } else if (kinds) {
      file.text += ",,,";
    }
    file.text += "\n", file.says.push_back(said);
  }
  return file;
}

/// The cell has the number, or nothing where there is none.
void expect_cell(const std::string& cell, const Maybe& wanted, const std::string& what) {
  ASSERT_EQ(cell.empty(), !wanted) << what << ": " << cell;
  ASSERT_NEAR(wanted ? std::stod(cell) : 0, wanted.value_or(0), 2e-6 * wanted.value_or(0)) << what;
}

void expect_said(const Results& results, const std::vector<Said>& says, const char* form) {
  SCOPED_TRACE(form);
  const auto csv = parse_csv(efficiency_csv(results));
  ASSERT_EQ(csv.records.size(), says.size() + 1);
  for (std::size_t i = 0; i < says.size(); ++i) {
    SCOPED_TRACE(i);
    std::map<std::string, std::string> cells;
    for (std::size_t c = 0; c < csv.records[0].fields.size(); ++c)
      cells[csv.records[0].fields[c]] = csv.records[i + 1].fields[c];
    const auto& [precision, kinds, flops, seconds, rate, bytes, intensity] = says[i];
    const auto kind = [&](std::uint64_t Operations::*part) { return kinds ? Maybe((*kinds).*part) : std::nullopt; };
    expect_cell(cells["add"], kind(&Operations::add), "add");
    expect_cell(cells["mul"], kind(&Operations::mul), "mul");
    expect_cell(cells["fma_instructions"], kind(&Operations::fma), "fma");
    EXPECT_EQ(cells["fma_fraction"].empty(), !kinds);
    const auto mix = cells["bound_mix"] + cells["efficiency_mix"] + cells["attainable_mix"];
    EXPECT_TRUE(kinds || mix.empty()) << mix;
    expect_cell(cells["flops"], flops, "flops");
    expect_cell(cells["time_median"], seconds, "time");
    expect_cell(cells["FLOP/s"], rate || !flops || !seconds ? rate : Maybe(*flops / *seconds), "FLOP/s");
    for (const std::string level : {"L1", "L2", "L3", "DRAM"}) {
      const auto amount = bytes.find(level), value = intensity.find(level);
      const auto known = amount == bytes.end() ? std::nullopt : Maybe(amount->second);
      expect_cell(cells["bytes_" + level], known, "bytes of " + level);
      const auto derived = known && flops ? Maybe(*flops / *known) : std::nullopt;
      expect_cell(cells["AI_" + level], value == intensity.end() ? derived : Maybe(value->second), "AI of " + level);
    }
    EXPECT_EQ(cells["flop_account"], "counted");
    EXPECT_TRUE(form == std::string("data.txt") || cells["precision"] == precision) << cells["precision"];
    EXPECT_EQ(std::isnan(results.points[i].known_seconds()), !seconds) << "a time that nobody measured";
  }
}

/// The part of these that a data.txt can hold: rates and intensities of kernels that have both.
std::vector<Said> as_rates(const std::vector<Said>& says) {
  std::vector<Said> rates;
  for (const auto& said : says) {
    auto intensity = said.intensity;
    for (const auto& [level, bytes] : said.bytes)
      if (said.flops) intensity[level] = *said.flops / bytes;
    const auto rate = said.rate || !said.flops || !said.seconds ? said.rate : Maybe(*said.flops / *said.seconds);
    if (rate && !intensity.empty()) rates.push_back({.rate = rate, .intensity = intensity});
  }
  return rates;
}

struct Format {
  const char* name;
  std::function<File(Random&)> file;
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

class GeneratedImports : public ::testing::TestWithParam<Format> {};

TEST_P(GeneratedImports, SayWhatTheFileSays) {
  for (unsigned seed = 1; seed <= 200 && !HasFatalFailure(); ++seed) {
    Random random(seed);
    const auto file = GetParam().file(random);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, file.text));
    const auto read = parse_input(file.text, "FILE", file.options);
    expect_said(read, file.says, "as read");
    expect_said(parse_run(run_json(R"({"context": {}, "benchmarks": []})", read), "run.json"), file.says, "run.json");
    expect_said(parse_run_csv(efficiency_csv(read), "e.csv"), file.says, "efficiency.csv");
    if (const auto rates = as_rates(file.says); !rates.empty())
      expect_said(parse_data_txt("memroofs 1\n" + data_txt(read).substr(data_txt(read).find("AI ")), "d.txt"), rates,
                  "data.txt");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, GeneratedImports,
    ::testing::Values(Format{"ncu_columns", [](Random& r) { return nsight_compute(r, false); }},
                      Format{"ncu_lines", [](Random& r) { return nsight_compute(r, true); }},
                      Format{"nvprof_metrics", nvprof_metrics}, Format{"nvprof_times", nvprof_times},
                      Format{"rocprofiler_columns", [](Random& r) { return rocprofiler(r, false); }},
                      Format{"rocprofiler_lines", [](Random& r) { return rocprofiler(r, true); }},
                      Format{"advisor", advisor},
                      Format{"google_json", [](Random& r) { return google_benchmark(r, false); }},
                      Format{"google_csv", [](Random& r) { return google_benchmark(r, true); }},
                      Format{"data_txt", data_file}, Format{"efficiency_csv", table_of_others}),
    [](const auto& info) { return std::string(info.param.name); });

// Names that say no level are of DRAM, whose roof is the best of them.
TEST(GeneratedRoofs, AreOfTheLevelsThatTheirNamesSay) {
  const std::map<std::string, MemoryLevel> levels{{"L1", MemoryLevel::L1},     {"L2", MemoryLevel::L2},
                                                  {"L3", MemoryLevel::L3},     {"HBM", MemoryLevel::DRAM},
                                                  {"peak", MemoryLevel::DRAM}, {"near", MemoryLevel::DRAM}};
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::map<MemoryLevel, double> roofs;
    Strings names, rates, pairs;
    for (const auto& [name, level] : levels) {
      if (random.maybe() && (name != "peak" || !roofs.empty())) continue;
      const double rate = random.rate();
      roofs[level] = std::max(roofs[level], rate);
      names.push_back("'" + name + "'"), rates.push_back(fmt::format("{}", rate));
      pairs.push_back(fmt::format("[\"{}\", {}]", name, rate));
    }
    const auto data =
        fmt::format("memroofs {}\nmem_roof_names {}\ncomproofs 1\n", fmt::join(rates, " "), fmt::join(names, " "));
    const auto ert = fmt::format(R"({{"empirical": {{"gflops": {{"data": [["FP64 GFLOPs", 1]]}},
                                      "gbytes": {{"data": [{}]}}}}}})",
                                 fmt::join(pairs, ", "));
    for (const auto& text : {data, ert}) {
      SCOPED_TRACE(text);
      const auto read = parse_input(text, "FILE");
      for (const auto& results : {read, parse_run(run_json("", read), "run.json"),
                                  parse_data_txt(data_txt(read), "d.txt"), parse_ert_json(ert_json(read), "e.json")})
        for (const auto level : memory_levels) {
          const auto* const roof = results.roofline.bandwidth(level);
          ASSERT_EQ(roof != nullptr, roofs[level] > 0);
          ASSERT_NEAR(roof ? roof->rate * 1e-9 : 0, roofs[level], 1e-6 * roofs[level]);
        }
    }
  }
}

}  // namespace
}  // namespace roofline::generated_imports_test
