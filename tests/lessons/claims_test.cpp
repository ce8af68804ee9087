// Claims: their data, what judges them, and what the program prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/claims/claim_result.hpp"
#include "reporters/claims/expression.hpp"
#include "tests/command_line.hpp"
#include "tests/lessons/doctored.hpp"

namespace roofline::claims::claims_test {
namespace {

std::vector<const Claim*> everything() {
  std::vector<const Claim*> all;
  for (const auto& claim : all_claims()) all.push_back(&claim);
  return all;
}

TEST(Claims, AllStatementsThatARunCanShowAreThere) {
  EXPECT_EQ(all_claims().size(), 102u);
  std::set<std::string> ids;
  std::size_t core = 0;
  for (const auto& claim : all_claims()) {
    ids.insert(claim.id), core += claim.core;
    EXPECT_FALSE(claim.statement.empty() || claim.documents.empty()) << claim.id;
    EXPECT_TRUE(!claim.checks.empty() || !claim.undecided.empty()) << claim.id;
  }
  EXPECT_EQ(ids.size(), 102u);
  EXPECT_EQ(core, 55u);
}

/// The figures of a run, by their texts, and those that were published.
class Figures : public Facts {
 public:
  explicit Figures(std::map<std::string, double> figures, Backend backend = Backend::cpu)
      : figures_(std::move(figures)), backend_(backend) {}
  std::optional<Fact> find(const std::string& kind, const std::string& subject, End) const override {
    if (kind == "pub") return published(subject);
    const auto found = figures_.find(kind + "[" + subject + "]");
    if (found == figures_.end()) return std::nullopt;
    return Fact{found->second, "measured"};
  }
  std::vector<std::string> rows(const std::string&) const override { return {}; }
  Backend backend() const override { return backend_; }

