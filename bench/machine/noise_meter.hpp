#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// CPU time since boot in clock ticks, of all CPUs: /proc/stat.
struct SystemTicks {
  std::uint64_t all = 0, stolen = 0;  ///< stolen: the hypervisor gave it to others
  std::uint64_t busy = 0;             ///< that some process or the kernel used
};

/// Absent where the text is not that of /proc/stat, or all figures are zero as in sandboxes that only imitate it.
std::optional<SystemTicks> parse_proc_stat(std::string_view text);

/// Share of the time of all CPUs between two readings that other programs used; `own_ticks`: this one's part of it.
double other_programs(const SystemTicks& before, const SystemTicks& now, double own_ticks);

/// Above this share of the CPUs other programs are worth a line, and a run says nothing about the host at rest.
inline constexpr double much_other_work = 0.05;

/// Scheduling periods of a control group, and those in which its quota stopped it: cpu.stat.
struct QuotaPeriods {
  std::uint64_t all = 0, throttled = 0;
};
QuotaPeriods parse_cpu_stat(std::string_view text);

/// The time that a shared machine takes from a process between two readings.
class NoiseMeter {
 public:
  NoiseMeter();
  /// Share of CPU time that the hypervisor took since construction; absent where the system does not tell.
  std::optional<double> steal() const;
  /// Share of scheduling periods since construction in which a CPU quota stopped the process; 0 without a quota.
  double throttled() const;
  /// Share of the time of all CPUs that other programs used since construction; 0 where the system does not tell.
  double others() const;
  /// One line where others() is above much_other_work; else empty.
  std::string other_programs_text() const;

 private:
  std::optional<SystemTicks> ticks_;
  double own_seconds_;
  QuotaPeriods periods_;
};

}  // namespace roofline
