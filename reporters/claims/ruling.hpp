#pragma once
#include <string>
#include <vector>

#include "reporters/claims/claim.hpp"
#include "reporters/claims/expression.hpp"

namespace roofline::claims {

/// `not_testable`: the machine does not meet what the claim presupposes. `arithmetic`: published figures fit together,
/// and nothing of the run has a part in it.
enum class Verdict { reproduced, not_reproduced, arithmetic, not_applicable, not_testable, inconclusive };
/// "reproduced", "not reproduced", ...
std::string name(Verdict verdict);

/// A comparison that decided, with the numbers on its sides over all ends of the model's assumptions.
struct Evidence {
  std::string text;  ///< "T_nofma/T_fma <= 1.7", with what {name} stands for
  Value left, right;
  Truth truth = Truth::unknown;
};

/// What a check of a claim says of a run.
struct CheckRuling {
  Verdict verdict = Verdict::not_applicable;
  std::string reason;               ///< why it does not apply or cannot be decided; empty: the evidence says it
  std::vector<Evidence> evidence;   ///< the comparisons; of many rows those that decided, and one that passed
  std::vector<Evidence> shown;      ///< further values: only `left`
  std::vector<std::string> lacked;  ///< patterns of rows that the run does not have
  Used used;                        ///< every figure that was looked at
};

struct Ruling {
  const Claim* claim = nullptr;
  Verdict verdict = Verdict::not_applicable;
  std::string reason;
  std::vector<CheckRuling> checks;  ///< those that concern the run
};

/// With a run, arithmetic on published figures can refute a claim that the run has a check for, and not confirm it;
/// what only arithmetic concerns is `arithmetic`. Without a run arithmetic is all there is, and `reproduced` when it
/// holds.
Ruling judge(const Claim& claim, const Facts& facts);

/// All claims, in their order.
std::vector<Ruling> judge_all(const Facts& facts);

}  // namespace roofline::claims
