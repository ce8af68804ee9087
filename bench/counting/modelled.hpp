#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/model/counts.hpp"
#include "bench/options/options.hpp"
#include "bench/result/results.hpp"
#include "bench/suite/suite.hpp"

/// Modelled runs, --model: every point is what a model says of a launch that does not happen.
namespace roofline {

/// What --model asks for.
struct Model {
  ModelledRun about;
  Target target;                  ///< this machine, or a described GPU
  std::vector<Ceiling> ceilings;  ///< published, theoretical or imported
  CeilingsOrigin ceilings_origin;
  std::optional<StorePolicy> stores = {};  ///< of the run that the ceilings are from, where it says
  std::shared_ptr<CounterSource> counter;
};

/// The model that `--model` and `--ceilings` name: a known device, a device file, or this machine.
///
/// A GPU takes the ceilings of its file or those that `--ceilings=FILE` imports; the host theoretical ones (units x
/// lanes x measured clock; no cache beyond L1, no DRAM) or those of an earlier run. Throws std::invalid_argument on an
/// unknown name or flags that contradict each other, FileError on a bad file, ForeignCeilings on ceilings that do not
/// fit.
Model make_model(const Options& options, const Machine& host);

/// What --describe adds: the device and what the model assumes of it.
std::string assumptions(const Model& model);

/// The point of a launch: its time is the least possible one. Throws std::invalid_argument when no ceiling bounds it.
KernelPoint bound_point(const Variant& variant, const Counts& counts, const Roofline& roofline);

}  // namespace roofline
