#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/run/ceilings_file.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/session_ceilings.hpp"

namespace roofline {
namespace {

/// Ceilings of DRAM of a machine whose stores evade half of their reads: 16 B of write take as long as 12.
class EvadingCeilings : public SessionCeilings {
 protected:
  EvadingCeilings() {
    add_dram("read", 48), add_dram("update", 48), add_dram("write", 64), add_dram("copy", 48 * 24 / 20.0);
    add_dram("triad", 48 * 32 / 28.0);
  }
  /// By a journal: samples of a busy host would be disturbed, and ceilings of these say nothing of stores.
  const Results& run() {
    std::vector<std::string> lines;
    const RowJournal journal({}, [&](const std::string& line) { lines.push_back(line); });
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      auto ceiling = suite_.ceilings()[i].ceiling;
      ceiling.rate = ceiling.rate_low = ceiling.rate_high = 1e3 * rates_[i], ceiling.samples = 9;
      journal.add(ceiling.name, ceiling);
    }
    journal_ = RowJournal(lines, nullptr);
    return SessionCeilings::run();
  }
  void add_dram(const char* mix, double gbytes) {
    CeilingVariant variant;
    variant.ceiling = example::memory(MemoryLevel::DRAM, mix, 0, 1);
    rates_.push_back(gbytes * 1e6);
    variant.make = {[this, i = rates_.size() - 1] { return workload(rates_[i]); }};
    suite_.add_ceiling(std::move(variant));
  }
  const Ceiling& of(Mix mix) const { return *session_->results().roofline.bandwidth(MemoryLevel::DRAM, mix); }

  std::vector<double> rates_;  ///< bytes of a launch as the kernel states them
};

TEST_F(EvadingCeilings, AreStatedInTheBytesThatWereMoved) {
  const auto& results = run();
  ASSERT_TRUE(results.stores);
  EXPECT_EQ(results.stores->outcome, StorePolicy::Outcome::evades);
  EXPECT_NEAR(results.stores->evaded, 0.5, 1e-9);
  EXPECT_NEAR(*results.stores->write, 64e9, 1) << "as it was measured";
  for (const auto mix : {Mix::read, Mix::update, Mix::write, Mix::copy, Mix::triad})
    EXPECT_NEAR(of(mix).rate, 48e9, 1) << name(mix);
  EXPECT_NEAR(of(Mix::triad).bytes_per_explicit_byte, 28.0 / 24, 1e-12);
}

TEST_F(EvadingCeilings, KeepTheirAccountWhenTheyAreLookedAtAgain) {
  run();
  DramProbe probe(suite_);
  EXPECT_NEAR(probe.pace(of(Mix::write))(), 1, 1e-9);
  for (auto& rate : rates_) rate *= 1.25;
  rates_[2] *= 1.1;  // write, by which nothing is told any more
  EXPECT_NEAR(probe.pace(of(Mix::write))(), 1, 1e-9) << "as it was made";
  session_->check_drift();
  EXPECT_NEAR(session_->results().stores->evaded, 0.5, 1e-9) << "rows were counted by it";
  for (const auto mix : {Mix::read, Mix::update, Mix::copy, Mix::triad}) EXPECT_NEAR(of(mix).rate, 60e9, 1);
  EXPECT_NEAR(of(Mix::write).rate, 66e9, 1);
  EXPECT_NEAR(session_->results().drifts.at(0).second, 0.25, 1e-9);
}

TEST_F(EvadingCeilings, DriftInTheirOwnAccount) {
  rates_[3] *= 1.25;
  run();
  ASSERT_EQ(session_->results().roofline.bandwidth(MemoryLevel::DRAM)->mix, Mix::copy);
  session_->check_drift();
  EXPECT_NEAR(session_->results().drifts.at(0).second, 0, 1e-9);
}

TEST_F(EvadingCeilings, AndRowsAreInOneAccount) {
  Workload kernel;
  static_cast<Runnable&>(kernel) = workload(0);
  suite_.add({.name = "triad", .family = "triad", .make = [=] { return kernel; }});
  plan_.kernels = {&suite_.variants()[0]};
  const double elements = 48e6 / 28;  // of a launch of a millisecond at the ceiling
  counter_ = std::make_shared<CounterFunction>([=](const std::string&, const Workload&) {
    Counts counts;
    counts.at(MemoryLevel::DRAM) = Traffic{24 * elements, 8 * elements};
    counts.overwritten = 8 * elements;
    return std::optional(counts);
  });
  run();
  benchmark::JSONReporter json;
  json.SetOutputStream(&text_), json.SetErrorStream(&text_);
  session_->run_kernels(json);
  ASSERT_EQ(session_->results().points.size(), 1u);
  const auto& point = session_->results().points[0];
  EXPECT_NEAR(point.counts.at(MemoryLevel::DRAM)->read, 20 * elements, 1);
  EXPECT_NEAR(point.counts.evaded, 4 * elements, 1);
  const auto* const ceiling = session_->results().roofline.matching_dram(point.counts);
  ASSERT_TRUE(ceiling);
  EXPECT_EQ(ceiling->mix, Mix::triad);
  EXPECT_NEAR(point.counts.at(MemoryLevel::DRAM)->total() / point.time.median / ceiling->rate, 1, 1e-6);
  EXPECT_NEAR(point.dram_pace.value().mean(), 1, 1e-9);
}

TEST_F(EvadingCeilings, OfAFileComeWithWhatItSaysOfStores) {
  const testing::Scratch folder;
  const auto path = folder / "run.json";
  const auto evaded_with = [&](const nlohmann::json& stores) {
    nlohmann::json document{{"context", {{"fingerprint", "ours"}}},
                            {"benchmarks", nlohmann::json::array()},
                            {"roofline", {{"schema", 1}, {"stores", stores}}}};
    for (std::size_t i = 0; i < rates_.size(); ++i)
      document["benchmarks"].push_back({{"name", suite_.ceilings()[i].ceiling.name},
                                        {"B/s", 1e3 * rates_[i]},
                                        {"rate_low", 1e3 * rates_[i]},
                                        {"rate_high", 1e3 * rates_[i]},
                                        {"samples", 9}});
    std::ofstream(path) << document;
    session_ = std::make_unique<Session>(suite_, options_, plan_, nullptr);
    session_->use_ceilings(read_ceilings(path, suite_), path);
    return session_->results().stores.value().evaded;
  };
  EXPECT_EQ(evaded_with({{"outcome", "evades"}, {"threads", 1}, {"evaded", 0.4}}), 0.4);
  EXPECT_NEAR(of(Mix::write).rate, 64e9 * 1.6 / 2, 1);
  EXPECT_EQ(evaded_with({{"outcome", "unknown"}, {"threads", 1}, {"evaded", 0}}), 0) << "its rows are counted so";
  EXPECT_EQ(of(Mix::write).rate, 64e9);
  EXPECT_NEAR(evaded_with({{"outcome", "evades"}, {"threads", 8}, {"evaded", 0.4}}), 0.5, 1e-9) << "of another number";
  EXPECT_NEAR(evaded_with(nullptr), 0.5, 1e-9) << "of an older version";
  EXPECT_THROW(evaded_with({{"outcome", "evades"}, {"threads", 1}, {"evaded", 1.1}}), FileError);
  EXPECT_THROW(evaded_with({{"outcome", "allocates"}, {"threads", 1}, {"evaded", 0.4}}), FileError);
}

}  // namespace
}  // namespace roofline
