#include "bench/machine/pinning.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>

namespace roofline {

std::string misplaced(const std::vector<int>& seen, const std::vector<int>& wanted, int threads) {
  if (static_cast<int>(seen.size()) != threads)
    return fmt::format("{} threads were asked for, {} run", threads, seen.size());
  if (std::count(seen.begin(), seen.end(), -1) > 0) return {};
  for (std::size_t i = 0; i < seen.size() && i < wanted.size(); ++i)
    if (seen[i] != wanted[i])
      return fmt::format("thread {} was pinned to CPU {} and runs on CPU {}", i, wanted[i], seen[i]);
  return {};
}

std::vector<int> pin_threads(const Machine& machine, int threads) {
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
  const bool enough = static_cast<int>(machine.cpus.size()) >= threads;
  std::vector<int> seen(static_cast<std::size_t>(threads), -1);
  int running = 0, refused = 0;
#pragma omp parallel num_threads(threads) reduction(+ : refused)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    if (enough) {
      cpu_set_t cpu;
      CPU_ZERO(&cpu);
      CPU_SET(machine.cpus[thread], &cpu);
      refused += sched_setaffinity(0, sizeof cpu, &cpu) != 0;
    }
#pragma omp single
    running = omp_get_num_threads();
    // Past the barrier at the end of `single` all of them run at once.
    seen[thread] = sched_getcpu();
  }
  seen.resize(static_cast<std::size_t>(running));
  // Some sandboxes refuse to pin; the threads then run where the system puts them, and thread_cpus says where.
  const auto why = misplaced(seen, enough && refused == 0 ? machine.cpus : std::vector<int>{}, threads);
  if (!why.empty())
    throw WrongThreads(why +
                       ": what the tables would say of threads would be wrong; is a limit of processes, a job "
                       "scheduler or a tool in the way?");
  return seen;
}

double empty_region_seconds() {
  constexpr int looks = 31, regions = 20;
  std::array<double, looks> seconds{};
  int dummy = 0;
  for (auto& look : seconds) {
    const double start = omp_get_wtime();
    for (int i = 0; i < regions; ++i)
#pragma omp parallel reduction(+ : dummy)
      dummy += 1;
    look = (omp_get_wtime() - start) / regions;
  }
  std::nth_element(seconds.begin(), seconds.begin() + looks / 2, seconds.end());
  return dummy > 0 ? seconds[looks / 2] : 0;
}

}  // namespace roofline
