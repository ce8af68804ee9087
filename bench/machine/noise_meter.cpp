#include "bench/machine/noise_meter.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

/// CPU time of this process and of the children that it has waited for.
double own_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage used {};
    if (::getrusage(who, &used) != 0) continue;
    for (const auto& time : {used.ru_utime, used.ru_stime})
      sum += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return sum;
}

QuotaPeriods periods_now() {
  QuotaPeriods sum;
  const auto group = find_cgroup("cpu");
  if (!group || cpu_quota(*group) <= 0) return sum;
  for (const auto& directory : group->directories) {
    const auto [all, throttled] = parse_cpu_stat(read_text(directory / "cpu.stat"));
    sum.all += all, sum.throttled += throttled;
  }
  return sum;
}

}  // namespace

std::optional<SystemTicks> parse_proc_stat(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string cpu;
  if (!(words >> cpu) || cpu != "cpu") return std::nullopt;
  SystemTicks ticks;
  std::uint64_t value = 0;
  // user, nice, system, idle, iowait, irq, softirq, steal; guest times are among user and nice already
  for (int column = 0; column < 8 && words >> value; ++column) {
    ticks.all += value;
    if (column < 3 || column == 5 || column == 6) ticks.busy += value;
    if (column == 7) ticks.stolen = value;
  }
  return ticks.all > 0 ? std::optional(ticks) : std::nullopt;
}

QuotaPeriods parse_cpu_stat(std::string_view text) {
  return {number_of(text, "nr_periods"), number_of(text, "nr_throttled")};
}

double other_programs(const SystemTicks& before, const SystemTicks& now, double own_ticks) {
  if (now.all <= before.all || now.busy < before.busy) return 0;
  const double busy = static_cast<double>(now.busy - before.busy);
  return std::max(0.0, busy - own_ticks) / static_cast<double>(now.all - before.all);
}

NoiseMeter::NoiseMeter()
    : ticks_(parse_proc_stat(read_text("/proc/stat"))), own_seconds_(own_seconds()), periods_(periods_now()) {}

double NoiseMeter::others() const {
  const auto now = parse_proc_stat(read_text("/proc/stat"));
  if (!ticks_ || !now) return 0;
  const double own = (own_seconds() - own_seconds_) * static_cast<double>(::sysconf(_SC_CLK_TCK));
  return other_programs(*ticks_, *now, own);
}

std::string NoiseMeter::other_programs_text() const {
  const double share = others();
  if (share <= much_other_work) return "";
  return fmt::format("Other programs used {:.0f} % of the CPUs during this run.", 100 * share);
}

std::optional<double> NoiseMeter::steal() const {
  const auto now = parse_proc_stat(read_text("/proc/stat"));
  if (!ticks_ || !now || now->all <= ticks_->all) return std::nullopt;
  if (now->stolen < ticks_->stolen) return std::nullopt;  // the machine has moved to another host
  return static_cast<double>(now->stolen - ticks_->stolen) / static_cast<double>(now->all - ticks_->all);
}

double NoiseMeter::throttled() const {
  const auto now = periods_now();
  if (now.all <= periods_.all) return 0;
  return static_cast<double>(now.throttled - periods_.throttled) / static_cast<double>(now.all - periods_.all);
}

}  // namespace roofline
