#pragma once
#include <filesystem>
#include <string_view>

#include "bench/machine/cgroup.hpp"

namespace roofline {

/// Bytes that a control group may still use, the tightest of the groups around the process: memory.max less
/// memory.current (version 1: memory.limit_in_bytes, memory.usage_in_bytes), file pages that the kernel would drop not
/// counted as used. `limit` gets the smallest limit itself. Negative: no limit.
double cgroup_memory_left(const Cgroup& memory, double* limit = nullptr);

/// Memory that this process may have in all, at least 0: the machine's, the limits of control groups, and RLIMIT_AS and
/// RLIMIT_DATA less what the process occupied when it started. 0: unknown.
double memory_limit();

/// Memory that it may have now on top of what it has. 0: unknown.
double memory_left();

}  // namespace roofline
