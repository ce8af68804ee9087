#pragma once
#include "bench/cache_model/sampler.hpp"
#include "bench/space/launches.hpp"
#include "bench/space/openmp.hpp"

namespace roofline {

/// A variant from a launcher written once for all CPU spaces: `launch(space)` runs one launch in the space it is given.
/// `Lanes` of the counting space: 1 for a body that does less to some elements than to others. The rest: see
/// set_forms().
template <bool Fma, int Lanes = counted_lanes, class Launch>
void set_launch(Workload& workload, Launch launch, double chunk_bytes = 0, Neighbours neighbours = Neighbours::share) {
  set_forms(
      workload, [launch](Pass* pass) { launch(OpenMp<Fma>{pass}); }, chunk_bytes, neighbours);
  workload.trace = [launch](Sampler& sampler) { launch(Counting<Fma, Lanes>{sampler}); };
}

/// The launch loads otherwise than its trace: which of its loads are split or gathered is not known.
inline void forget_costly_loads(Workload& workload) {
  workload.trace = [trace = workload.trace](Sampler& sampler) { trace(sampler), sampler.forget_costly_loads(); };
}

/// The launch gathers by instructions, which a trace does not say.
inline void gather_by_instructions(Workload& workload) {
  workload.trace = [trace = workload.trace](Sampler& sampler) { trace(sampler), sampler.gather_by_instructions(); };
}

}  // namespace roofline
