#pragma once
#include <string>
#include <vector>

#include "bench/text/table.hpp"
#include "reporters/claims/ruling.hpp"

namespace roofline::claims {

/// A run that was ruled on, by the name that tables give it.
struct RuledRun {
  std::string name;
  std::vector<Ruling> rulings;  ///< of all claims, in their order
  Backend backend = Backend::none;
  std::string device;  ///< of a modelled run: "v100"
};

/// How many of each verdict: "61 reproduced, 2 not reproduced, ...".
std::string tally(const std::vector<Ruling>& rulings);

/// Claims x runs, by section, verdicts beside the claims and what they mean at the end; `details`: with the numbers of
/// each decision beside the published ones.
std::string claims_text(const std::vector<RuledRun>& runs, bool details, std::size_t width);

/// The same for machines: every comparison with both sides, intervals and the origin of every figure.
std::string claims_json(const std::vector<RuledRun>& runs);

/// "0.932 (0.91 .. 0.95)".
std::string in_digits(const Value& value);

/// The evidence of a check, one line each: "T_nofma/T_fma <= 1.7: 1.52 (1.48 .. 1.57), 1.7".
std::vector<std::string> evidence_lines(const CheckRuling& check);

/// What a run would have to contain and does not: rows, as the filter of a command. Empty: nothing.
std::vector<std::string> lacking(const std::vector<Ruling>& rulings);

}  // namespace roofline::claims
