#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reporters/claims/facts.hpp"
#include "tools/labs/lab.hpp"

namespace roofline::labs {

/// Rows that a run left out because its time was up.
std::vector<std::string> rows_without_time(const Results& run);

/// The flags of a lab that say what its rows are, sizes among them, without those that say how to measure them.
std::string counting_flags(const Lab& lab, const std::string& student);

/// A run, and what was counted of the rows that it had no time for: FLOPs and modelled bytes are exact without a time.
class RunAndCounts : public claims::RunFacts {
 public:
  /// `counted`: null, or a run on the model of the same machine.
  RunAndCounts(const Results& run, const Results* counted) : RunFacts(&run), counted_(counted) {}
  std::optional<claims::Fact> find(const std::string& kind, const std::string& subject, claims::End end) const override;

 private:
  RunFacts counted_;
};

}  // namespace roofline::labs
