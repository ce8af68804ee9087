#pragma once
#include <string>
#include <vector>

#include "bench/machine/gpu_facts.hpp"
#include "bench/options/options.hpp"
#include "bench/ranks/place.hpp"
#include "bench/ranks/siblings.hpp"

namespace roofline {

/// A run's place among others that one launcher started.
struct RankSetup {
  Place place;
  std::vector<std::string> notes;       ///< one line each: nonsense in variables, how cores were shared out
  std::vector<int> with_these_devices;  ///< local ranks of this node that see the GPUs that this one sees; sorted
};

/// Finds out which rank this process is and makes it one: `options.out` becomes its own folder, a rank other than the
/// first prints nothing on standard output, and ranks of one node share its cores out. Call it before the machine is
/// looked at and before there are threads.
RankSetup set_up_rank(Options& options);

/// Which local ranks have the same GPU as this one, in words; empty: none. `devices` is how many it sees, `chosen`
/// whether the command line named the GPU. Otherwise each rank takes the one of its local rank modulo their number.
std::string shared_device(const RankSetup& setup, const Gpu& gpu, int devices, bool chosen);

}  // namespace roofline
