#pragma once
#include <string>
#include <vector>

#include "bench/counting/modelled.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// Makes the device of --device=virtual[:...] the one that the CUDA runtime shows to this process. `checks` are the
/// checks during execution, see runtime::set_checks(). Throws std::invalid_argument in builds without CUDA.
void select_virtual(const std::string& device, const std::string& checks = {});

/// Selects the virtual GPU of --device=virtual[:NAME|FILE] (h100 if none is named) for this process and
/// says how its points come about: the compiled kernels are executed, verified and counted, or, of a modelled run,
/// counted by the device model, which executes what decides their addresses. Times are bounds.
/// Faults and checks are those of ROOFLINE_VIRTUAL_FAULTS and _CHECK. Throws std::invalid_argument on an unknown name
/// and in builds without CUDA, FileError on a bad file.
Model virtual_model(const Options& options, const Machine& host);

/// The name of the known device that matches a GPU ("NVIDIA H200" is h200), empty if none does.
std::string known_device_of(const std::string& gpu_name);

/// The device model's counts for the rows of a run on a real GPU. They come from the same variants at the same sizes on
/// the virtual one, made when they are first asked for. The device is a known one, else made of the GPU's attributes.
/// Null for an instance of a divided GPU, and where they do not suffice.
std::shared_ptr<CounterSource> modelled_counts(const Gpu& gpu, const Options& options);

/// The ceilings as they would be measured on this device: with kernels, which the described ones of its file lack.
Suite ceilings_of_kernels(const Target& target);

/// The ceilings whose kernels are executed: with --verify all of them, or those that the filter names; otherwise those
/// that --ceilings=quick or full would measure on a GPU.
std::vector<const CeilingVariant*> ceilings_to_verify(const Suite& suite, const Options& options);

}  // namespace roofline
