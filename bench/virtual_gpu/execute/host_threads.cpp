#include "bench/virtual_gpu/execute/host_threads.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace roofline::ptx {
namespace {

struct Cpus {
  cpu_set_t set;
  bool known;
};

// Taken when the program or library is loaded: nobody has pinned a thread by then.
const Cpus at_begin = [] {
  Cpus cpus;
  CPU_ZERO(&cpus.set);
  cpus.known = sched_getaffinity(0, sizeof cpus.set, &cpus.set) == 0;
  return cpus;
}();

}  // namespace

unsigned all_host_threads() {
  if (at_begin.known) return static_cast<unsigned>(std::max(1, CPU_COUNT(&at_begin.set)));
  return std::max(1u, std::thread::hardware_concurrency());
}

void leave_the_launching_cpu() {
  // Where a sandbox refuses it, the work is done all the same.
  if (at_begin.known) sched_setaffinity(0, sizeof at_begin.set, &at_begin.set);
}

}  // namespace roofline::ptx
