#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/machine/machine.hpp"

namespace roofline {

/// CPU numbers of the kernel's list format ("0-3,8"), ascending; empty when the text is not such a list.
std::vector<int> parse_cpu_list(std::string_view text);

/// The kernel's list format of CPU numbers in any order.
std::string format_cpu_list(std::vector<int> cpus);

/// Logical CPUs this process may run on: affinity mask and cpuset, ascending. OpenMP pins the first thread as soon as
/// OMP_PROC_BIND is set, before main() begins; the places it shares out are then the mask the process was started with.
std::vector<int> allowed_cpus();

/// Threads that do not run as they were asked to: fewer, or two on one CPU. Exit code 3.
struct WrongThreads : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes this thread, and those that it starts, keep to these CPUs. Returns whether the system let it.
bool keep_to(const std::vector<int>& cpus);

/// Sets the number of OpenMP threads, pins one to each usable core, so that a thread finds the memory that it touched
/// first, and looks where they then run: by number of thread. Throws WrongThreads.
std::vector<int> pin_threads(const Machine& machine, int threads);

/// Seconds of a parallel region that does nothing: the median of some. A launch that takes hardly longer does not
/// measure its kernel.
double empty_region_seconds();

/// The complaint about threads seen on `seen` that should run on the first of `wanted`; empty when they do. A system
/// that does not tell CPUs (-1) is taken at its word.
std::string misplaced(const std::vector<int>& seen, const std::vector<int>& wanted, int threads);

/// The variables OMP_..., GOMP_... and KMP_... that the environment had when the program started, NAME=VALUE. They
/// would change how many threads run, where, and how they wait, behind the back of a suite that says all three: they
/// are taken out before the OpenMP library reads them.
std::vector<std::string> overridden_openmp_variables();

}  // namespace roofline
