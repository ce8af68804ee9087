#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// CPU numbers of the kernel's list format ("0-3,8"), ascending; empty when the text is not such a list.
std::vector<int> parse_cpu_list(std::string_view text);

/// The kernel's list format of CPU numbers in any order.
std::string format_cpu_list(std::vector<int> cpus);

/// Logical CPUs this process may run on: affinity mask and cpuset, ascending. OpenMP pins the first thread as soon as
/// OMP_PROC_BIND is set, before main() begins; the places it shares out are then the mask the process was started with.
std::vector<int> allowed_cpus();

}  // namespace roofline
