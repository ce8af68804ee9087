#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/counting/modelled.hpp"
#include "bench/machine/noise_meter.hpp"
#include "bench/run/rounds.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/google_rows.hpp"

namespace roofline {

/// One run of the suite, which adds its measurements or model values to its results.
class Session {
 public:
  /// `counter` counts launches; null in a run of ceilings alone.
  Session(const Suite& suite, const Options& options, const Plan& plan, std::shared_ptr<CounterSource> counter);

  /// Makes it a modelled run: launches are counted by the model and none is made.
  void stand_for(const Model& model);
  /// Takes what the journal knows and enters the rest. After a row has failed, `after_failure` is called: the device
  /// may be lost.
  void keep_journal(const RowJournal& journal, std::function<void()> after_failure);
  /// Uses ceilings of an earlier run on this device, which read_ceilings() took from its run.json, instead of measuring
  /// them. Ceilings that could bind a kernel are sampled next to it all the same.
  void use_ceilings(EarlierRun earlier);
  /// Gives tuned rows the tuning that an earlier run chose, instead of trying them.
  void use_tunings(std::map<std::string, std::string> tunings) { run_.known_tunings = std::move(tunings); }
  void measure();
  /// The rows of the plan in order, with the reason why one has no result.
  std::vector<PlannedRow> planned_rows() const;

  Results& results() { return run_.results; }
  const Results& results() const { return run_.results; }
  void end_progress() { run_.progress.clear(); }

 private:
  void model_kernels();
  void sweep();
  /// Rows that have neither a result nor a reason for it: an interruption came before them.
  void note_unreached();

  RunState run_;
  std::shared_ptr<CounterSource> counter_;
  std::unique_ptr<Rounds> rounds_;
  std::map<std::string, std::string> missing_;
  NoiseMeter noise_;
};

}  // namespace roofline
