#include "bench/library/pinned.hpp"

#include <omp.h>

#include "bench/machine/pinning.hpp"

namespace roofline {

Pinned::Pinned(const Machine& machine, int threads) : threads_(threads), threads_before_(omp_get_max_threads()) {
  sched_getaffinity(0, sizeof before_, &before_);
  pin_threads(machine, threads);
}

Pinned::~Pinned() {
#pragma omp parallel num_threads(threads_)
  sched_setaffinity(0, sizeof before_, &before_);
  omp_set_num_threads(threads_before_);
}

}  // namespace roofline
