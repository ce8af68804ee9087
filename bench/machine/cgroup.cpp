#include "bench/machine/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "bench/text/split.hpp"

namespace roofline {
namespace fs = std::filesystem;
namespace {

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

std::string cgroup_cpuset() {
  const auto group = find_cgroup("cpuset");
  if (!group) return {};
  for (const auto& directory : group->directories)
    if (auto cpus = read_text(directory / (group->version == 2 ? "cpuset.cpus.effective" : "cpuset.effective_cpus"));
        !cpus.empty())
      return cpus;
  return {};
}

}  // namespace roofline
