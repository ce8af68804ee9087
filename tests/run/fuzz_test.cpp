#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "bench/counters/imports/ncu_csv.hpp"
#include "bench/recovery/results_of.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/virtual_gpu/devices/device.hpp"
#include "bench/virtual_gpu/devices/known_devices.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"
#include "tests/mutator.hpp"

// Files that went wrong: readers either take them or throw what the program turns into one line and a documented code.
// 100 mutations of each format; as many as ROOFLINE_FUZZ says on demand, best under the preset asan.

namespace roofline::fuzz_test {
namespace {

using json = nlohmann::ordered_json;

void fuzz(const std::string& good, const std::function<void(const std::string&)>& read) {
  ASSERT_NO_THROW(read(good));
  EXPECT_GT(testing::refused(good, 100, read), 0.25) << "the mutations are too weak to mean anything";
}

TEST(Fuzz, CeilingsOfEarlierRuns) {
  Machine machine;
  machine.fingerprint = "ours";
  Suite suite(cpu_target(machine, 2));
  Results run;
  run.roofline = example::roofline(), run.date = "2026-01-31T12:00:00Z";
  run.stores = {StorePolicy::Outcome::evades, 0.5, 2, 8e10, 6e10, 5.5e10, ""};
  for (const auto& ceiling : run.roofline.ceilings()) suite.add_ceiling({ceiling, Selection::quick, {}});
  const json document{{"context", {{"fingerprint", "ours"}, {"compiler", "GNU"}}}, {"roofline", stored_run(run)}};
  const testing::Scratch folder;
  const auto path = folder / "run.json";
  fuzz(document.dump(), [&](const std::string& text) {
    std::ofstream(path) << text;
    try {
      const auto earlier = read_ceilings(path, suite);
      for (const auto& warning : earlier.warnings) EXPECT_LT(warning.size(), 10000u);
      for (const auto& ceiling : earlier.ceilings) EXPECT_TRUE(ceiling.rate > 0 && std::isfinite(ceiling.rate));
    } catch (const FingerprintMismatch& other) {
      throw FileError(other.what());
    }
  });
}

TEST(Fuzz, DeviceFiles) {
  fuzz(std::string(known_devices().at("v100")), [](const std::string& text) { parse_device(text, "x.json"); });
}

TEST(Fuzz, Journals) {
  std::vector<std::string> lines;
  Records records({}, [&](const std::string& line) { lines.push_back(line); });
  RowRound round;
  round.samples = {{0, 1, 0.5}, {0, 2, 0.25}};
  round.probes = {{"ceiling/x", {3, 4}}};
  records.append({.row = "stream", .found = round});
  KernelPoint kernel;
  kernel.counts.at(MemoryLevel::DRAM) = Traffic{1, 2};
  kernel.counts.modelled_levels = {MemoryLevel::L2};
  records.append({.row = "stream", .kernel = kernel});
  records.say([](Results& results) { results.warnings = {"a line"}; });
  for (const auto& read : lines)
    fuzz(read, [&](const std::string& text) {
      try {
        results_of(Records({line_of({.row = "stream", .event = "begin"}), text}).all());
        parse_json(text, "cut off");
      } catch (const std::invalid_argument& wrong) {
        throw FileError(wrong.what());
      }
    });
}

}  // namespace
}  // namespace roofline::fuzz_test
