#pragma once
#include <map>
#include <string>
#include <vector>

#include "bench/run/run_state.hpp"
#include "bench/sampling/ceiling_works.hpp"

namespace roofline {

/// The ceilings of a run in its rounds. All are visited in the first round, and in each later one a sixth of them in
/// turn: those that bind a row are sampled next to it besides.
class CeilingRounds {
 public:
  explicit CeilingRounds(RunState& run) : run_(run) {}

  void set_up();
  /// Visits the ceilings of a round, or takes what the journal knows of it; the results get the roofline so far.
  void visit(int round);
  /// The roofline of all samples so far.
  void update_roofline();
  /// Whether it can be sampled next to a row; one that was imported is set up for that.
  bool has(const Ceiling& ceiling);
  CeilingWorks& works() { return works_; }
  /// Why a ceiling has no result; empty where it has one, or an interruption came before it.
  std::string missing(const std::string& name) const;

 private:
  RunState& run_;
  CeilingWorks works_;
  std::vector<Ceiling> fixed_;  ///< imported, described or sustained: not sampled in rounds
  std::map<std::string, std::string> missing_;
};

}  // namespace roofline
