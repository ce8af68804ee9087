#pragma once
#include <string>

#include "bench/run/modelled.hpp"
#include "bench/run/verify.hpp"

namespace roofline {

/// Whether --device names a virtual GPU: "virtual", or "virtual:" and a device.
bool is_virtual(const std::string& device);

/// Whether the run is to go all the way of one on a GPU, with samples, graphs, counters and recovery, at the pace of
/// the virtual clock: with ROOFLINE_VIRTUAL_CLOCK in the environment. That is for tests of this way; every table of
/// such a run names the virtual device, and its times mean nothing.
bool on_virtual_clock(const std::string& device);

/// Makes the device of --device=virtual[:...] the one that the CUDA runtime shows to this process. Throws as
/// virtual_model().
void select_virtual(const std::string& device);

/// Lets the kernels of a modelled run, --model=..., be launched on the described device. Throws as virtual_model().
void select_described(const Options& options);

/// Selects the virtual GPU of --device=virtual[:v100|a100|h100|h200|FILE] (h100 if none is named) for this process and
/// says how its points come about: the compiled kernels are executed, verified and counted; times are bounds.
/// Faults and checks are those of ROOFLINE_VIRTUAL_FAULTS and _CHECK. Throws std::invalid_argument on an unknown name,
/// FileError on a bad file, DeviceUnavailable in builds without CUDA.
Model virtual_model(const Options& options, const Machine& host);

/// Every ceiling kernel of this device, launched and verified once: what --verify adds on a virtual GPU, whose ceilings
/// are not measured.
void verify_ceilings(const Target& target, Verification& verification);

}  // namespace roofline
