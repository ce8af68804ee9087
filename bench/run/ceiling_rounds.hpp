#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/run/run_state.hpp"
#include "bench/sampling/ceiling_works.hpp"
#include "bench/storage/kept_winners.hpp"

namespace roofline {

/// The ceilings of a run in its rounds. All are visited in the first round, and in each later round some of them in
/// turn, the mixes that may be the roof of DRAM most often. A ceiling that has fewer visits than others while the cores
/// lie as they do now is visited out of turn, and so is one of cores or caches after a disturbed visit. Ceilings that
/// bind a row are also sampled next to it.
class CeilingRounds {
 public:
  /// A run of `most_rounds`, if they fit.
  CeilingRounds(RunState& run, int most_rounds);

  void set_up();
  /// Visits the ceilings of a round that the records do not know; the run gets the roofline so far. `core_distance` is
  /// measured before each of them, because the host may move the cores at any time.
  void visit(int round, const std::function<double()>& core_distance);
  /// Whether it can be sampled next to a row; one that was imported is set up for that.
  bool has(const Ceiling& ceiling);
  CeilingWorks& works() { return works_; }

 private:
  std::string set_up(const CeilingVariant& variant, const Winners& known);
  /// Undisturbed visits in the rounds before this one while the cores lay at about that distance.
  int visits_before(int round, Ceiling ceiling, double distance) const;
  void update_roofline();

  RunState& run_;
  CeilingWorks works_;
  int rounds_between_visits_ = 1, rounds_between_dram_ = 1;
};

}  // namespace roofline
