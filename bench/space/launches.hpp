#pragma once
#include "bench/space/pass.hpp"
#include "bench/space/workload.hpp"

namespace roofline {

// Forms of a launch on this machine's cores. They are made of a function, not of a template's argument: each kernel
// would compile them anew.

/// Launches once in a space with the pass; null: without.
using InSpace = std::function<void(Pass*)>;

/// Whether chunks of a launch read data of their neighbours.
enum class Neighbours { share, share_nothing };

/// A launch of chunks that read and write `chunk_bytes` each, out of the caches of a core.
InCore in_core(InSpace in_space, double chunk_bytes);

/// A launch in parts. Only for a kernel whose chunks share no data: otherwise parts read some of it twice.
Divided divided(InSpace in_space);

/// The launch and its other forms. `chunk_bytes`: see InCore; 0: not known. Chunks that share nothing can be computed
/// part by part.
void set_forms(Workload& workload, const InSpace& in_space, double chunk_bytes = 0,
               Neighbours neighbours = Neighbours::share);

}  // namespace roofline
