#include "bench/machine/cgroup.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

#include "bench/text/words.hpp"

namespace roofline {
namespace fs = std::filesystem;
namespace {

// Version 1 says "no limit" with a number of this order.
constexpr double no_limit = 0x1p60;

/// A number at the begin of a text; negative when there is none ("max").
double leading_number(std::string_view text) {
  double value = -1;
  const auto end = text.data() + text.size();
  return std::from_chars(text.data(), end, value).ec == std::errc{} ? value : -1;
}

double meminfo(const std::string& wanted) {
  std::istringstream lines(read_text("/proc/meminfo"));
  double kib = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(wanted + ":")) std::istringstream(line.substr(wanted.size() + 1)) >> kib;
  return 1024 * kib;
}

double tighter(double a, double b) { return a < 0 ? b : b < 0 ? a : std::min(a, b); }

/// The memory left under the limits of the address space and of data; negative: no limit.
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

bool lists(std::string_view names, std::string_view name) {
  const auto all = split(names, ',');
  return std::find(all.begin(), all.end(), name) != all.end();
}

/// A mounted hierarchy: `root` is the group that its mount point shows.
struct Mount {
  std::string root, point;
};

/// Fields of mountinfo: id parent device root point options [optional...] - type source super-options.
std::optional<Mount> find_mount(std::string_view mountinfo, std::string_view type, std::string_view controller) {
  for (const auto& line : split(mountinfo, '\n')) {
    const auto fields = split(line, ' ');
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 6 || std::distance(dash, fields.end()) < 4 || dash[1] != type) continue;
    if (controller.empty() || lists(dash[3], controller)) return Mount{fields[3], fields[4]};
  }
  return std::nullopt;
}

/// Field 3 of the line of /proc/self/cgroup that a controller has; version 2 has the line without controllers.
std::optional<std::string> find_path(std::string_view self, std::string_view controller) {
  for (const auto& line : split(self, '\n')) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = std::string_view(line).substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : lists(controllers, controller)) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// A group's path below its mount point. A container sees its own group mounted as the root while the path still is the
/// one of the host; a group outside of what is mounted is shown as the root, too.
std::string path_below(const std::string& root, const std::string& path) {
  if (root == "/") return path;
  return (path + "/").starts_with(root + "/") ? path.substr(root.size()) : "";
}

std::optional<Cgroup> find_version(int version, std::string_view controller, std::string_view self,
                                   std::string_view mountinfo) {
  const auto mount = find_mount(mountinfo, version == 2 ? "cgroup2" : "cgroup", version == 2 ? "" : controller);
  const auto path = find_path(self, version == 2 ? "" : controller);
  if (!mount || !path) return std::nullopt;
  Cgroup group{version, {mount->point}};
  for (const auto& part : fs::path(path_below(mount->root, *path)).relative_path())
    if (!part.empty() && part != "..") group.directories.push_back(group.directories.back() / part);
  std::reverse(group.directories.begin(), group.directories.end());
  return group;
}

/// "max 100000" or "150000 100000"; 0 = no limit.
double parse_quota(std::string_view quota_and_period) {
  std::istringstream in{std::string(quota_and_period)};
  double quota = 0, period = 0;
  return in >> quota >> period && quota > 0 && period > 0 ? quota / period : 0;
}

}  // namespace

std::string read_text(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::uint64_t number_of(std::string_view text, std::string_view wanted) {
  std::istringstream in{std::string(text)};
  std::uint64_t value = 0;
  for (std::string key; in >> key >> value;)
    if (key == wanted) return value;
  return 0;
}

std::optional<Cgroup> find_cgroup(std::string_view controller, std::string_view self, std::string_view mountinfo) {
  const auto one = find_version(1, controller, self, mountinfo);
  return one ? one : find_version(2, controller, self, mountinfo);
}

std::optional<Cgroup> find_cgroup(std::string_view controller) {
  return find_cgroup(controller, read_text("/proc/self/cgroup"), read_text("/proc/self/mountinfo"));
}

double cpu_quota(const Cgroup& cpu) {
  double tightest = 0;
  for (const auto& directory : cpu.directories) {
    const auto quota = parse_quota(cpu.version == 2 ? read_text(directory / "cpu.max")
                                                    : read_text(directory / "cpu.cfs_quota_us") + " " +
                                                          read_text(directory / "cpu.cfs_period_us"));
    if (quota > 0 && (tightest == 0 || quota < tightest)) tightest = quota;
  }
  return tightest;
}

double own_cpu_quota() {
  const auto group = find_cgroup("cpu");
  return group ? cpu_quota(*group) : 0;
}

std::string cgroup_cpuset() {
  const auto group = find_cgroup("cpuset");
  if (!group) return {};
  for (const auto& directory : group->directories)
    if (auto cpus = read_text(directory / (group->version == 2 ? "cpuset.cpus.effective" : "cpuset.effective_cpus"));
        !cpus.empty())
      return cpus;
  return {};
}

double cgroup_memory_left(const Cgroup& memory, double* limit) {
  const bool two = memory.version == 2;
  double left = -1, smallest = -1;
  for (const auto& directory : memory.directories) {
    const double most = leading_number(read_text(directory / (two ? "memory.max" : "memory.limit_in_bytes")));
    if (most < 0 || most > no_limit) continue;
    const double used = leading_number(read_text(directory / (two ? "memory.current" : "memory.usage_in_bytes")));
    const double droppable = static_cast<double>(
        number_of(read_text(directory / "memory.stat"), two ? "inactive_file" : "total_inactive_file"));
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
