#include "tests/session_ceilings.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"

namespace roofline::session_ceilings_test {
namespace {

TEST_F(SessionCeilings, OfAResourceThatIsNotThereAreLeftOutAndNoFailure) {
  add("ceiling/one", {[]() -> CeilingWork { throw NoSuchCeiling("one L2"); }});
  add("ceiling/two", {[] { return workload(2e6); }});
  const auto& results = run();
  EXPECT_TRUE(results.failures.empty());
  EXPECT_EQ(results.skipped, (std::vector<std::string>{"ceiling/one: one L2"}));
  ASSERT_EQ(results.roofline.ceilings().size(), 1u);
  EXPECT_EQ(results.roofline.ceilings()[0].name, "ceiling/two");
}

TEST_F(SessionCeilings, OfAThreadThatAQuotaStopsSaySo) {
  auto half = machine();
  half.quota = 0.5;
  suite_ = Suite(cpu_target(half, 1));
  add("ceiling/one", {[] { return workload(2e6); }});
  const auto& warnings = run().warnings;
  const auto said =
      "throttled: the CPU quota is 0.5 of a core, which stops the only thread; times and rates count only running time";
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(), said), 1);
}

TEST_F(SessionCeilings, AnyOtherTroubleFailsTheirRow) {
  add("ceiling/one", {[]() -> CeilingWork { throw std::runtime_error("no memory"); }});
  EXPECT_EQ(run().failures, (std::vector<std::pair<std::string, std::string>>{{"ceiling/one", "no memory"}}));
}

TEST_F(SessionCeilings, AreTheBestOfTheirVariants) {
  add("ceiling/one", {[] { return workload(1e6); }, [] { return workload(3e6); }, [] { return workload(2e6); }});
  const auto& best = run().roofline.ceilings().at(0);
  EXPECT_DOUBLE_EQ(best.rate, 3e9);
  EXPECT_EQ(best.winner, 1u);
  EXPECT_FALSE(best.theory);
  EXPECT_EQ(best.samples, 8) << "two visits of four samples in twelve rounds";
}

TEST_F(SessionCeilings, OfAWrongVariantAreThoseOfTheNextOne) {
  const auto wrong = [] {
    auto work = workload(3e6);
    work.check = [] { return Check{false, "element 0"}; };
    return work;
  };
  add("ceiling/one", {[] { return workload(1e6); }, wrong});
  EXPECT_DOUBLE_EQ(run().roofline.ceilings().at(0).rate, 1e9);
  const auto& warnings = results_.warnings;  // one more where other programs use the CPUs
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(),
                       "ceiling/one: a variant was left out, its values are wrong: element 0"),
            1);
  suite_ = Suite(cpu_target(machine(), 1)), plan_ = {};
  add("ceiling/two", {wrong});
  EXPECT_EQ(run().failures, (std::vector<std::pair<std::string, std::string>>{{"ceiling/two", "element 0"}}));
}

TEST_F(SessionCeilings, AreCheckedInMemoryThatNoOtherVariantHasWritten) {
  // Both variants share one number, as those of DRAM share a block: a check of the first would see the second's.
  const auto memory = std::make_shared<int>(0);
  const auto variant = [memory](int value, double work) {
    return [=] {
      auto made = workload(work);
      made.launch = [=] { *memory = value; };
      made.check = [=] { return Check{*memory == value, "of another variant"}; };
      return made;
    };
  };
  add("ceiling/one", {variant(1, 2e6), variant(2, 1e6)});
  EXPECT_TRUE(run().failures.empty());
}

TEST_F(SessionCeilings, HaveNoTheoryWhereTheCpuIsAnotherThanItSays) {
  const auto add_compute = [this](Operation operation, double theory) {
    CeilingVariant variant;
    variant.ceiling = example::compute(operation, 0, "avx512", true, 1);
    variant.make = {[theory] {
      auto work = workload(1e6);
      work.theory = [theory] { return theory; };
      return work;
    }};
    suite_.add_ceiling(std::move(variant));
  };
  add_compute(Operation::fma, 0.5e9), add_compute(Operation::add, 0.5e9);
  for (const auto& ceiling : run().roofline.ceilings()) EXPECT_FALSE(ceiling.theory) << ceiling.name;
  add_compute(Operation::mul, 1.1e9);
  plan_.ceilings.clear();
  for (const auto& ceiling : run().roofline.ceilings())
    EXPECT_TRUE(ceiling.theory) << ceiling.name << ": one above its theory is a wrong ceiling, and checks say so";
}

