#include "reporters/claims/ruling.hpp"

#include <algorithm>

#include "reporters/view/point_names.hpp"

namespace roofline::claims {
namespace {

using Instance = std::map<std::string, std::string>;

Value joined(const Value& a, const Value& b) { return {a.value, std::min(a.low, b.low), std::max(a.high, b.high)}; }

/// One comparison at every end of the model's assumptions; what changes with them is not known.
Evidence decide(const std::string& text, Scope& scope) {
  const auto ends = scope.facts.backend() == Backend::model ? std::vector{End::middle, End::low, End::high}
                                                            : std::vector{End::middle};
  Evidence evidence{text, {}, {}, Truth::unknown};
  for (const auto end : ends) {
    scope.end = end;
    const auto at_end = compare(text, scope);
    if (end == ends.front()) {
      evidence.left = at_end.left, evidence.right = at_end.right, evidence.truth = at_end.truth;
      continue;
    }
    evidence.left = joined(evidence.left, at_end.left), evidence.right = joined(evidence.right, at_end.right);
    if (at_end.truth != evidence.truth) evidence.truth = Truth::unknown;
  }
  return evidence;
}

/// What one instance of a check says.
struct InstanceRuling {
  Verdict verdict = Verdict::reproduced;
  std::string reason;
  std::vector<Evidence> evidence;
};

/// A guard about theory fails where there is none: machines that do not tell which memory they have.
bool lacks_theory(const Missing& missing) { return std::string(missing.what()).find("theory[") != std::string::npos; }

Evidence decide_guard(const std::string& text, Scope& scope) try {
  return decide(text, scope);
} catch (const Missing& missing) {
  if (!lacks_theory(missing)) throw;
  return {text + ", which is not known here", NAN, NAN, Truth::no};
}

InstanceRuling rule_on_instance(const Check& check, const Instance& instance, Scope& scope) {
  InstanceRuling ruling;
  for (const auto& [name, text] : check.names) scope.names[name] = filled(text, instance);
  for (const auto& guard : check.guards) {
    const auto met = decide_guard(filled(guard, instance), scope);
    if (met.truth == Truth::yes) continue;
    ruling.verdict = met.truth == Truth::no ? Verdict::not_testable : Verdict::inconclusive;
    ruling.reason = met.truth == Truth::no ? "it presupposes " + met.text : "not known whether " + met.text;
    ruling.evidence = {met};
    return ruling;
  }
  if (check.tests.empty())
    ruling.verdict = Verdict::not_applicable, ruling.reason = "printed; there is no limit for it";
  for (const auto& test : check.tests) {
    ruling.evidence.push_back(decide(filled(test, instance), scope));
    const auto truth = ruling.evidence.back().truth;
    if (truth == Truth::no) ruling.verdict = Verdict::not_reproduced;
    if (truth == Truth::unknown && ruling.verdict == Verdict::reproduced) ruling.verdict = Verdict::inconclusive;
  }
  // A comparison that fails needs figures that can be.
  if (ruling.verdict == Verdict::not_reproduced)
    for (const auto& [text, fact] : scope.used.facts)
      if (fact.impossible) {
        ruling.verdict = Verdict::inconclusive;
        ruling.reason = text + " is of a row above its roof: a count or a ceiling is wrong";
      }
  return ruling;
}

/// Of two instances the one that weighs more: a failure above all, and what applies above what does not.
int weight(Verdict verdict) {
  return verdict == Verdict::not_reproduced ? 3 : verdict == Verdict::inconclusive ? 2 : verdict == Verdict::reproduced;
}

std::vector<Instance> instances_of(const Check& check, const Facts& facts) {
  if (check.every.empty()) return check.instances;
  std::vector<Instance> all;
  for (const auto& instance : check.instances)
    for (const auto& row : facts.rows(filled(check.every, instance))) {
      if (!check.but_not.empty() && fits_row(check.but_not, row)) continue;
      all.push_back(instance);
      all.back()["row"] = row;
    }
  return all;
}

/// Of the rows of a whole run the evidence of the first, and of those that weigh more; of listed instances of all.
void take(InstanceRuling found, bool heavier, bool listed, CheckRuling& ruling) {
  if (heavier) ruling.verdict = found.verdict, ruling.reason = found.reason;
  if (listed && weight(found.verdict) > 0 && weight(ruling.verdict) > 0)
    ruling.evidence.insert(ruling.evidence.end(), found.evidence.begin(), found.evidence.end());
  else if (heavier)
    ruling.evidence = std::move(found.evidence);
}

CheckRuling rule(const Check& check, const Facts& facts) {
  CheckRuling ruling;
  bool first = true;
  std::string lacks;
  for (const auto& instance : instances_of(check, facts)) {
    Scope scope{.facts = facts};
    try {
      auto found = rule_on_instance(check, instance, scope);
      for (const auto& [text, fact] : scope.used.facts) ruling.used.add(text, fact);
      const bool heavier = first || weight(found.verdict) > weight(ruling.verdict);
      take(std::move(found), heavier, check.every.empty(), ruling);
      first = false;
    } catch (const Missing& missing) {
      if (!check.every.empty()) continue;
      if (!missing.rows.empty()) ruling.lacked.push_back(missing.rows);
      if (lacks.empty()) lacks = missing.what();
    }
  }
  // A missing instance does not take the word from those that decide.
  if (!lacks.empty() && (first || weight(ruling.verdict) == 0)) {
    ruling.verdict = Verdict::inconclusive, ruling.reason = "the run does not have " + lacks;
    ruling.evidence.clear();
  } else if (first) {
    ruling.verdict = Verdict::inconclusive, ruling.reason = "the run has no row for it";
    if (!check.every.empty()) ruling.lacked.push_back(check.every);
  }
  return ruling;
}

/// Values beside the decision. What the run lacks of them is left out.
void show(const Check& check, const Facts& facts, CheckRuling& ruling) {
  for (const auto& instance : check.instances)
    for (const auto& text : check.shown) try {
        Scope scope{.facts = facts};
        for (const auto& [name, expression] : check.names) scope.names[name] = filled(expression, instance);
        const auto expression = filled(text, instance);
        ruling.shown.push_back({expression, evaluate(expression, scope), {}, Truth::yes});
      } catch (const Missing&) {
      }
}

}  // namespace

std::string name(Verdict verdict) {
  return verdict == Verdict::reproduced       ? "reproduced"
         : verdict == Verdict::not_reproduced ? "not reproduced"
         : verdict == Verdict::arithmetic     ? "arithmetic"
         : verdict == Verdict::inconclusive   ? "inconclusive"
         : verdict == Verdict::not_testable   ? "not testable here"
                                              : "not applicable";
}

namespace {

bool is_on(const Check& check, const std::string& backend) {
  return std::find(check.on.begin(), check.on.end(), backend) != check.on.end();
}

/// The check that weighs most gives the verdict.
void weigh(bool by_the_run, Ruling& ruling) {
  // A check whose rows the run lacks does not outweigh one that could decide, and arithmetic confirms nothing of a run.
  const auto weighs = [&](const CheckRuling& check) {
    if (check.verdict == Verdict::arithmetic) return by_the_run ? -1 : 1;
    return check.verdict == Verdict::inconclusive && check.evidence.empty() ? 0 : weight(check.verdict);
  };
  int heaviest = -1;
  for (const auto& check : ruling.checks)
    if (const int w = weighs(check); w > heaviest || (w == heaviest && check.verdict == Verdict::inconclusive))
      heaviest = w, ruling.verdict = check.verdict, ruling.reason = check.reason;
}

}  // namespace

Ruling judge(const Claim& claim, const Facts& facts) {
  Ruling ruling{&claim, Verdict::not_applicable, {}, {}};
  std::string others;
  bool by_the_run = false;
  for (const auto& check : claim.checks) {
    const bool arith = is_on(check, "arith");
    if (!arith && !is_on(check, name(facts.backend()))) {
      for (const auto& backend : check.on)
        if (others.find(backend) == std::string::npos) others += (others.empty() ? "" : ", ") + backend;
      continue;
    }
    ruling.checks.push_back(rule(check, facts));
    auto& last = ruling.checks.back();
    if (arith && facts.backend() != Backend::none && last.verdict == Verdict::reproduced)
      last.verdict = Verdict::arithmetic;
    by_the_run = by_the_run || (!arith && !check.tests.empty());
    show(check, facts, last);
  }
  if (ruling.checks.empty()) ruling.reason = "decided by a run of: " + others;
  weigh(by_the_run, ruling);
  if ((ruling.verdict == Verdict::not_applicable || ruling.verdict == Verdict::not_testable) &&
      !claim.undecided.empty())
    ruling.reason = claim.undecided;
  if (ruling.verdict == Verdict::arithmetic && !others.empty()) ruling.reason = "a run would decide it, of: " + others;
  return ruling;
}

std::vector<Ruling> judge_all(const Facts& facts) {
  std::vector<Ruling> all;
  for (const auto& claim : all_claims()) all.push_back(judge(claim, facts));
  return all;
}

}  // namespace roofline::claims
