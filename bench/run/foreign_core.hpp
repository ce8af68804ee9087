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

/// The same of latencies: where all chains of an operation, two or more, are faster than the table's latency allows,
/// with their whole intervals, theirs is another one (a younger core under the number of an older one). Takes the
/// theory of these chains away and of no other ceiling.
std::string withdraw_foreign_latencies(std::vector<Ceiling>& ceilings);

}  // namespace roofline