/// Ceilings of a file, of which one launch has moved 2e6 B: 2e9 B/s by the workloads' own account.
class ImportedCeilings : public SessionCeilings {
 protected:
  ImportedCeilings() {
    for (const auto* const mix : {"read", "copy"}) {
      CeilingVariant variant;
      variant.ceiling = example::memory(MemoryLevel::DRAM, mix, 0, 1);
      variant.make = {[] { return workload(2e6); }};
      suite_.add_ceiling(std::move(variant));
    }
    std::vector<Ceiling> ceilings;
    for (const auto& variant : suite_.ceilings()) {
      ceilings.push_back(variant.ceiling);
      ceilings.back().rate = ceilings.back().rate_low = ceilings.back().rate_high = 4e9;
    }
    Results run;
    run.roofline = Roofline(ceilings, 1);
    std::ofstream(path_) << nlohmann::ordered_json{{"context", {{"fingerprint", "ours"}}},
                                                   {"roofline", stored_run(run)}};
  }

  testing::Scratch folder_;
  std::string path_ = folder_ / "run.json";
};

TEST_F(ImportedCeilings, StayWhereTheRunMeasuresOthers) {
  options_.quick = true;
  plan_.ceilings = {&suite_.ceilings()[0]};
  Session session(suite_, options_, plan_, records_, nullptr);
  session.use_ceilings(read_ceilings(path_, suite_));
  const auto& ceilings = measured(std::move(session)).roofline.ceilings();
  ASSERT_EQ(ceilings.size(), 2u);
  EXPECT_DOUBLE_EQ(ceilings[0].rate, 2e9);  // measured
  EXPECT_EQ(ceilings[1].name, suite_.ceilings()[1].ceiling.name);
  EXPECT_EQ(ceilings[1].rate, 4e9);  // of the file
}

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
  const Ceiling& of(Mix mix) const { return *results_.roofline.bandwidth(MemoryLevel::DRAM, mix); }

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
  ASSERT_EQ(results_.points.size(), 1u);
  const auto& point = results_.points[0];
  EXPECT_NEAR(point.counts.at(MemoryLevel::DRAM)->read, 20 * elements, 1);
  EXPECT_NEAR(point.counts.evaded, 4 * elements, 1);
  const auto* const ceiling = results_.roofline.matching_dram(point.counts);
  ASSERT_TRUE(ceiling);
  EXPECT_EQ(ceiling->mix, Mix::triad);
  EXPECT_NEAR(point.counts.at(MemoryLevel::DRAM)->total() / point.time.median / ceiling->rate, 1, 1e-6);
  ASSERT_EQ(point.probes.size(), 1u);
  EXPECT_NEAR(point.probes[0].rates.at(0) / ceiling->rate, 1, 1e-9) << "probes are in the account of their ceiling";
}

TEST_F(EvadingCeilings, OfAFileComeWithWhatItSaysOfStores) {
  const testing::Scratch folder;
  const auto path = folder / "run.json";
  const auto evaded_with = [&](const nlohmann::ordered_json& stores) {
    std::vector<Ceiling> ceilings;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      ceilings.push_back(suite_.ceilings()[i].ceiling);
      ceilings[i].rate = ceilings[i].rate_low = ceilings[i].rate_high = 1e3 * rates_[i];
    }
    Results run;
    run.roofline = Roofline(ceilings, 1);
    nlohmann::ordered_json document{{"context", {{"fingerprint", "ours"}}}, {"roofline", stored_run(run)}};
    document["roofline"]["stores"] = stores;
    std::ofstream(path) << document;
    records_ = {};
    Session session(suite_, options_, plan_, records_, nullptr);
    session.use_ceilings(read_ceilings(path, suite_));
    return measured(std::move(session)).stores.value().evaded;
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
}  // namespace roofline::session_ceilings_test
