// Each claim on figures that fulfil its statement and on figures that contradict it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "tests/lessons/doctored.hpp"

namespace roofline::claims::contradicted_claims_test {
namespace {

using Instance = std::map<std::string, std::string>;

/// The figures of a stored run without their ranges, and those of `changed`. Where the run has no such figure it is 1,
/// and a byte per FLOP where no byte left a cache. A pattern covers the row `only` alone, if there is one.
class Imagined : public Facts {
 public:
  Imagined(const Facts& run, Backend backend, std::string only)
      : run_(run), backend_(backend), only_(std::move(only)) {}
  std::map<std::string, Value> changed;

  std::optional<Fact> find(const std::string& kind, const std::string& subject, End) const override {
    const auto text = kind + "[" + subject + "]";
    const auto other = changed.find(text);
    if (other != changed.end()) return Fact{other->second, "imagined"};
    if (!known_.contains(text)) known_[text] = figure(kind, subject);
    return known_[text];
  }
  std::vector<std::string> rows(const std::string& pattern) const override {
    return only_.empty() ? run_.rows(pattern) : std::vector{only_};
  }
  Backend backend() const override { return backend_; }

 private:
  std::optional<Fact> figure(const std::string& kind, const std::string& subject) const {
    const auto found = run_.find(kind, subject, End::middle);
    if (kind == "pub") return found;
    const bool cached = kind == "bytes" && found && found->value.value == 0;
    if (cached) return figure("flops", subject.substr(0, subject.find(" @")));
    return Fact{found ? found->value.value : 1, "imagined"};
  }

