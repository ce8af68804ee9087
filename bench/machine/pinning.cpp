#include "bench/machine/pinning.hpp"

#include <omp.h>
#include <sched.h>

#include <cstdlib>

namespace roofline {

void pin_threads(const Machine& machine, int threads) {
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
  if (std::getenv("OMP_PROC_BIND") || static_cast<int>(machine.cpus.size()) < threads) return;
#pragma omp parallel num_threads(threads)
  {
    cpu_set_t cpu;
    CPU_ZERO(&cpu);
    CPU_SET(machine.cpus[static_cast<std::size_t>(omp_get_thread_num())], &cpu);
    sched_setaffinity(0, sizeof cpu, &cpu);
  }
}

}  // namespace roofline
