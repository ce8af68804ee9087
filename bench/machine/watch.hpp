#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/machine/core_waits.hpp"

namespace roofline {

/// What one sample used and met, between its begin and its end.
struct SampleUse {
  double wall = 0, cpu = 0;             ///< seconds; `cpu` of the calling thread
  long involuntary_switches = 0;        ///< of the whole process
  long voluntary_switches = 0;          ///< the same: threads that slept
  std::uint64_t throttled_periods = 0;  ///< of the control group
  std::optional<Waited> waited = {};    ///< for cores, of the threads of the team; absent: not known
};

/// Why these figures say that the process did not have its cores to itself; empty = it had. Limits:
/// CPU time / wall >= 0.98, no throttling, no thread that waited for its core for longer than that, and no involuntary
/// switch that can have cost as much as the other 2 %: one matters in a sample below 2.5 ms; in a longer one, where a
/// quiet machine has them too, it takes more of them.
std::string judge(const SampleUse& use);

/// Whether a core was away although no thread slept, waited for it or was stopped for its quota: none of this machine's
/// processes had it. False where that is not known.
bool taken_by_hypervisor(const SampleUse& use);

/// CPU seconds since boot over all CPUs, from the text of /proc/stat. The kernel rounds each down to a tick.
struct SystemTime {
  int cpus = 0;
  double idle = 0, stolen = 0;  ///< waiting for I/O is idle; stolen by the hypervisor
  double tick = 0.01;           ///< seconds
};

/// Absent when the text has no CPU lines or all figures are zero, as in sandboxes that only imitate /proc.
std::optional<SystemTime> parse_proc_stat(std::string_view text, double ticks_per_second);

/// How far a use has run ahead of an allowed rate, over the stretch that looks worst now (one-sided cumulative sum).
///
/// Ticks are coarse: in 20 ms a counter moves by 0, 1 or 2 of them, and no single difference means anything. The
/// rounding errors of consecutive differences cancel, so a sum that exceeds `error` proves that there was a stretch,
/// ending now, in which the true use was above the allowed rate.
class Overdraft {
 public:
  /// Adds `used` seconds where `allowed` were granted; true while the excess is proven.
  bool add(double used, double allowed, double error);

 private:
  double excess_ = 0;
};

/// The machine around this process: CPUs that others burn (limit 0.1) and time the hypervisor steals (limit 1 %).
class SystemLoad {
 public:
  /// `now` at `wall` seconds of any steady clock, when this process had used `own_cpu` seconds. Why the machine is not
  /// quiet; empty = quiet, or nothing can be said yet.
  std::string judge(const SystemTime& now, double wall, double own_cpu);

 private:
  std::optional<SystemTime> before_;
  double wall_ = 0, own_cpu_ = 0;
  Overdraft others_, steal_;
};

/// What disturbed a sample, in a few words each; empty: nothing.
struct Disturbance {
  std::string own;             ///< this process lost its cores for a while: the sample is too long
  std::string machine;         ///< others were busy: shared caches and memory were not ours alone
  bool by_hypervisor = false;  ///< it, not other processes of this machine, or a quota
  double waited = 0;           ///< seconds that all threads together waited for their cores; 0: not known, too
};

/// Seconds of samples, and what disturbed them: each disturbed one counts for one of the two.
struct WatchedTime {
  double all = 0;
  double others = 0;      ///< other processes of this machine, or a quota
  double hypervisor = 0;  ///< took a core away without that a thread waited for another one, or takes time all along
};

inline WatchedTime operator-(const WatchedTime& a, const WatchedTime& b) {
  return {a.all - b.all, a.others - b.others, a.hypervisor - b.hypervisor};
}

/// Of all samples that this process has watched so far.
WatchedTime watched_so_far();

/// Watches one sample, from its construction to the question whether something disturbed it.
///
/// Costs about 3 us and 2 per thread; every 20 ms it looks at the machine as a whole, 10 us more (and with many CPUs
/// less often, so that it stays below 2 % of the time). That verdict stands until the next look. For one thread at a
/// time.
class Watch {
 public:
  Watch();
  /// Ends the sample. Ask once.
  Disturbance disturbance() const;

 private:
  long involuntary_, voluntary_;
  std::uint64_t throttled_;
  std::vector<double> waits_;
  double cpu_, wall_;
};

/// Until now nothing was measured, or this process was stopped: what others did meanwhile disturbed nothing.
void forget_the_pause();

}  // namespace roofline