  const Facts& run_;
  Backend backend_;
  std::string only_;
  mutable std::map<std::string, std::optional<Fact>> known_;
};

/// Tries figures at random until the claim holds on them. The same ones in every run of the test.
bool imagine(const Claim& claim, Imagined& facts) {
  std::mt19937_64 random(16);
  std::map<std::string, double> figures;
  for (int attempt = 0; attempt < 5000; ++attempt) {
    const auto result = judge(claim, facts);
    if (result.verdict == Verdict::reproduced) return true;
    for (const auto& [text, fact] : result.checks.front().used.facts)
      if (text.rfind("pub[", 0) != 0) figures.emplace(text, fact.value.value);
    facts.changed.clear();
    for (const auto& [text, value] : figures) {
      const auto kind = random() % 9;
      const double factor = std::exp2(static_cast<double>(random() % 2001) / 200 - 5);
      const auto other = std::next(figures.begin(), static_cast<std::ptrdiff_t>(random() % figures.size()));
      const bool answer = value == 0 || value == 1;
      if (kind < 4) continue;
      facts.changed[text] = answer && kind == 4   ? 0
                            : answer && kind == 5 ? 1
                            : kind == 6           ? other->second * factor
                                                  : value * factor;
    }
  }
  return false;
}

/// A figure that contradicts a statement: "time[row]", and the expression of what it would have to be.
struct Contradiction {
  std::string figure, value;
  std::set<Backend> looked_at = {}, turned = {};  ///< the kinds of run on which a check looks at it, and fails by it
};

using Contradictions = std::map<std::string, std::vector<Contradiction>>;

/// tests/data/contradictions.json: written from the statements, {"GPP-3": ["bytes[...] = 2.2 * bytes[...]"]}.
Contradictions read_contradictions() {
  Contradictions all;
  const auto json = parse_json(read_file(ROOFLINE_TEST_DATA "/contradictions.json"), "contradictions.json");
  for (const auto& [id, texts] : json.items())
    for (const std::string text : texts) {
      const auto sign = text.find(" = ");
      all[id].push_back({text.substr(0, sign), text.substr(sign + 3)});
    }
  return all;
}

const Used& used_by(const ClaimResult& result) { return result.checks.front().used; }

std::optional<double> figure_of(const Used& used, const std::string& text) {
  for (const auto& [figure, fact] : used.facts)
    if (figure == text) return fact.value.value;
  return std::nullopt;
}

/// One instance of a check on figures that let it hold. A range from these to a contradiction leaves the verdict open.
/// Each comparison must fail by one of the contradictions.
void contradict(const Claim& claim, const Instance& instance, Imagined& facts, std::vector<Contradiction>& all) {
  const auto holds = judge(claim, facts);
  std::set<std::string> untouched;
  for (const auto& evidence : holds.checks.front().evidence) untouched.insert(evidence.text);
  const auto figures = facts.changed;
  for (auto& contradiction : all) {
    const auto figure = filled(contradiction.figure, instance);
    const auto fulfilling = figure_of(used_by(holds), figure);
    if (!fulfilling) continue;
    contradiction.looked_at.insert(facts.backend());
    Scope scope{.facts = facts};
    const double other = evaluate(filled(contradiction.value, instance), scope).value;
    const auto what = claim.id + " on " + name(facts.backend()) + ": " + figure + " = " + contradiction.value;
    facts.changed[figure] = other;
    const auto refuted = judge(claim, facts);
    facts.changed[figure] = {*fulfilling, *fulfilling, other};
    const auto open = judge(claim, facts);
    facts.changed = figures;
    if (refuted.verdict != Verdict::not_reproduced) continue;
    contradiction.turned.insert(facts.backend());
    EXPECT_EQ(name(open.verdict), "inconclusive") << what << ", with a range that holds both";
    for (const auto& evidence : refuted.checks.front().evidence)
      if (evidence.truth == Truth::no) untouched.erase(evidence.text);
  }
  for (const auto& text : untouched)
    ADD_FAILURE() << claim.id << " on " << name(facts.backend()) << ": no contradiction of " << text;
}

/// A claim with one instance of one of its checks.
Claim only(const Claim& claim, std::size_t check, const Instance& instance) {
  auto one = claim;
  one.checks = {claim.checks[check]};
  one.checks.front().instances = {instance};
  return one;
}

/// A row of the run on whose figures the check holds, or else the first that it looks at.
std::string row_for(const Claim& claim, const std::string& pattern, const Facts& run, Backend backend) {
  const auto rows = run.rows(pattern);
  for (const auto& row : rows)
    if (judge(claim, Imagined(run, backend, row)).verdict == Verdict::reproduced) return row;
  return rows.front();
}

void contradict_check(const Claim& claim, std::size_t check, const Facts& run, Backend backend,
                      std::vector<Contradiction>& all) {
  for (auto instance : claim.checks[check].instances) {
    const auto one = only(claim, check, instance);
    const auto pattern = filled(claim.checks[check].every, instance);
    const auto row = pattern.empty() ? std::string() : row_for(one, pattern, run, backend);
    Imagined facts(run, backend, row);
    const bool held = imagine(one, facts);
    EXPECT_TRUE(held) << claim.id << ", check " << check << " on " << name(backend) << ": no figures fulfil it";
    if (!row.empty()) instance["row"] = row;
    if (held) contradict(one, instance, facts, all);
  }
}

TEST(Claims, FiguresThatContradictAStatementTurnItsVerdict) {
  const RunFacts cpu(stored("cpu"));
  const RunFacts v100(stored("v100"));
  auto contradictions = read_contradictions();
  std::string without;
  for (const auto& claim : all_claims()) {
    if (!contradictions.contains(claim.id)) without += claim.id + " ";
    for (std::size_t i = 0; i < claim.checks.size(); ++i)
      for (const auto backend : {Backend::cpu, Backend::gpu, Backend::model}) {
        const auto& on = claim.checks[i].on;
        const bool here = std::find(on.begin(), on.end(), name(backend)) != on.end();
        if (here && !claim.checks[i].tests.empty())
          contradict_check(claim, i, backend == Backend::model ? v100 : cpu, backend, contradictions[claim.id]);
      }
    for (const auto& contradiction : contradictions[claim.id]) {
      const auto what = claim.id + ": " + contradiction.figure + " = " + contradiction.value;
      EXPECT_FALSE(contradiction.looked_at.empty()) << what << ": no check looks at it";
      EXPECT_EQ(contradiction.turned, contradiction.looked_at) << what << ": the verdict does not turn";
    }
  }
  EXPECT_EQ(without, "LBM-6 ");  // it has no test, and says why
}

}  // namespace
}  // namespace roofline::claims::contradicted_claims_test
