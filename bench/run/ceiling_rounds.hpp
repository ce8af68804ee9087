#pragma once
#include <map>
#include <string>
#include <vector>

#include "bench/run/run_state.hpp"
#include "bench/sampling/ceiling_works.hpp"
#include "bench/storage/kept_winners.hpp"

namespace roofline {

/// The ceilings of a run in its rounds. All are visited in the first round, and in each later round some of them in
/// turn. Ceilings that bind a row are also sampled next to it.
class CeilingRounds {
 public:
  /// A run of `most_rounds`, if they fit.
  CeilingRounds(RunState& run, int most_rounds);

  void set_up();
  /// Visits the ceilings of a round, or takes what the journal knows of it; the results get the roofline so far.
  void visit(int round, double core_distance);
  /// The roofline of the samples so far; of those while the cores lay as at the usual distance, if that is known.
  void update_roofline(double usual_distance = 0);
  /// Whether it can be sampled next to a row; one that was imported is set up for that.
  bool has(const Ceiling& ceiling);
  CeilingWorks& works() { return works_; }
  /// Why a ceiling has no result; empty where it has one, or an interruption came before it.
  std::string missing(const std::string& name) const;

 private:
  std::string set_up(const CeilingVariant& variant, const Winners& known);

  RunState& run_;
  CeilingWorks works_;
  std::size_t rounds_between_visits_ = 1;
  std::vector<Ceiling> fixed_;  ///< imported, described or sustained: not sampled in rounds
  std::map<std::string, std::string> missing_;
};

}  // namespace roofline