 private:
  std::map<std::string, double> figures_;
  Backend backend_;
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
  // Nor does a value that is only printed.
  check.tests.clear(), check.shown = {"time[row/2]"};
  claim.checks = {check, check_of("gpu", "time[row/2] < 2")};
  EXPECT_EQ(judge(claim, Figures({{"time[row/2]", 1}})).verdict, Verdict::not_applicable);
}

TEST(Claims, ACoreClaimThatARunDoesNotShowIsExplained) {
  for (const auto* run : {"cpu", "v100"})
    for (const auto& result : judge(everything(), RunFacts(stored(run)))) {
      const bool shown = result.verdict == Verdict::reproduced || result.verdict == Verdict::not_testable ||
                         (result.verdict == Verdict::not_applicable && result.checks.empty());
      // An interval that holds both answers is explained by the numbers beside the verdict.
      const bool is_open = result.verdict == Verdict::inconclusive &&
                           std::any_of(result.checks.begin(), result.checks.end(), [](const CheckResult& check) {
                             return std::any_of(check.evidence.begin(), check.evidence.end(),
                                                [](const Evidence& e) { return e.truth == Truth::unknown; });
                           });
      const bool lacks_rows = !lacking({result}).empty();
      EXPECT_TRUE(!result.claim->core || shown || is_open || lacks_rows || !result.claim->differs.empty())
          << run << ": " << result.claim->id << " " << result.reason;
    }
}

TEST(Claims, ATheoryThatNobodyKnowsIsNoFailure) {
  Claim claim;
  auto check = check_of("cpu", "bandwidth[DRAM] < bandwidth_theory[DRAM]");
  check.guards = {"bandwidth_theory[DRAM] > 0"};
  claim.checks = {check};
  const auto result = judge(claim, Figures({{"bandwidth[DRAM]", 1}}));
  EXPECT_EQ(result.verdict, Verdict::not_testable);
  EXPECT_NE(result.reason.find("it presupposes bandwidth_theory[DRAM] > 0"), std::string::npos) << result.reason;
  EXPECT_EQ(judge(claim, Figures({{"bandwidth[DRAM]", 3}, {"bandwidth_theory[DRAM]", 2}})).verdict,
            Verdict::not_reproduced);
}

TEST(Claims, AnOverlappingIntervalDecidesNothing) {
  EXPECT_EQ(at_most({1, 0.9, 1.1}, 1), Truth::unknown);
  EXPECT_EQ(at_most({1, 0.8, 0.9}, 1), Truth::yes);
  EXPECT_EQ(at_most({1, 1.1, 1.2}, 1), Truth::no);
  EXPECT_EQ(near({1, 0.95, 1.2}, 1, 0.1), Truth::unknown);
  EXPECT_TRUE(std::isnan((Value{1} / Value{0, -1, 1}).value));
}

TEST(Claims, WrongExpressionsAreRefused) {
  const Figures facts({});
  Scope scope{.facts = facts};
  for (const auto* wrong : {"1 +", "nothing", "(1", "f(1)", "pub[", "1 2", ""})
    EXPECT_THROW(evaluate(wrong, scope), Malformed) << wrong;
  for (const auto* wrong : {"1", "1 ~ 1", "1 ~ 1 around 2", "1 ! 1"})
    EXPECT_THROW(compare(wrong, scope), Malformed) << wrong;
  scope.names = {{"a", "b"}, {"b", "a"}};
  EXPECT_THROW(evaluate("a", scope), Malformed);
  EXPECT_THROW(evaluate("time[no/such/row]", scope), Missing);
  EXPECT_DOUBLE_EQ(evaluate("2 + 3 * 2 ^ 3 - -1", scope).value, 27);
  EXPECT_DOUBLE_EQ(evaluate("harmonic(60, 30, 0)", scope).value, 0);
}

TEST(Claims, AVerdictStandsBesideItsStatement) {
  JudgedRun run;
  run.name = "a processor with a name that is longer than a column";
  run.results = judge(everything(), RunFacts(stored("cpu")));
  for (const std::size_t width : {80u, 100u}) {
    std::istringstream lines(claims_text(everything(), {run}, false, width));
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
  const auto roofline = [&](const std::string& arguments) { return testing::roofline("claims " + arguments, folder); };
  const auto all = roofline("'" + run + "'");
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_NE(all.out.find("GPP-14"), std::string::npos);
  const auto json = parse_json(roofline("--json '" + run + "'").out, "");
  EXPECT_EQ(json.at("runs").at(0).at("claims").size(), 102u);
  EXPECT_NE(roofline("--id=LBM-5").out.find("decided by: gpu"), std::string::npos);
  const auto ridge = roofline("--published --id=LEC-1").out;
  for (const auto* figure : {"7.111 | 7.11", "2.057 | 2.057", "reproduced"})
    EXPECT_NE(ridge.find(figure), std::string::npos) << ridge;
  EXPECT_EQ(roofline("--published '" + run + "'").code, 2);
  EXPECT_EQ(roofline("--strict").code, 2) << "without a run nothing is judged";
  EXPECT_EQ(roofline("--id=NONE-1").code, 5);
  EXPECT_EQ(roofline("missing.json").code, 4);
  // A run in which triad does three FLOPs per element.
  auto doctored = testing::json_of(run);
  for (auto& point : doctored.at("roofline").at("points"))
    if (point.at("name").get<std::string>().rfind("stream/triad", 0) == 0)
      point.at("counts").at("operations").at("add") = 12345;
  write_file(folder / "doctored.json", doctored.dump());
  EXPECT_EQ(roofline("--strict --id=AI-1 '" + run + "'").code, 0);
  EXPECT_EQ(roofline("--strict --id=AI-1 doctored.json").code, 1);
}

// Checks of the talks' figures against one another. They involve neither runs nor claims.

/// Each instance of each check of published-checks.json.
std::vector<Claim> checks() {
  std::vector<Claim> all;
  for (const auto& entry : published_claims())
    for (const auto& check : entry.checks)
      for (const auto& instance : check.instances) {
        all.push_back(entry);
        all.back().checks = {check};
        all.back().checks.front().instances = {instance};
      }
  return all;
}

TEST(PublishedFigures, FitTogetherAndEachOfThemMatters) {
  const PublishedFacts facts;
  std::map<std::string, bool> matters;
  for (const auto& check : checks()) {
    const auto result = judge(check, facts);
    ASSERT_EQ(result.checks.size(), 1u) << check.id;
    EXPECT_FALSE(check.statement.empty() || check.published.empty() || check.documents.empty()) << check.id;
    EXPECT_EQ(result.verdict, Verdict::reproduced)
        << check.id << " " << result.reason << " " << check.checks.front().tests.front();
    bool refuted = false;
    for (const auto& [figure, fact] : result.checks.front().used.facts) {
      const bool refutes = can_become(Verdict::not_reproduced, check, facts, figure);
      matters[figure] |= refutes, refuted |= refutes;
    }
    EXPECT_TRUE(refuted) << check.id << ": nothing that it looks at can refute it";
  }
  for (const auto& [figure, refutes] : matters) EXPECT_TRUE(refutes) << figure;
}

TEST(PublishedFigures, DecideNoClaimByThemselves) {
  for (const auto backend : {Backend::cpu, Backend::gpu, Backend::model})
    for (const auto& claim : all_claims()) {
      const auto verdict = judge(claim, Figures({}, backend)).verdict;
      EXPECT_TRUE(verdict != Verdict::reproduced && verdict != Verdict::not_reproduced) << claim.id;
    }
}

}  // namespace
}  // namespace roofline::claims::claims_test
