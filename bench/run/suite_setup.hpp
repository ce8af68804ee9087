#pragma once
#include "bench/counting/modelled.hpp"
#include "bench/options/options.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// What can run on a target: its ceilings and every family that has a port to it, at the sizes that the options ask
/// for. With `model` (may be null) the ceilings are the model's. Throws std::invalid_argument on sizes that make no
/// sense.
Suite make_suite(const Target& target, const Options& options, const Model* model);

}  // namespace roofline
