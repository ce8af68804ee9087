#include "tests/session_ceilings.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"
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
  EXPECT_EQ(best.samples, 18) << "nine rounds of two";
}

TEST_F(SessionCeilings, OfAWrongVariantAreThoseOfTheNextOne) {
  const auto wrong = [] {
    auto work = workload(3e6);
    work.check = [] { return Check{false, "element 0"}; };
    return work;
  };
  add("ceiling/one", {[] { return workload(1e6); }, wrong});
  EXPECT_DOUBLE_EQ(run().roofline.ceilings().at(0).rate, 1e9);
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
    std::ofstream(path_) << nlohmann::json{{"context", {{"fingerprint", "ours"}}}, {"roofline", stored_run(run)}};
  }

  testing::Scratch folder_;
  std::string path_ = folder_ / "run.json";
};

TEST_F(ImportedCeilings, StayWhereTheRunMeasuresOthers) {
  options_.quick = true;
  plan_.ceilings = {&suite_.ceilings()[0]};
  Session session(suite_, options_, plan_, nullptr);
  session.use_ceilings(read_ceilings(path_, suite_));
  session.measure();
  const auto& ceilings = session.results().roofline.ceilings();
  ASSERT_EQ(ceilings.size(), 2u);
  EXPECT_DOUBLE_EQ(ceilings[0].rate, 2e9);  // measured
  EXPECT_EQ(ceilings[1].name, suite_.ceilings()[1].ceiling.name);
  EXPECT_EQ(ceilings[1].rate, 4e9);  // of the file
}

}  // namespace
}  // namespace roofline::session_ceilings_test
