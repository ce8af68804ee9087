#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "bench/counters/imports/imported.hpp"
#include "bench/counters/imports/ncu_csv.hpp"
#include "bench/result/flop_convention.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/comparison/outputs.hpp"
#include "reporters/files/files.hpp"
#include "reporters/imports/input.hpp"
#include "reporters/page/page.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/view/portability.hpp"
#include "tests/example_results.hpp"
#include "tests/mutator.hpp"
#include "tests/xml.hpp"

// Damaged files of every format: each reader takes them, and what it took can be reported, or refuses them in one line.
// ROOFLINE_FUZZ says how many mutations of each file, best under the preset asan.

namespace roofline::mutated_files_test {
namespace {

/// Everything that a report is made of, so that a mutation that parses is also drawn.
void report_all(const Results& results) {
  svg_plot(results), page_data(results), data_txt(results), ert_json(results), efficiency_csv(results);
  everything_text(results, true, 60), screen_text(results, {.utf8 = true, .folder = {}, .files = {}});
  by_account(results, parse_flop_convention("11")), by_account(results, parse_flop_convention("measured"));
  for (auto* const view : {time_plot, cache_aware_plot, instruction_plot}) try {
      view(results);
    } catch (const std::invalid_argument&) {  // nothing to draw
    }
}

/// Damaged input is refused in one line, or taken and reported.
void mutate(const std::string& text, int mutations, const std::function<Results(const std::string&)>& parse) {
  int parsed = 0;
  testing::refused(text, mutations, [&](const std::string& mutated) {
    try {
      const auto results = parse(mutated);
      if (++parsed % 8 == 0) report_all(results);
    } catch (const std::invalid_argument&) {
    }
  });
}

/// The table of a platform's efficiencies.
Results portability_of(const std::string& text) {
  std::vector<std::string> notes;
  auto platforms = parse_efficiencies(text, "m", notes);
  join_sizes(platforms);
  p3_csv(platforms);
  to_text(portability_table(platforms));
  return {};
}

Results opinions_of(const std::string& text) {
  OpinionOptions options;
  Results results;
  results.roofline = Roofline(parse_external_ceilings(text, "m", options), 1);
  return results;
}

/// Every reader there is: any file may be given to any of them.
const std::vector<std::function<Results(const std::string&)>>& readers() {
  const auto points = [](const std::string& text) {
    InputOptions options;
    options.flops = "flops", options.bytes = "bytes";
    return parse_input(text, "m", options);
  };
  const auto counters = [](const std::string& text) {
    perf::parse_cpu_counters(text, "m");
    return Results();
  };
  const auto gpu_counters = [](const std::string& text) {
    parse_ncu_csv(text, "m");
    return Results();
  };
  static const std::vector<std::function<Results(const std::string&)>> all{points, opinions_of, portability_of,
                                                                           counters, gpu_counters};
  return all;
}

/// An intact file is the same through run.json, and so is its table. Says whether the reader found something in it.
bool comes_back(const std::string& text, const std::function<Results(const std::string&)>& read) {
  Results results;
  try {
    results = read(text);
  } catch (const std::exception&) {  // a file for another reader
    return false;
  }
  const auto run = run_json("", results);
  const auto back = parse_run(run, "run.json");
  EXPECT_EQ(run_json("", back), run);
  EXPECT_EQ(efficiency_csv(back), efficiency_csv(results));
  return !results.points.empty() || !results.roofline.empty();
}

/// The comparison of a run with an intact one.
Results compared(const std::string& whole, const std::string& text) {
  const auto comparison = compare({{parse_side(whole, "w"), parse_side(text, "m")}});
  EXPECT_TRUE(std::set({0, 1, 3, 5}).contains(exit_code(comparison, {true, true})));
  xml::parse(junit_xml(comparison, {}));
  comparison_markdown(comparison);
  EXPECT_TRUE(nlohmann::ordered_json::accept(verdict_json(comparison, {})));
  return {};
}

TEST(MutatedFiles, OfOtherToolsEndInOneLineOrInAReport) {
  int files = 0, back = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ROOFLINE_TEST_DATA "/field")) {
    if (!entry.is_regular_file() || entry.path().extension() == ".py") continue;
    SCOPED_TRACE(entry.path().string());
    ++files;
    ::testing::internal::CaptureStderr();  // counts that are nan are said there
    const auto text = read_plain_text(entry.path());
    for (const auto& read : readers()) back += comes_back(text, read), mutate(text, 40, read);
    ::testing::internal::GetCapturedStderr();
  }
  EXPECT_GT(files, 50);
  EXPECT_GE(back, 77) << "a reader no longer takes what it took";
}

TEST(MutatedFiles, OfOurOwnEndInOneLineOrInAReport) {
  auto small = example::results(false);
  small.points.resize(6);
  assess(small);
  const auto read = [](const std::string& text) { return parse_input(text, "m"); };
  const auto run = run_json("", small, {{"fingerprint", "ours"}, {"model_hash", "abc"}});
  mutate(run, 1000, [&](const auto& text) { return compared(run, text); });
  for (const auto& good : {run, efficiency_csv(small), data_txt(small), ert_json(small)}) {
    EXPECT_NO_THROW(read(good));
    mutate(good, 1000, read);
  }
  mutate("kernel,platform,efficiency\na,x,0.5\n\"b,c\",x,98 %\na,y,1.0064\n", 1000, portability_of);
}

}  // namespace
}  // namespace roofline::mutated_files_test
