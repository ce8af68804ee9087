#include "bench/machine/memory_limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

namespace roofline {
namespace {

// Version 1 says "no limit" with a number of this order.
constexpr double no_limit = 0x1p60;

/// A number at the begin of a text; negative when there is none ("max").
double leading_number(std::string_view text) {
  double value = -1;
  const auto end = text.data() + text.size();
  return std::from_chars(text.data(), end, value).ec == std::errc{} ? value : -1;
}

double field(std::string_view text, const std::string& wanted) {
  std::istringstream in{std::string(text)};
  double value = 0;
  for (std::string key; in >> key >> value;)
    if (key == wanted) return value;
  return 0;
}

double meminfo(const std::string& wanted) {
  std::istringstream lines(read_text("/proc/meminfo"));
  double kib = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(wanted + ":")) std::istringstream(line.substr(wanted.size() + 1)) >> kib;
  return 1024 * kib;
}

double tighter(double a, double b) { return a < 0 ? b : b < 0 ? a : std::min(a, b); }

/// What the limits of the address space and of data leave; negative: no limit.
double resource_left() {
  std::istringstream statm(read_text("/proc/self/statm"));
  double total = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  statm >> total >> resident >> shared >> text >> library >> data;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  double left = -1;
  const auto look = [&](auto resource, double pages) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    const double here = static_cast<double>(limit.rlim_cur);
    if (left < 0 || here - pages * page < left) left = std::max(0.0, here - pages * page);
  };
  look(RLIMIT_AS, total), look(RLIMIT_DATA, data);
  return left;
}

}  // namespace

double cgroup_memory_left(const Cgroup& memory, double* limit) {
  const bool two = memory.version == 2;
  double left = -1, smallest = -1;
  for (const auto& directory : memory.directories) {
    const double most = leading_number(read_text(directory / (two ? "memory.max" : "memory.limit_in_bytes")));
    if (most < 0 || most > no_limit) continue;
    const double used = leading_number(read_text(directory / (two ? "memory.current" : "memory.usage_in_bytes")));
    const double droppable = field(read_text(directory / "memory.stat"), two ? "inactive_file" : "total_inactive_file");
    left = tighter(left, std::max(0.0, most - std::max(0.0, used - droppable)));
    smallest = tighter(smallest, most);
  }
  if (limit) *limit = smallest;
  return left;
}

double memory_limit() {
  double limit = meminfo("MemTotal"), of_group = -1;
  if (const auto group = find_cgroup("memory")) cgroup_memory_left(*group, &of_group);
  if (of_group >= 0) limit = limit > 0 ? std::min(limit, of_group) : of_group;
  if (const double left = resource_left(); left >= 0) limit = limit > 0 ? std::min(limit, left) : left;
  return limit;
}

double memory_left() {
  double left = meminfo("MemAvailable");
  if (left <= 0) left = -1;
  if (const auto group = find_cgroup("memory")) left = tighter(left, cgroup_memory_left(*group));
  left = tighter(left, resource_left());
  return std::max(0.0, left);
}

}  // namespace roofline
