#pragma once
#include "bench/suite/suite.hpp"

namespace roofline::cuda {

/// Adds a variant whose launches are timed by CUDA events, and its twin NAME/cache:cold, which finds L2 emptied before
/// each launch (--full, or a filter). `make` need not set how launches are timed. Where launches
/// are modelled, the variant alone.
void add_cache_state(Suite& suite, const Variant& variant);

/// The twin's name: "/cache:cold" at the end, but before "/tuned".
std::string cold_name(const std::string& name);

}  // namespace roofline::cuda
