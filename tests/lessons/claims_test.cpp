// Claims: their data, what rules on them, and what the program prints.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/claims/claims_table.hpp"
#include "tests/command_line.hpp"

namespace roofline::claims::claims_test {
namespace {

const Results& stored(const std::string& name) {
  static std::map<std::string, Results> runs;
  const auto found = runs.find(name);
  if (found != runs.end()) return found->second;
  return runs.emplace(name, read_run(std::string(ROOFLINE_TEST_DATA) + "/claims-" + name + ".json")).first->second;
}

bool holds(Verdict verdict) { return verdict == Verdict::reproduced || verdict == Verdict::arithmetic; }

TEST(Claims, AllStatementsOfTheTalksAreThere) {
  EXPECT_EQ(all_claims().size(), 116u);
  std::set<std::string> ids;
  std::size_t core = 0;
  for (const auto& claim : all_claims()) {
    ids.insert(claim.id), core += claim.core;
    EXPECT_FALSE(claim.statement.empty() || claim.documents.empty()) << claim.id;
    EXPECT_TRUE(!claim.checks.empty() || !claim.undecided.empty()) << claim.id;
  }
  EXPECT_EQ(ids.size(), 116u);
  EXPECT_EQ(core, 64u);
}

/// One figure of a run, by its text.
class Figures : public Facts {
 public:
  explicit Figures(std::map<std::string, double> figures) : figures_(std::move(figures)) {}
  std::optional<Fact> find(const std::string& kind, const std::string& subject, End) const override {
    const auto found = figures_.find(kind + "[" + subject + "]");
    if (found == figures_.end()) return std::nullopt;
    return Fact{found->second, "measured"};
  }
  std::vector<std::string> rows(const std::string&) const override { return {}; }
  Backend backend() const override { return Backend::cpu; }

