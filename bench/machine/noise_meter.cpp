#include "bench/machine/noise_meter.hpp"

#include <sstream>

#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

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
    if (column == 7) ticks.stolen = value;
  }
  return ticks.all > 0 ? std::optional(ticks) : std::nullopt;
}

QuotaPeriods parse_cpu_stat(std::string_view text) {
  return {number_of(text, "nr_periods"), number_of(text, "nr_throttled")};
}

NoiseMeter::NoiseMeter() : ticks_(parse_proc_stat(read_text("/proc/stat"))), periods_(periods_now()) {}

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
