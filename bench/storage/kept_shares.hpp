#pragma once
#include "bench/result/results.hpp"

namespace roofline {

/// Adds the shares and times of a measured run to those of earlier runs of the same program on this host, next to the
/// ceilings in the cache folder, and sets `results.drift` and `drift_apart` from all of them. A run next to other
/// programs is compared with the kept ones and not kept itself. A run that says nothing about the host (modelled,
/// interrupted, one of several ranks) is left alone. A cache that cannot be read or written costs no run.
void keep_shares(Results& results);

}  // namespace roofline
