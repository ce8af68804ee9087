#include "reporters/claims/claim_result.hpp"

#include <algorithm>

#include "reporters/view/point_names.hpp"

namespace roofline::claims {
namespace {

using Instance = std::map<std::string, std::string>;

Value joined(const Value& a, const Value& b) { return {a.value, std::min(a.low, b.low), std::max(a.high, b.high)}; }

/// One comparison at every end of the model's assumptions. If the outcome changes with them, it is not known.
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

/// The outcome of one instance of a check.
struct InstanceResult {
  Verdict verdict = Verdict::reproduced;
  std::string reason;
  std::vector<Evidence> evidence;
};

/// A guard about theory fails where there is none: machines that do not tell which memory they have.
bool lacks_theory(const Missing& missing) { return missing.kind == "theory" || missing.kind == "bandwidth_theory"; }

Evidence decide_guard(const std::string& text, Scope& scope) try {
  return decide(text, scope);
} catch (const Missing& missing) {
  if (!lacks_theory(missing)) throw;
  return {text + ", which is not known here", NAN, NAN, Truth::no};
}

InstanceResult judge_instance(const Check& check, const Instance& instance, Scope& scope) {
  InstanceResult result;
  for (const auto& [name, text] : check.names) scope.names[name] = filled(text, instance);
  for (const auto& guard : check.guards) {
    const auto met = decide_guard(filled(guard, instance), scope);
    if (met.truth == Truth::yes) continue;
    result.verdict = met.truth == Truth::no ? Verdict::not_testable : Verdict::inconclusive;
    result.reason = met.truth == Truth::no ? "it presupposes " + met.text : "not known whether " + met.text;
    result.evidence = {met};
    return result;
  }
  if (check.tests.empty())
    result.verdict = Verdict::not_applicable, result.reason = "printed; there is no limit for it";
  for (const auto& test : check.tests) {
    result.evidence.push_back(decide(filled(test, instance), scope));
    const auto truth = result.evidence.back().truth;
    if (truth == Truth::no) result.verdict = Verdict::not_reproduced;
    if (truth == Truth::unknown && result.verdict == Verdict::reproduced) result.verdict = Verdict::inconclusive;
  }
  // A comparison that fails needs figures that can be.
  if (result.verdict == Verdict::not_reproduced)
    for (const auto& [text, fact] : scope.used.facts)
      if (fact.impossible) {
        result.verdict = Verdict::inconclusive;
        result.reason = text + " is of a row above its roof: a count or a ceiling is wrong";
      }
  return result;
}

/// The more important of two instances: a failure above all, and an applicable one above others.
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

/// For the rows of a whole run, the evidence of the first one and of more important ones; for listed instances, the
/// evidence of all.
void take(InstanceResult found, bool heavier, bool listed, CheckResult& result) {
  if (heavier) result.verdict = found.verdict, result.reason = found.reason;
  if (listed && weight(found.verdict) > 0 && weight(result.verdict) > 0)
    result.evidence.insert(result.evidence.end(), found.evidence.begin(), found.evidence.end());
  else if (heavier)
    result.evidence = std::move(found.evidence);
}

CheckResult judge_check(const Check& check, const Facts& facts) {
  CheckResult result;
  bool first = true;
  std::string lacks;
  for (const auto& instance : instances_of(check, facts)) {
    Scope scope{.facts = facts};
    try {
      auto found = judge_instance(check, instance, scope);
      for (const auto& [text, fact] : scope.used.facts) result.used.add(text, fact);
      const bool heavier = first || weight(found.verdict) > weight(result.verdict);
      take(std::move(found), heavier, check.every.empty(), result);
      first = false;
    } catch (const Missing& missing) {
      if (!check.every.empty()) continue;
      if (!missing.rows.empty()) result.lacked.push_back(missing.rows);
      if (lacks.empty()) lacks = missing.what();
    }
  }
  // A missing instance does not take the word from those that decide.
  if (!lacks.empty() && (first || weight(result.verdict) == 0)) {
    result.verdict = Verdict::inconclusive, result.reason = "the run does not have " + lacks;
    result.evidence.clear();
  } else if (first) {
    result.verdict = Verdict::inconclusive, result.reason = "the run has no row for it";
    if (!check.every.empty()) result.lacked.push_back(check.every);
  }
  return result;
}

/// Values next to the decision. Values that the run lacks are left out.
void show(const Check& check, const Facts& facts, CheckResult& result) {
  for (const auto& instance : check.instances)
    for (const auto& text : check.shown) try {
        Scope scope{.facts = facts};
        for (const auto& [name, expression] : check.names) scope.names[name] = filled(expression, instance);
        const auto expression = filled(text, instance);
        result.shown.push_back({expression, evaluate(expression, scope), {}, Truth::yes});
      } catch (const Missing&) {
      }
}

}  // namespace

std::string name(Verdict verdict) {
  return verdict == Verdict::reproduced       ? "reproduced"
         : verdict == Verdict::not_reproduced ? "not reproduced"
         : verdict == Verdict::inconclusive   ? "inconclusive"
         : verdict == Verdict::not_testable   ? "not testable here"
                                              : "not applicable";
}

ClaimResult judge(const Claim& claim, const Facts& facts) {
  ClaimResult result{&claim, Verdict::not_applicable, {}, {}};
  std::string others;
  int heaviest = -1;
  for (const auto& check : claim.checks) {
    if (std::find(check.on.begin(), check.on.end(), name(facts.backend())) == check.on.end()) {
      for (const auto& backend : check.on)
        if (others.find(backend) == std::string::npos) others += (others.empty() ? "" : ", ") + backend;
      continue;
    }
    result.checks.push_back(judge_check(check, facts));
    auto& last = result.checks.back();
    show(check, facts, last);
    // A check whose rows the run lacks does not outweigh one that could decide.
    const int w = last.verdict == Verdict::inconclusive && last.evidence.empty() ? 0 : weight(last.verdict);
    if (w > heaviest || (w == heaviest && last.verdict == Verdict::inconclusive))
      heaviest = w, result.verdict = last.verdict, result.reason = last.reason;
  }
  if (result.checks.empty()) result.reason = "decided by a run of: " + others;
  if ((result.verdict == Verdict::not_applicable || result.verdict == Verdict::not_testable) &&
      !claim.undecided.empty())
    result.reason = claim.undecided;
  return result;
}

std::vector<ClaimResult> judge(const std::vector<const Claim*>& claims, const Facts& facts) {
  std::vector<ClaimResult> all;
  for (const auto* claim : claims) all.push_back(judge(*claim, facts));
  return all;
}

}  // namespace roofline::claims