 private:
  std::map<std::string, double> figures_;
};

Check check_of(const std::string& on, const std::string& test) {
  Check check;
  check.on = {on}, check.instances = {{}}, check.tests = {test};
  return check;
}

TEST(Claims, AMissingInstanceLeavesTheWordToThoseThatDecide) {
  Claim claim;
  claim.id = "X-1";
  auto check = check_of("cpu", "time[row/{i}] < 2");
  check.instances = {{{"i", "1"}}, {{"i", "2"}}, {{"i", "3"}}};
  claim.checks = {check};
  const auto passed = judge(claim, Figures({{"time[row/2]", 1}}));
  EXPECT_EQ(passed.verdict, Verdict::reproduced);
  EXPECT_EQ(passed.checks.front().lacked.size(), 2u);
  EXPECT_EQ(judge(claim, Figures({{"time[row/1]", 1}, {"time[row/2]", 3}})).verdict, Verdict::not_reproduced);
  const auto lacking = judge(claim, Figures({}));
  EXPECT_EQ(lacking.verdict, Verdict::inconclusive);
  EXPECT_EQ(lacking.reason, "the run does not have time[row/1]");
  // An instance that does not apply decides nothing.
  claim.checks.front().guards = {"time[row/{i}] > 5"};
  EXPECT_EQ(judge(claim, Figures({{"time[row/2]", 1}})).verdict, Verdict::inconclusive);
}

TEST(Claims, ArithmeticRefutesAndDoesNotConfirmWhereARunCouldDecide) {
  Claim claim;
  claim.id = "X-1";
  const Figures empty({}), fast({{"time[row/1]", 1}}), slow({{"time[row/1]", 3}});
  const auto measured = check_of("cpu", "time[row/1] < 2");
  claim.checks = {check_of("arith", "1 + 1 == 2"), measured};
  EXPECT_EQ(judge(claim, empty).verdict, Verdict::inconclusive);
  EXPECT_EQ(judge(claim, fast).verdict, Verdict::reproduced);
  EXPECT_EQ(judge(claim, slow).verdict, Verdict::not_reproduced);
  EXPECT_EQ(judge(claim, RunFacts(nullptr)).verdict, Verdict::reproduced);
  claim.checks = {check_of("arith", "1 + 1 == 3"), measured};
  EXPECT_EQ(judge(claim, fast).verdict, Verdict::not_reproduced);
  claim.checks = {check_of("arith", "1 + 1 == 2"), check_of("gpu", "time[row/1] < 2")};
  EXPECT_EQ(judge(claim, fast).verdict, Verdict::arithmetic);
  EXPECT_EQ(judge(claim, fast).reason, "a run would decide it, of: gpu");
  // Values that are only printed do not decide.
  auto printed = measured;
  printed.tests.clear(), printed.shown = {"time[row/1]"};
  claim.checks = {check_of("arith", "1 + 1 == 2"), printed};
  EXPECT_EQ(judge(claim, fast).verdict, Verdict::arithmetic);
}

TEST(Claims, ACoreClaimThatARunDoesNotShowIsExplained) {
  for (const auto* run : {"cpu", "v100"})
    for (const auto& ruling : judge_all(RunFacts(&stored(run)))) {
      const bool shown = holds(ruling.verdict) || ruling.verdict == Verdict::not_testable ||
                         (ruling.verdict == Verdict::not_applicable && ruling.checks.empty());
      const bool lacks_rows = !lacking({ruling}).empty();
      EXPECT_TRUE(!ruling.claim->core || shown || lacks_rows || !ruling.claim->differs.empty())
          << run << ": " << ruling.claim->id << " " << ruling.reason;
    }
}

TEST(Claims, ATheoryThatNobodyKnowsIsNoFailure) {
  Claim claim;
  auto check = check_of("cpu", "bandwidth[DRAM] < bandwidth_theory[DRAM]");
  check.guards = {"bandwidth_theory[DRAM] > 0"};
  claim.checks = {check};
  const auto ruling = judge(claim, Figures({{"bandwidth[DRAM]", 1}}));
  EXPECT_EQ(ruling.verdict, Verdict::not_testable);
  EXPECT_NE(ruling.reason.find("it presupposes bandwidth_theory[DRAM] > 0"), std::string::npos) << ruling.reason;
  EXPECT_EQ(judge(claim, Figures({{"bandwidth[DRAM]", 3}, {"bandwidth_theory[DRAM]", 2}})).verdict,
            Verdict::not_reproduced);
}

TEST(Claims, ExpressionsOfEveryCheckAreWellFormed) {
  for (const auto* run : {"cpu", "v100"})
    for (const auto& claim : all_claims()) EXPECT_NO_THROW(judge(claim, RunFacts(&stored(run)))) << claim.id;
}

TEST(Claims, WithoutARunOnlyPublishedFiguresDecide) {
  const auto rulings = judge_all(RunFacts(nullptr));
  for (const auto& ruling : rulings)
    for (const auto& check : ruling.checks)
      for (const auto& [text, fact] : check.used.facts) EXPECT_EQ(text.rfind("pub[", 0), 0u) << ruling.claim->id;
}

TEST(Claims, AnOverlappingIntervalDecidesNothing) {
  EXPECT_EQ(at_most({1, 0.9, 1.1}, 1), Truth::unknown);
  EXPECT_EQ(at_most({1, 0.8, 0.9}, 1), Truth::yes);
  EXPECT_EQ(at_most({1, 1.1, 1.2}, 1), Truth::no);
  EXPECT_EQ(near({1, 0.95, 1.2}, 1, 0.1), Truth::unknown);
  EXPECT_TRUE(std::isnan((Value{1} / Value{0, -1, 1}).value));
}

TEST(Claims, WrongExpressionsAreRefused) {
  const RunFacts facts(nullptr);
  Scope scope{.facts = facts};
  for (const auto* wrong : {"1 +", "nothing", "(1", "f(1)", "pub[", "1 2", ""})
    EXPECT_THROW(evaluate(wrong, scope), Malformed) << wrong;
  for (const auto* wrong : {"1", "1 ~ 1", "1 ~ 1 around 2", "1 ! 1"})
    EXPECT_THROW(compare(wrong, scope), Malformed) << wrong;
  scope.names = {{"a", "b"}, {"b", "a"}};
  EXPECT_THROW(evaluate("a", scope), Malformed);
  EXPECT_THROW(evaluate("pub[no/such/figure]", scope), Missing);
  EXPECT_DOUBLE_EQ(evaluate("2 + 3 * 2 ^ 3 - -1", scope).value, 27);
  EXPECT_DOUBLE_EQ(evaluate("harmonic(60, 30, 0)", scope).value, 0);
}

TEST(Claims, AVerdictStandsBesideItsStatement) {
  RuledRun run;
  run.name = "a processor with a name that is longer than a column", run.rulings = judge_all(RunFacts(&stored("cpu")));
  for (const std::size_t width : {80u, 100u}) {
    std::istringstream lines(claims_text({run}, false, width));
    std::size_t beside = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), width) << line;
      beside += line.rfind("GPP-2 ", 0) == 0 && line.find("reproduced") < line.find("FLOPs grow in proportion");
    }
    EXPECT_EQ(beside, 1u) << width;
  }
}

TEST(Claims, TheProgramPrintsThemAndStrictTellsByItsCode) {
  using testing::Scratch;
  const Scratch folder;
  const std::string run = ROOFLINE_TEST_DATA "/claims-v100.json";
  const auto roofline = [&](const std::string& arguments) {
    return testing::shell("'" ROOFLINE_CLI "' claims " + arguments, folder);
  };
  const auto all = roofline("'" + run + "'");
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_NE(all.out.find("GPP-14"), std::string::npos);
  const auto json = nlohmann::json::parse(roofline("--json '" + run + "'").out);
  EXPECT_EQ(json.at("runs").at(0).at("claims").size(), 116u);
  EXPECT_EQ(roofline("--strict --id=PP-1").code, 0);
  EXPECT_EQ(roofline("--id=NONE-1").code, 5);
  EXPECT_EQ(roofline("missing.json").code, 4);
  // A run in which triad does three FLOPs per element.
  auto doctored = nlohmann::ordered_json::parse(testing::contents(run));
  for (auto& point : doctored.at("roofline").at("points"))
    if (point.at("name").get<std::string>().rfind("stream/triad", 0) == 0)
      point.at("counts").at("operations").at("add") = 12345;
  write_file(folder / "doctored.json", doctored.dump());
  EXPECT_EQ(roofline("--strict --id=AI-1 '" + run + "'").code, 0);
  EXPECT_EQ(roofline("--strict --id=AI-1 doctored.json").code, 1);
}

}  // namespace
}  // namespace roofline::claims::claims_test
