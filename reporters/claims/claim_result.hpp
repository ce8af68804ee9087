#pragma once
#include <string>
#include <vector>

#include "reporters/claims/claim.hpp"
#include "reporters/claims/expression.hpp"

namespace roofline::claims {

/// `not_testable`: the machine does not meet what the claim presupposes.
enum class Verdict { reproduced, not_reproduced, not_applicable, not_testable, inconclusive };
/// "reproduced", "not reproduced", ...
std::string name(Verdict verdict);

/// A comparison that decided, with the numbers on its sides over all ends of the model's assumptions.
struct Evidence {
  std::string text;  ///< "T_nofma/T_fma <= 1.7", with what {name} stands for
  Value left, right;
  Truth truth = Truth::unknown;
};

/// What a check of a claim says of a run.
struct CheckResult {
  Verdict verdict = Verdict::not_applicable;
  std::string reason;               ///< why it does not apply or cannot be decided; empty: the evidence says it
  std::vector<Evidence> evidence;   ///< the comparisons; of many rows those that decided, and one that passed
  std::vector<Evidence> shown;      ///< further values: only `left`
  std::vector<std::string> lacked;  ///< patterns of rows that the run does not have
  Used used;                        ///< every figure that was looked at
};

struct ClaimResult {
  const Claim* claim = nullptr;
  Verdict verdict = Verdict::not_applicable;
  std::string reason;
  std::vector<CheckResult> checks;  ///< those that concern the run
};

/// The check that weighs most gives the verdict: a failure above all.
ClaimResult judge(const Claim& claim, const Facts& facts);

std::vector<ClaimResult> judge(const std::vector<const Claim*>& claims, const Facts& facts);

}  // namespace roofline::claims
