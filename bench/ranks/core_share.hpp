#pragma once
#include <string>
#include <vector>

#include "bench/ranks/siblings.hpp"

namespace roofline {

/// The CPUs that a rank keeps to.
struct CoreShare {
  std::vector<int> cpus;  ///< empty: those that it has
  std::string note;       ///< one line on what was done; empty: there was nothing to say
  std::string conflict;   ///< why ranks are in one another's way; empty: they are not
};

/// Shares the cores out among those ranks of a node that may use the same CPUs: to each as many whole cores, the rest
/// stays idle, so that all are measured alike. A rank that has CPUs of its own, bound by its launcher, keeps them.
/// `cores` are the CPUs of this rank by core; `quota` the CPUs that a control group grants to all together, 0: no
/// limit. `siblings` has this rank too; where `ranks` are more than those, they are taken to have what this one has if
/// that is every CPU of the machine (`whole_machine`).
CoreShare core_share(const std::vector<std::vector<int>>& cores, double quota, const std::vector<Sibling>& siblings,
                     int local_rank, int ranks, bool whole_machine);

/// Makes this process keep to these CPUs. Returns whether the system let it; threads inherit them.
bool keep_to(const std::vector<int>& cpus);

}  // namespace roofline
