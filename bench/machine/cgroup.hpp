#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Where the limits of this process stand: its own control group first, then every group around it that is visible.
struct Cgroup {
  int version = 2;
  std::vector<std::filesystem::path> directories;
};

/// The group of a controller ("cpu", "cpuset"), found from the texts of /proc/self/cgroup and /proc/self/mountinfo;
/// absent when the controller is mounted in neither version.
std::optional<Cgroup> find_cgroup(std::string_view controller, std::string_view self, std::string_view mountinfo);
/// The same for this process.
std::optional<Cgroup> find_cgroup(std::string_view controller);

/// CPUs that the tightest of the groups grants: cpu.max, or cpu.cfs_quota_us over cpu.cfs_period_us. 0 = no limit.
double cpu_quota(const Cgroup& cpu);
/// The same for this process.
double own_cpu_quota();
/// Whether a quota stops even a single thread.
inline bool stops_one_thread(double quota) { return quota > 0 && quota < 1; }

/// CPU list of the innermost group that states one, in the kernel's list format; empty when none does.
std::string cgroup_cpuset();

/// A whole file of /proc or /sys; empty when it cannot be read.
std::string read_text(const std::filesystem::path& path);
/// The number behind a word in such a text of words with a number each, as cpu.stat; 0 where it is not there.
std::uint64_t number_of(std::string_view text, std::string_view wanted);

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
