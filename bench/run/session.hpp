#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "bench/counting/modelled.hpp"
#include "bench/machine/noise_meter.hpp"
#include "bench/run/rounds.hpp"
#include "bench/storage/ceilings_file.hpp"

namespace roofline {

/// One run of the suite, which adds its measurements or model values to the records.
class Session {
 public:
  /// Takes what the records know and enters the rest. `counter` counts launches; null in a run of ceilings alone.
  Session(const Suite& suite, const Options& options, const Plan& plan, Records& records,
          std::shared_ptr<CounterSource> counter);

  /// Makes it a modelled run: launches are counted by the model and none is made.
  void stand_for(const Model& model);
  /// After a row has failed, `call` is called: the device may be lost.
  void after_failure(std::function<void()> call) { run_.after_failure = std::move(call); }
  /// Uses ceilings of an earlier run on this device, which read_ceilings() took from its run.json, instead of measuring
  /// them. Ceilings that could bind a kernel are sampled next to it all the same.
  void use_ceilings(EarlierRun earlier);
  /// Gives tuned rows the tuning that an earlier run chose, instead of trying them.
  void use_tunings(std::map<std::string, std::string> tunings) { run_.known_tunings = std::move(tunings); }
  void measure();
  void end_progress() { run_.progress.clear(); }

 private:
  void model_kernels();
  void sweep();
  void enter_plan();

  RunState run_;
  std::shared_ptr<CounterSource> counter_;
  const Model* model_ = nullptr;
  NoiseMeter noise_;
};

}  // namespace roofline
