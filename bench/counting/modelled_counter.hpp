#pragma once
#include <optional>

#include "bench/counting/gpu_counter.hpp"
#include "bench/counting/modelled.hpp"
#include "bench/suite/choices.hpp"

namespace roofline {

/// --counters in a run on a described or virtual GPU: auto and model are what the model itself counts (nothing is
/// returned), a file's counters replace the model's bytes of the rows that it knows. What would count on hardware, or
/// not at all, is refused. Throws CountersUnavailable for cupti and perf, std::invalid_argument for none.
std::optional<GpuCounter> modelled_counter(const CountersChoice& choice, const ImportedCounters& imported,
                                           const Model& model);

}  // namespace roofline
