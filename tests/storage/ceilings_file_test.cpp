#include "bench/storage/ceilings_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/machine/machine.hpp"
#include "bench/storage/stored_run.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"

namespace roofline::ceilings_file_test {
namespace {

using nlohmann::json;

/// A machine with L1, DRAM and an FMA ceiling, and the run.json of an earlier run on it.
class CeilingsFile : public ::testing::Test {
 protected:
  CeilingsFile() {
    for (auto ceiling : {example::compute(Operation::fma, 0), example::memory(MemoryLevel::L1, "read", 0),
                         example::memory(MemoryLevel::DRAM, "read", 0), example::memory(MemoryLevel::DRAM, "copy", 0)})
      suite_.add_ceiling({ceiling, Selection::quick, {}});
    document_ = {{"context", {{"fingerprint", "ours"}, {"complete", true}, {"clock_hz", "4000000000"}}},
                 {"benchmarks", json::array()}};
    for (const auto& variant : suite_.ceilings()) {
      const auto* const unit = variant.ceiling.kind == Ceiling::Kind::compute ? "FLOP/s" : "B/s";
      document_["benchmarks"].push_back({{"name", variant.ceiling.name},
                                         {unit, 5e10},
                                         {"rate_low", 4.9e10},
                                         {"rate_high", 5.1e10},
                                         {"label", "variant=4 vectors, 1 stream"}});
    }
  }
  std::string write() {
    const auto path = folder_ / "run.json";
    std::ofstream(path) << document_;
    return path;
  }
  std::vector<Ceiling> read() { return read_ceilings(write(), suite_); }
  std::vector<std::string> warnings() { return ceilings_warnings(write(), read(), suite_); }
  /// On the same machine at another clock.
  std::vector<std::string> warnings_at(double clock_hz) {
    Suite other(cpu_target(machine(clock_hz), 2));
    for (const auto& ceiling : suite_.ceilings()) other.add_ceiling(ceiling);
    return ceilings_warnings(write(), read(), other);
  }
  std::string refusal() {
    try {
      read();
    } catch (const FingerprintMismatch& error) {
      return error.what();
    }
    return "";
  }
  void interrupt_before(std::size_t row) {
    document_["context"]["complete"] = false;
    for (auto& rows = document_["benchmarks"]; row < rows.size(); ++row)
      rows[row] = {{"name", rows[row]["name"]}, {"error_occurred", true}, {"error_message", "interrupted"}};
  }
  static bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

  static Machine machine(double clock_hz = 4e9) {
    Machine machine;
    machine.fingerprint = "ours", machine.clock_hz = clock_hz;
    return machine;
  }
  Suite suite_{cpu_target(machine(), 2)};
  json document_;
  testing::Scratch folder_;
};

TEST_F(CeilingsFile, KnowsTheFormsThatItsRunChose) {
  EXPECT_TRUE(read_tunings(write()).empty());
  document_["roofline"] = {
      {"schema", run_schema},
      {"points",
       {{{"name", "stream/triad/n:64"}}, {{"name", "stream/triad/n:64/tuned"}, {"tuning", "streaming stores"}}}}};
  EXPECT_EQ(read_tunings(write()),
            (std::map<std::string, std::string>{{"stream/triad/n:64/tuned", "streaming stores"}}));
}

TEST_F(CeilingsFile, GivesRatesIntervalsAndTheVariantThatWon) {
  const auto ceilings = read();
  ASSERT_EQ(ceilings.size(), 4u);
  EXPECT_EQ(ceilings[3].mix, Mix::copy);
  EXPECT_EQ(ceilings[3].rate, 5e10);
  EXPECT_EQ(ceilings[3].rate_low, 4.9e10);
  EXPECT_EQ(ceilings[3].variant, "4 vectors, 1 stream");
  EXPECT_TRUE(warnings().empty());
}

TEST_F(CeilingsFile, OfARunInterruptedAmongItsCeilingsIsRefused) {
  interrupt_before(2);
  EXPECT_TRUE(contains(refusal(), "no ceiling of DRAM; take the file of a complete run")) << refusal();
}

TEST_F(CeilingsFile, IsRefusedForAMixThatAnInterruptionLeftOut) {
  interrupt_before(3);
  EXPECT_TRUE(contains(refusal(), "1 of its ceilings were not measured")) << refusal();
}

TEST_F(CeilingsFile, OfARunInWhichARowFailedIsRead) {
  interrupt_before(3);
  document_["context"]["interrupted"] = false;
  EXPECT_EQ(refusal(), "");
}

TEST_F(CeilingsFile, TheListOfRowsDecidesWhatAnInterruptionLeftOut) {
  interrupt_before(3);
  auto& row = document_["benchmarks"][3];
  document_["roofline"] = {{"schema", run_schema}, {"unreached", {row["name"]}}};
  row["error_message"] = "stopped";
  EXPECT_TRUE(contains(refusal(), "1 of its ceilings were not measured")) << refusal();
  document_["roofline"]["unreached"] = {"gpp/nw:6"};
  row["error_message"] = "interrupted";  // as the reason why it has no such ceiling
  EXPECT_EQ(read().size(), 3u);
}

TEST_F(CeilingsFile, OfARunInterruptedAmongItsKernelsIsFine) {
  interrupt_before(4);
  EXPECT_EQ(read().size(), 4u);
}

TEST_F(CeilingsFile, WithoutALevelOfThisMachineIsWarnedAbout) {
  document_["benchmarks"].erase(1);
  const auto lines = warnings();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(contains(lines[0], "has no ceiling of L1:")) << lines[0];
}

TEST_F(CeilingsFile, RowsAloneGiveRoofsToDrawWithoutTheMachineThere) {
  document_["context"].update({{"cpu_name", "AMD EPYC"}, {"isa", "avx512"}, {"date", "2026-11-20T21:22:27+00:00"}});
  // Rows of real runs say how many threads they had.
  for (auto& row : document_["benchmarks"]) row["name"] = row["name"].get<std::string>() + "/threads:2";
  const auto roofs = roofs_of_rows(write());
  ASSERT_TRUE(roofs);
  EXPECT_EQ(roofs->machine.name, "AMD EPYC");
  EXPECT_EQ(roofs->machine.clock_hz, 4e9);
  EXPECT_EQ(roofs->date, "2026-11-20T21:22:27+00:00");
  EXPECT_EQ(roofs->roofline.threads(), 2);
  EXPECT_EQ(roofs->roofline.ceilings().size(), 4U);
  ASSERT_TRUE(roofs->roofline.bandwidth(MemoryLevel::DRAM));
  EXPECT_EQ(roofs->roofline.bandwidth(MemoryLevel::DRAM)->rate, 5e10);
}

TEST_F(CeilingsFile, AWholeRunOrAnotherSuitesFileIsNotReadByItsRows) {
  document_["roofline"] = {{"schema", 1}};
  EXPECT_FALSE(roofs_of_rows(write()));
  document_.erase("roofline");
  for (auto& row : document_["benchmarks"]) row["name"] = "BM_something";
  EXPECT_FALSE(roofs_of_rows(write()));
}

TEST_F(CeilingsFile, OfAnotherClockIsWarnedAbout) {
  EXPECT_TRUE(warnings_at(4.1e9).empty()) << "2.5 %";
  const auto lines = warnings_at(4.2e9);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(contains(lines[0], "4.20 GHz")) << lines[0];
  EXPECT_TRUE(contains(lines[0], "4.00 GHz (+5.0 %)")) << lines[0];
}

}  // namespace
}  // namespace roofline::ceilings_file_test
