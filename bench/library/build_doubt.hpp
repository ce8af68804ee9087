#pragma once
#include <roofline/benchmark.hpp>
#include <string>

namespace roofline {

/// One line when a program was compiled without optimisation, or for narrower vectors than `machine_isa`
/// (Machine::isa); empty: neither.
std::string build_doubt(const BuiltAs& built_as, const std::string& machine_isa);

}  // namespace roofline
