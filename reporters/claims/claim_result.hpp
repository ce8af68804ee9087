#pragma once
#include <string>
#include <vector>

#include "bench/text/table.hpp"
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

/// The outcome of a check of a claim for a run.
struct CheckResult {
  Verdict verdict = Verdict::not_applicable;
  std::string reason;               ///< why it does not apply or cannot be decided; empty: the evidence says it
  std::vector<Evidence> evidence;   ///< the comparisons; for many rows the ones that decided, and one that passed
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

/// A run whose claims were judged, by the name that tables give it.
struct JudgedRun {
  std::string name;
  std::vector<ClaimResult> results;  ///< of the claims of the table, in their order
  Backend backend = Backend::cpu;
  std::string device;  ///< of a modelled run: "v100"
};

/// How many of each verdict: "61 reproduced, 2 not reproduced, ...".
std::string tally(const std::vector<ClaimResult>& results);

/// Claims x runs, by section, verdicts next to the claims and what they mean at the end; without a run which kinds of
/// run decide them. `details`: with the numbers of each decision next to the published ones.
std::string claims_text(const std::vector<const Claim*>& claims, const std::vector<JudgedRun>& runs, bool details,
                        std::size_t width);

/// The same for machines: every comparison with both sides, intervals and the origin of every figure.
std::string claims_json(const std::vector<JudgedRun>& runs);

/// "0.932 (0.91 .. 0.95)".
std::string in_digits(const Value& value);

/// The evidence of a check, one line each: "T_nofma/T_fma <= 1.7: 1.52 (1.48 .. 1.57), 1.7".
std::vector<std::string> evidence_lines(const CheckResult& check);

/// The rows that a run would have to contain and does not, as the filter of a command. Empty: none.
std::vector<std::string> lacking(const std::vector<ClaimResult>& results);

}  // namespace roofline::claims
