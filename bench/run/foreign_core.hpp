#pragma once
#include <string>
#include <vector>

#include "bench/machine/machine.hpp"
#include "bench/model/ceiling.hpp"

namespace roofline {

/// What to say where the core is not of the type that it gives itself as, which hypervisors make up; empty where
/// nothing speaks for it. A disturbance lowers rates; where several compute ceilings of one width are far above what
/// that type can do, with their whole intervals, the units were not those of its table. Their theory and that of all
/// other ceilings is taken away then: neither is it shown, nor is anything held against it.
std::string withdraw_foreign_theory(std::vector<Ceiling>& ceilings, const Machine& machine);

}  // namespace roofline
