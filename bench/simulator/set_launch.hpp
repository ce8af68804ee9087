#pragma once
#include "bench/simulator/sampler.hpp"
#include "bench/space/openmp.hpp"
#include "bench/space/workload.hpp"

namespace roofline {

/// A variant from a launcher written once for all CPU spaces: `launch(space)` runs one launch in the space it is given.
/// `Lanes` of the counting space: 1 for a body that does less to some elements than to others.
template <bool Fma, int Lanes = counted_lanes, class Launch>
void set_launch(Workload& workload, Launch launch) {
  workload.launch = [launch] { launch(OpenMp<Fma>{}); };
  workload.trace = [launch](Sampler& sampler) { launch(Counting<Fma, Lanes>{sampler}); };
}

/// The launch loads otherwise than its trace: which of its loads are split or gathered is not known.
inline void forget_costly_loads(Workload& workload) {
  workload.trace = [trace = workload.trace](Sampler& sampler) { trace(sampler), sampler.forget_costly_loads(); };
}

}  // namespace roofline
