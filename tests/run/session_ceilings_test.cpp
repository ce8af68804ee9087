#include "tests/session_ceilings.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/model/assessment.hpp"
#include "bench/run/ceilings_file.hpp"
#include "tests/command_line.hpp"

namespace roofline {
namespace {

TEST_F(SessionCeilings, OfAResourceThatIsNotThereAreLeftOutAndNoFailure) {
  add("ceiling/one", {[]() -> CeilingWork { throw NoSuchCeiling("one L2"); }});
  add("ceiling/two", {[] { return workload(2e6); }});
  const auto& results = run();
  EXPECT_TRUE(results.failures.empty());
  EXPECT_EQ(results.left_out, (std::vector<std::string>{"ceiling/one: one L2"}));
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
  EXPECT_EQ(best.rate, 3e9);
  EXPECT_EQ(best.winner, 1u);
  EXPECT_FALSE(best.theory);
}

TEST_F(SessionCeilings, LoseTheTheoryOfAnotherCore) {
  // The second one is disturbed at first: what replaces it at the end has no theory either.
  double seconds = 1e-3;
  const auto add_compute = [this](Operation operation, const double& launch) {
    CeilingVariant variant;
    variant.ceiling = example::compute(operation, 0, "avx512");
    variant.make = {[&launch] {
      auto work = workload(1e6);
      work.time = [&launch](int batch) { return launch * batch; };
      work.theory = [] { return 0.5e9; };
      return work;
    }};
    suite_.add_ceiling(std::move(variant));
  };
  const double steady = 1e-3;
  add_compute(Operation::fma, steady), add_compute(Operation::add, seconds), add_compute(Operation::mul, steady);
  run();
  for (const auto& ceiling : session_->results().roofline.ceilings()) EXPECT_FALSE(ceiling.theory) << ceiling.name;
  seconds = 0.8e-3;
  session_->check_drift();
  const auto& ceilings = session_->results().roofline.ceilings();
  EXPECT_NEAR(ceilings.at(1).rate, 1.25e9, 1);
  for (const auto& ceiling : ceilings) EXPECT_FALSE(ceiling.theory) << ceiling.name;
}

TEST_F(SessionCeilings, TheBetterOfTwoLooksCounts) {
  // A neighbour has half of the first ceiling while it is measured, and half of the second when it is looked at again.
  double first = 1e-3, second = 1e-3;
  const auto add_level = [this](MemoryLevel level, const double& seconds) {
    CeilingVariant variant;
    variant.ceiling = example::memory(level, "read", 0, 1);
    variant.make = {[&seconds] {
      auto work = workload(1e6);
      work.time = [&seconds](int batch) { return seconds * batch; };
      return work;
    }};
    suite_.add_ceiling(std::move(variant));
  };
  add_level(MemoryLevel::L1, first), add_level(MemoryLevel::L2, second);
  first = 2e-3;
  run();
  first = 1e-3, second = 2e-3;
  session_->check_drift();
  const auto& results = session_->results();
  EXPECT_EQ(results.roofline.ceilings().at(0).rate, 1e9);
  EXPECT_EQ(results.roofline.ceilings().at(1).rate, 1e9);
  ASSERT_EQ(results.warnings.size(), 1u);
  EXPECT_EQ(results.warnings[0],
            "1 of 2 ceilings measured again at the end were more than 3 % better, up to +100 % "
            "(ceiling/bandwidth/L1/read/threads:1): these replace the first ones");
}

/// Ceilings of a file, of which one launch has moved 2e6 B: 2e9 B/s by the workloads' own account.
class ImportedCeilings : public SessionCeilings {
 protected:
  ImportedCeilings() {
    for (const auto* const mix : {"read", "copy"}) {
      CeilingVariant variant;
      variant.ceiling = example::memory(MemoryLevel::DRAM, mix, 0, 1);
      for (const double bytes : {1e6, 2e6})
        variant.make.push_back([=] {
          auto w = workload(bytes);
          w.variant = bytes == 1e6 ? "slow" : "fast";
          return w;
        });
      suite_.add_ceiling(std::move(variant));
    }
    nlohmann::json document{{"context", {{"fingerprint", "ours"}}}, {"benchmarks", nlohmann::json::array()}};
    for (const auto& variant : suite_.ceilings())
      document["benchmarks"].push_back({{"name", variant.ceiling.name},
                                        {"B/s", 4e9},
                                        {"rate_low", 4e9},
                                        {"rate_high", 4e9},
                                        {"label", "variant=fast"}});
    std::ofstream(path_) << document;
  }
  Session& import() {
    session_ = std::make_unique<Session>(suite_, options_, plan_, nullptr);
    session_->use_ceilings(read_ceilings(path_, suite_), path_);
    return *session_;
  }

