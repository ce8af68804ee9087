#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"
#include "bench/run/options.hpp"
#include "bench/run/results.hpp"
#include "bench/run/suite.hpp"
#include "bench/simulator/gpu_model.hpp"

/// Modelled runs, --model: every point is what a model says of a launch that does not happen.
namespace roofline {

/// A launch as a model sees it.
struct ModelledLaunch {
  Counts counts;
  Operations executed;             ///< divisions expanded where the device does so
  std::optional<GpuCounts> warps;  ///< of a GPU: requests, sectors, residency
};
using LaunchModel = std::function<ModelledLaunch(const Variant&)>;

/// What --model asks for.
struct Model {
  ModelledRun about;
  Machine machine;  ///< this one, or one that is described
  Platform platform = Platform::cpu;
  std::vector<Ceiling> ceilings;  ///< published, theoretical or imported
  std::string ceilings_origin;
  LaunchModel count;
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
KernelPoint bound_point(const Variant& variant, const ModelledLaunch& launch, const Roofline& roofline);

}  // namespace roofline
