#pragma once
#include <string>
#include <vector>

#include "bench/counting/modelled.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// Makes the device of --device=virtual[:...] the one that the CUDA runtime shows to this process. `checks`: what it
/// looks for while it executes, see runtime::set_checks(). Throws as virtual_model().
void select_virtual(const std::string& device, const std::string& checks = {});

/// Lets the kernels of a modelled run, --model=..., be launched on the described device. Throws as virtual_model().
void select_described(const Options& options);

/// Selects the virtual GPU of --device=virtual[:v100|a100|h100|h200|FILE] (h100 if none is named) for this process and
/// says how its points come about: the compiled kernels are executed, verified and counted; times are bounds.
/// Faults and checks are those of ROOFLINE_VIRTUAL_FAULTS and _CHECK. Throws std::invalid_argument on an unknown name,
/// FileError on a bad file, DeviceUnavailable in builds without CUDA.
Model virtual_model(const Options& options, const Machine& host);

/// The ceilings as they would be measured on this device: with kernels, which the described ones of its file lack.
Suite ceilings_of_kernels(const Target& target);

/// Those whose kernels are to be executed: with --verify all, or those that the filter names; else those that
/// --ceilings=quick or full would measure on a GPU.
std::vector<const CeilingVariant*> ceilings_to_verify(const Suite& suite, const Options& options);

}  // namespace roofline