  testing::Scratch folder_;
  std::string path_ = folder_ / "run.json";
};

TEST_F(ImportedCeilings, AreMeasuredAgainAtTheEnd) {
  auto& session = import();
  session.check_drift();
  ASSERT_EQ(session.results().drifts.size(), 1u);
  EXPECT_EQ(session.results().drifts[0].second, -0.5);
  ASSERT_EQ(session.results().warnings.size(), 1u);
  EXPECT_NE(session.results().warnings[0].find("moved by -50.0 % since " + path_), std::string::npos)
      << session.results().warnings[0];
}

TEST_F(ImportedCeilings, StayWhereTheRunMeasuresOthers) {
  options_.quick = true;
  plan_.ceilings = {&suite_.ceilings()[0]};
  auto& session = import();
  benchmark::JSONReporter json;
  json.SetOutputStream(&text_), json.SetErrorStream(&text_);
  session.run_ceilings(json);
  const auto& ceilings = session.results().roofline.ceilings();
  ASSERT_EQ(ceilings.size(), 2u);
  EXPECT_EQ(ceilings[0].rate, 2e9);  // measured
  EXPECT_EQ(ceilings[1].name, suite_.ceilings()[1].ceiling.name);
  EXPECT_EQ(ceilings[1].rate, 4e9);  // of the file
}

TEST_F(ImportedCeilings, HaveAPaceWithTheVariantThatWonThen) {
  DramProbe probe(suite_);
  auto ceiling = import().results().roofline.ceilings().at(0);
  EXPECT_EQ(probe.pace(ceiling)(), 0.5);
  ceiling.name = suite_.ceilings()[1].ceiling.name, ceiling.variant = "of another build";
  EXPECT_FALSE(probe.pace(ceiling));
}

TEST_F(SessionCeilings, PacesOfOtherPlacementsAreThoseOfTheFastestVariantThere) {
  add("ceiling/one", {[] { return workload(1e6); }, [] { return workload(3e6); }});
  auto ceiling = suite_.ceilings()[0].ceiling;
  ceiling.rate = 1e9, ceiling.winner = 0, ceiling.variant = workload(1e6).variant;
  DramProbe probe(suite_);
  EXPECT_EQ(probe.pace(ceiling)(), 1) << "of the variant that won";
  EXPECT_EQ(probe.pace(ceiling, true)(), 3);
  EXPECT_EQ(probe.pace(ceiling)(), 1) << "back again";
}

TEST_F(SessionCeilings, PacesAreRelativeToTheBetterOneAndTheJournalKeepsTheFirst) {
  double seconds = 2e-3;  // of DRAM's ceiling; half of that when it is measured again
  CeilingVariant dram;
  dram.ceiling = example::memory(MemoryLevel::DRAM, "read", 0, 1);
  dram.make = {[&seconds] {
    auto work = workload(1e6);
    work.time = [&seconds](int batch) { return seconds * batch; };
    return work;
  }};
  suite_.add_ceiling(std::move(dram));
  add_kernel(read_from_dram(1e6));
  run();
  std::vector<std::string> journal;
  session_->keep_journal(RowJournal({}, [&](const std::string& line) { journal.push_back(line); }), {});
  benchmark::JSONReporter json;
  json.SetOutputStream(&text_), json.SetErrorStream(&text_);
  session_->run_kernels(json);
  ASSERT_EQ(session_->results().points.size(), 1u);
  const auto& point = session_->results().points[0];
  ASSERT_TRUE(point.dram_pace);
  EXPECT_DOUBLE_EQ(point.dram_pace->mean(), 1);
  EXPECT_DOUBLE_EQ(point.paced_time->median, 1e-3);
  const auto lines = journal.size();
  seconds = 1e-3;
  session_->check_drift();
  EXPECT_DOUBLE_EQ(point.dram_pace->mean(), 0.5) << "the memory was half as fast as its ceiling";
  EXPECT_DOUBLE_EQ(point.paced_time->median, 0.5e-3);
  EXPECT_EQ(journal.size(), lines) << "what it keeps of the kernel is relative to the first";
}

TEST_F(SessionCeilings, RowsOfLoneLinesAreAskedForThePaceOfThese) {
  // Streams keep their rate, lone lines come half as fast when the kernel runs.
  double seconds = 1e-3;
  const auto memory = [](const char* mix, std::function<double()> time, double work) {
    CeilingVariant variant;
    variant.ceiling = example::memory(MemoryLevel::DRAM, mix, 0, 1);
    variant.make = {[=] {
      auto made = workload(work);
      made.time = [time](int batch) { return time() * batch; };
      return made;
    }};
    return variant;
  };
  suite_.add_ceiling(memory(
      "read", [] { return 1e-3; }, 3e6));
  suite_.add_ceiling(memory(
      "stride:16", [&] { return seconds; }, 1e6));
  auto counts = read_from_dram(1e6);
  counts.lone = 1e6;
  add_kernel(counts);
  run();
  seconds = 2e-3;
  benchmark::JSONReporter json;
  json.SetOutputStream(&text_), json.SetErrorStream(&text_);
  session_->run_kernels(json);
  ASSERT_EQ(session_->results().points.size(), 1u);
  const auto& point = session_->results().points[0];
  EXPECT_TRUE(point.lone_pace);
  ASSERT_TRUE(point.dram_pace);
  EXPECT_DOUBLE_EQ(point.dram_pace->mean(), 0.5);
  const auto assessment = assess(session_->results().roofline, point);
  ASSERT_TRUE(assessment.mix);
  EXPECT_EQ(assessment.mix->bound, "DRAM lone lines");
  EXPECT_DOUBLE_EQ(assessment.mix->efficiency, 2e-3 / point.time.median);
}

TEST_F(SessionCeilings, BothThatWereDisturbedAreReplacedAtTheEnd) {
  // Each is twice as fast when it is measured again.
  const auto faster_later = [](const char* name, Ceiling::Kind kind) {
    CeilingVariant variant;
    variant.ceiling.name = name, variant.ceiling.kind = kind, variant.ceiling.level = MemoryLevel::DRAM;
    variant.ceiling.threads = 1;
    variant.make = {[times = std::make_shared<int>(0)] { return workload(++*times == 1 ? 1e6 : 2e6); }};
    return variant;
  };
  suite_.add_ceiling(faster_later("ceiling/flops", Ceiling::Kind::compute));
  suite_.add_ceiling(faster_later("ceiling/bandwidth", Ceiling::Kind::bandwidth));
  ASSERT_EQ(run().roofline.ceilings().size(), 2u);
  session_->check_drift();
  const auto& results = session_->results();
  ASSERT_EQ(results.drifts.size(), 2u);
  EXPECT_EQ(results.drifts[0].first, "ceiling/flops");
  EXPECT_EQ(results.drifts[1].first, "ceiling/bandwidth") << "the first replacement took it away";
  for (const auto& ceiling : results.roofline.ceilings()) EXPECT_EQ(ceiling.rate, 2e9) << ceiling.name;
}

}  // namespace
}  // namespace roofline
