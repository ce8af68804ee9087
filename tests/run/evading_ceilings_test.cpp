#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/session_ceilings.hpp"

namespace roofline::evading_ceilings_test {
namespace {

/// Ceilings of DRAM of a machine whose stores evade half of their reads: 16 B of write take as long as 12.
class EvadingCeilings : public SessionCeilings {
 protected:
  EvadingCeilings() {
    add_dram("read", 48), add_dram("update", 48), add_dram("write", 64), add_dram("copy", 48 * 24 / 20.0);
    add_dram("triad", 48 * 32 / 28.0);
  }
  void add_dram(const char* mix, double gbytes) {
    CeilingVariant variant;
    variant.ceiling = example::memory(MemoryLevel::DRAM, mix, 0, 1);
    rates_.push_back(gbytes * 1e6);
    variant.make = {[rate = rates_.back()] { return workload(rate); }};
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
  ASSERT_EQ(session_->results().points.size(), 1u);
  const auto& point = session_->results().points[0];
  EXPECT_NEAR(point.counts.at(MemoryLevel::DRAM)->read, 20 * elements, 1);
  EXPECT_NEAR(point.counts.evaded, 4 * elements, 1);
  const auto* const ceiling = session_->results().roofline.matching_dram(point.counts);
  ASSERT_TRUE(ceiling);
  EXPECT_EQ(ceiling->mix, Mix::triad);
  EXPECT_NEAR(point.counts.at(MemoryLevel::DRAM)->total() / point.time.median / ceiling->rate, 1, 1e-6);
  ASSERT_EQ(point.probes.size(), 1u);
  EXPECT_NEAR(point.probes[0].rates.at(0) / ceiling->rate, 1, 1e-9) << "probes are in the account of their ceiling";
}

TEST_F(EvadingCeilings, OfAFileComeWithWhatItSaysOfStores) {
  const testing::Scratch folder;
  const auto path = folder / "run.json";
  const auto evaded_with = [&](const nlohmann::json& stores) {
    std::vector<Ceiling> ceilings;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      ceilings.push_back(suite_.ceilings()[i].ceiling);
      ceilings[i].rate = ceilings[i].rate_low = ceilings[i].rate_high = 1e3 * rates_[i];
    }
    Results run;
    run.roofline = Roofline(ceilings, 1);
    nlohmann::json document{{"context", {{"fingerprint", "ours"}}}, {"roofline", stored_run(run)}};
    document["roofline"]["stores"] = stores;
    std::ofstream(path) << document;
    session_ = std::make_unique<Session>(suite_, options_, plan_, nullptr);
    session_->use_ceilings(read_ceilings(path, suite_));
    session_->measure();
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
}  // namespace roofline::evading_ceilings_test
