#include "bench/counters/perf/system.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace roofline::perf {
namespace {

class ThisKernel final : public System {
 public:
  int open(const Attribute& what, int thread, int cpu, int leader) override {
    perf_event_attr attribute{};
    attribute.size = sizeof attribute;
    attribute.type = what.type;
    attribute.config = what.config;
    attribute.disabled = leader < 0;
    attribute.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    if (!what.whole_machine) attribute.exclude_kernel = attribute.exclude_hv = 1;
    const auto descriptor = ::syscall(SYS_perf_event_open, &attribute, thread, cpu, leader, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -errno : static_cast<int>(descriptor);
  }
  int start(int leader) override {
    if (::ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP) < 0) return -errno;
    return ::ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) < 0 ? -errno : 0;
  }
  int stop(int leader) override {
    return ::ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) < 0 ? -errno : 0;
  }
  long read(int leader, std::vector<std::uint64_t>& words) override {
    const auto bytes = ::read(leader, words.data(), words.size() * sizeof words[0]);
    return bytes < 0 ? -errno : bytes;
  }
  void close(int descriptor) override { ::close(descriptor); }
};

}  // namespace

System& this_kernel() {
  static ThisKernel kernel;
  return kernel;
}

std::vector<int> threads_of_this_process() {
  std::vector<int> threads;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", none)) {
    const auto name = entry.path().filename().string();
    int id = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), id).ec == std::errc{}) threads.push_back(id);
  }
  if (threads.empty()) threads.push_back(0);  // the caller
  return threads;
}

std::string refusal(int error, const std::string& event, const std::string& paranoid) {
  switch (error) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return fmt::format(
          "{}: this kernel has no such event (a virtual machine or container without a PMU? run on the "
          "bare machine, or give the guest a virtual PMU)",
          event);
    case EACCES:
    case EPERM:
      return paranoid.empty()
                 ? fmt::format(
                       "{}: not permitted, by a container's seccomp profile it seems; allow perf_event_open "
                       "there or run outside of it",
                       event)
                 : fmt::format(
                       "{}: not permitted at kernel.perf_event_paranoid={}; as root: sysctl "
                       "kernel.perf_event_paranoid=0, or CAP_PERFMON for this program",
                       event, paranoid);
    case EMFILE:
    case ENFILE:
      return fmt::format("{}: too many open files, one is needed for each event and thread; ulimit -n 4096", event);
    case ENOSYS:
      return fmt::format("{}: this kernel has no perf_event_open (CONFIG_PERF_EVENTS, or a sandbox)", event);
    case EBUSY:
      return fmt::format("{}: another program holds the counters; stop it (a profiler, a monitor)", event);
    case EINVAL:
      return fmt::format("{}: the kernel refuses the combination of events; it may be too old for this CPU", event);
    default:
      return fmt::format("{}: perf_event_open: {}", event, std::strerror(error));
  }
}

std::string refusal(int error, const std::string& event) {
  std::string paranoid;
  std::getline(std::ifstream("/proc/sys/kernel/perf_event_paranoid"), paranoid);
  return refusal(error, event, paranoid);
}

}  // namespace roofline::perf
