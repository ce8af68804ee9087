#pragma once
#include "bench/cache_model/sampler.hpp"
#include "bench/space/launches.hpp"
#include "bench/space/openmp.hpp"

namespace roofline {

/// Whether chunks of a launch read data of their neighbours.
enum class Neighbours { share, share_nothing };

/// A variant from a launcher written once for all CPU spaces: `launch(space)` runs one launch in the space it is given.
/// `Lanes` of the counting space: 1 for a body that does less to some elements than to others. `chunk_bytes`: see
/// InCore; 0: not known. Chunks that share nothing can be computed part by part.
template <bool Fma, int Lanes = counted_lanes, class Launch>
void set_launch(Workload& workload, Launch launch, double chunk_bytes = 0, Neighbours neighbours = Neighbours::share) {
  const auto in_space = [launch](Pass* pass) { launch(OpenMp<Fma>{pass}); };
  workload.launch = [in_space] { in_space(nullptr); };
  if (chunk_bytes > 0) workload.in_core = in_core(in_space, chunk_bytes);
  if (neighbours == Neighbours::share_nothing) workload.divided = divided(in_space);
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
