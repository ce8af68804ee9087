#include "bench/storage/ceilings_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/machine/machine.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/error_of.hpp"
#include "tests/example_results.hpp"

namespace roofline::ceilings_file_test {
namespace {

using Json = nlohmann::ordered_json;

/// A machine with L1, DRAM and an FMA ceiling, and the run.json of an earlier run on it.
class CeilingsFile : public ::testing::Test {
 protected:
  CeilingsFile() {
    ceilings_ = {example::compute(Operation::fma, 50), example::memory(MemoryLevel::L1, "read", 50),
                 example::memory(MemoryLevel::DRAM, "read", 50), example::memory(MemoryLevel::DRAM, "copy", 50)};
    for (const auto& ceiling : ceilings_) suite_.add_ceiling({ceiling, Selection::quick, {}});
    run_.machine = suite_.machine();
  }
  std::string write(const Json& document) {
    const auto path = folder_ / "run.json";
    std::ofstream(path) << document;
    return path;
  }
  std::string write() {
    run_.roofline = Roofline(ceilings_, 2);
    return write({{"context", {{"fingerprint", "ours"}}}, {"roofline", stored_run(run_)}});
  }
  EarlierRun read() { return read_ceilings(write(), suite_); }
  /// On the same machine at another clock.
  std::vector<std::string> warnings_at(double clock_hz) {
    Suite other(cpu_target(machine(clock_hz), 2));
    for (const auto& ceiling : suite_.ceilings()) other.add_ceiling(ceiling);
    return read_ceilings(write(), other).warnings;
  }
  std::string refusal() {
    return testing::error_of<FingerprintMismatch>([&] { read(); });
  }
  void interrupt_before(std::size_t row) {
    run_.interrupted = true;
    for (auto i = row; i < ceilings_.size(); ++i) run_.unreached.push_back(ceilings_[i].name);
    run_.unreached.emplace_back("gpp/nw:6");
    ceilings_.resize(row);
  }
  static bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

  static Machine machine(double clock_hz = 4e9) {
    Machine machine;
    machine.fingerprint = "ours", machine.clock_hz = clock_hz;
    return machine;
  }
  Suite suite_{cpu_target(machine(), 2)};
  std::vector<Ceiling> ceilings_;
  Results run_;
  testing::Scratch folder_;
};

TEST_F(CeilingsFile, KnowsTheTuningsThatItsRunChose) {
  EXPECT_TRUE(read_tunings(write()).empty());
  run_.points.resize(2);
  for (auto& point : run_.points) point.name = point.family = "stream/triad";
  run_.points[1].name = "stream/triad/tuned";
  run_.points[1].tuning = "streaming stores";
  EXPECT_EQ(read_tunings(write()), (std::map<std::string, std::string>{{"stream/triad/tuned", "streaming stores"}}));
}

TEST_F(CeilingsFile, GivesTheCeilingsThatThisSuiteHas) {
  ceilings_.push_back(example::memory(MemoryLevel::L2, "read", 50));
  const auto earlier = read();
  ASSERT_EQ(earlier.ceilings.size(), 4u);
  EXPECT_EQ(earlier.ceilings[3].mix, Mix::copy);
  EXPECT_EQ(earlier.ceilings[3].rate_low, ceilings_[3].rate_low);
  EXPECT_EQ(earlier.ceilings[0].variant, "12 chains");
  EXPECT_TRUE(earlier.warnings.empty());
}

TEST_F(CeilingsFile, AWrongRateOrASecondOneIsRefused) {
  ceilings_.push_back(ceilings_[0]);
  EXPECT_THROW(read(), FileError);
  ceilings_.pop_back();
  ceilings_[1].rate_low = 2 * ceilings_[1].rate;
  EXPECT_THROW(read(), FileError);
}

TEST_F(CeilingsFile, OfAnInterruptedRunIsReadWhereItHasThemAll) {
  interrupt_before(4);  // among its kernels
  EXPECT_EQ(read().ceilings.size(), 4u);
  interrupt_before(3);
  EXPECT_TRUE(contains(refusal(), "1 of its ceilings were not measured")) << refusal();
  interrupt_before(2);
  EXPECT_TRUE(contains(refusal(), "no ceiling of DRAM; take the file of a complete run")) << refusal();
}

TEST_F(CeilingsFile, WithoutALevelOfThisMachineIsWarnedAbout) {
  ceilings_.erase(ceilings_.begin() + 1);
  const auto lines = read().warnings;
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(contains(lines[0], "has no ceiling of L1:")) << lines[0];
}

TEST_F(CeilingsFile, OfAnotherTimeIsWarnedAbout) {
  run_.date = "2026-01-31T12:00:00Z";
  const auto lines = read().warnings;
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(contains(lines[0], "days old") || contains(lines[0], "in the future")) << lines[0];
}

TEST_F(CeilingsFile, RowsAloneGiveRoofsOfOlderVersions) {
  Json rows = Json::array();
  for (const auto& ceiling : ceilings_)
    rows.push_back({{"name", ceiling.name},
                    {ceiling.kind == Ceiling::Kind::compute ? "FLOP/s" : "B/s", 5e10},
                    {"rate_low", 4.9e10},
                    {"rate_high", 5.1e10},
                    {"label", "variant=4 vectors"}});
  Json document = {{"context",
                    {{"fingerprint", "ours"},
                     {"cpu_name", "AMD EPYC"},
                     {"clock_hz", "4000000000"},
                     {"date", "2026-11-20T21:22:27+00:00"}}},
                   {"benchmarks", rows}};
  const auto roofs = roofs_of_rows(write(document));
  ASSERT_TRUE(roofs);
  EXPECT_EQ(roofs->machine.name, "AMD EPYC");
  EXPECT_EQ(roofs->machine.clock_hz, 4e9);
  EXPECT_EQ(roofs->roofline.threads(), 2);
  ASSERT_TRUE(roofs->roofline.bandwidth(MemoryLevel::DRAM));
  EXPECT_EQ(roofs->roofline.bandwidth(MemoryLevel::DRAM)->variant, "4 vectors");
  EXPECT_EQ(read_ceilings(write(document), suite_).ceilings.size(), 4u);
  for (auto& row : document["benchmarks"]) row["name"] = "BM_something";
  EXPECT_FALSE(roofs_of_rows(write(document))) << "of another suite";
  EXPECT_FALSE(roofs_of_rows(write())) << "a whole run is not read by its rows";
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
