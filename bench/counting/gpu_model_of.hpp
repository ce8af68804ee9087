#pragma once
#include <memory>
#include <string>

#include "bench/counters/counter_source.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/machine.hpp"
#include "bench/options/options.hpp"

namespace roofline {

/// The name of the known device that a GPU is one of ("NVIDIA H200" is h200), empty when it is none.
std::string known_device_of(const std::string& gpu_name);

/// What the device model says of the rows of a GPU run: the same variants at the same sizes on the described device.
/// Built when it is first asked. Null when the GPU is no known device.
std::shared_ptr<CounterSource> modelled_counts(const Gpu& gpu, const Options& options, const Machine& host);

}  // namespace roofline
