#pragma once
#include <sched.h>

#include "bench/machine/machine.hpp"

namespace roofline {

/// Pins the threads of OpenMP while ceilings are sampled. Afterwards they, their number and the calling thread are as
/// free as before: the program around is somebody else's.
class Pinned {
 public:
  Pinned(const Machine& machine, int threads);
  ~Pinned();
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  int threads_, threads_before_;
  cpu_set_t before_;
};

}  // namespace roofline
