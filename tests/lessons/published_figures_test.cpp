// What the talks' figures say of one another: no run has a part in it, and no claim rests on it.
#include <gtest/gtest.h>

#include <set>

#include "bench/text/output.hpp"
#include "tests/lessons/doctored.hpp"

namespace roofline::claims::published_figures_test {
namespace {

/// A run without figures of its own.
class Published : public Facts {
 public:
  explicit Published(Backend backend) : backend_(backend) {}
  std::optional<Fact> find(const std::string& kind, const std::string& subject, End) const override {
    return kind == "pub" ? published(subject) : std::nullopt;
  }
  std::vector<std::string> rows(const std::string&) const override { return {}; }
  Backend backend() const override { return backend_; }

 private:
  Backend backend_;
};

/// tests/data/published-checks.json, in the form of the claims' data.
std::vector<Claim> entries() {
  return read_claims(read_file(ROOFLINE_TEST_DATA "/published-checks.json"), "published-checks.json");
}

/// Each instance of each check by itself.
std::vector<Claim> checks() {
  std::vector<Claim> all;
  for (const auto& entry : entries())
    for (const auto& check : entry.checks)
      for (const auto& instance : check.instances) {
        all.push_back(entry);
        all.back().checks = {check};
        all.back().checks.front().instances = {instance};
      }
  return all;
}

TEST(PublishedFigures, FitTogetherAndEachOfThemMatters) {
  const Published facts(Backend::cpu);
  std::map<std::string, bool> matters;
  for (const auto& check : checks()) {
    const auto result = judge(check, facts);
    ASSERT_EQ(result.checks.size(), 1u) << check.id;
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
      const auto verdict = judge(claim, Published(backend)).verdict;
      EXPECT_TRUE(verdict != Verdict::reproduced && verdict != Verdict::not_reproduced) << claim.id;
    }
}

TEST(PublishedFigures, StateThemselvesOnlyWhatNoRunCanShow) {
  std::set<std::string> claims, seen;
  for (const auto& claim : all_claims()) claims.insert(claim.id);
  for (const auto& entry : entries()) {
    EXPECT_EQ(entry.statement.empty(), claims.contains(entry.id)) << entry.id;
    EXPECT_TRUE(seen.insert(entry.id).second) << entry.id;
  }
}

}  // namespace
}  // namespace roofline::claims::published_figures_test
