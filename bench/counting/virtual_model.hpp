#pragma once
#include <string>
#include <vector>

#include "bench/counting/modelled.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// Makes the device of --device=virtual[:...] the one that the CUDA runtime shows to this process. `checks`: what it
/// looks for while it executes, see runtime::set_checks(). Throws std::invalid_argument in builds without CUDA.
void select_virtual(const std::string& device, const std::string& checks = {});

/// Selects the virtual GPU of --device=virtual[:v100|a100|h100|h200|FILE] (h100 if none is named) for this process and
/// says how its points come about: the compiled kernels are executed, verified and counted, or, of a modelled run,
/// counted by the device model, which executes what decides their addresses. Times are bounds.
/// Faults and checks are those of ROOFLINE_VIRTUAL_FAULTS and _CHECK. Throws std::invalid_argument on an unknown name
/// and in builds without CUDA, FileError on a bad file.
Model virtual_model(const Options& options, const Machine& host);

/// The name of the known device that a GPU is one of ("NVIDIA H200" is h200), empty when it is none.
std::string known_device_of(const std::string& gpu_name);

/// What the device model says of the rows of a run on a GPU that is there: the same variants at the same sizes on the
/// virtual one, made when they are first asked for. Null when the GPU is no known device.
std::shared_ptr<CounterSource> modelled_counts(const Gpu& gpu, const Options& options);

/// The ceilings as they would be measured on this device: with kernels, which the described ones of its file lack.
Suite ceilings_of_kernels(const Target& target);

/// Those whose kernels are to be executed: with --verify all, or those that the filter names; else those that
/// --ceilings=quick or full would measure on a GPU.
std::vector<const CeilingVariant*> ceilings_to_verify(const Suite& suite, const Options& options);

}  // namespace roofline
