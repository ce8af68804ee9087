#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/model/counts.hpp"
#include "bench/options/options.hpp"
#include "bench/result/results.hpp"
#include "bench/suite/suite.hpp"

/// Runs on a virtual GPU, and modelled ones: every point is a bound that follows from counts, nothing is timed.
namespace roofline {

/// A model in place of a device, which gives the counts of its launches.
struct Model {
  ModelledRun about;
  Target target;  ///< this machine, or a virtual GPU
  Launches launches = Launches::modelled;
  std::vector<Ceiling> ceilings;  ///< published, theoretical or imported
  CeilingsOrigin ceilings_origin;
  std::optional<StorePolicy> stores = {};  ///< of the run that the ceilings are from, where it says
  std::shared_ptr<CounterSource> counter;
};

/// The model of a run on a virtual GPU, see virtual_model(), or of this machine.
///
/// A GPU takes the ceilings of its file or those that `--ceilings=FILE` imports; the host theoretical ones (units x
/// lanes x measured clock; no cache beyond L1, no DRAM) or those of an earlier run. Throws std::invalid_argument on an
/// unknown name or flags that contradict each other, FileError on a bad file, FingerprintMismatch on ceilings that do
/// not fit.
Model make_model(const Options& options, const Machine& host);

/// The lines that --describe adds: the device and the model's assumptions about it.
std::string assumptions(const Model& model);

/// The point of a launch: its time is the least possible one. Throws std::invalid_argument when no ceiling bounds it.
KernelPoint bound_point(const Variant& variant, const Counts& counts, const Roofline& roofline);

}  // namespace roofline
