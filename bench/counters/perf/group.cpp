#include "bench/counters/perf/group.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "bench/counters/unavailable.hpp"

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

Group::Group(System& system, std::vector<Event> events, const std::vector<int>& threads)
    : system_(system), events_(std::move(events)) {
  try {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      for (const int cpu : events_[i].cpus) open(i, -1, cpu);
      if (events_[i].cpus.empty())
        for (const int thread : threads) open(i, thread, -1);
    }
  } catch (...) {
    close();
    throw;
  }
}

Group::~Group() { close(); }

void Group::close() {
  for (const auto& place : places_)
    for (auto at = place.descriptors.rbegin(); at != place.descriptors.rend(); ++at) system_.close(*at);
  places_.clear();
}

Group::Place& Group::place(const Event& event, int thread, int cpu) {
  const auto same = [&](const Place& p) { return p.type == event.what.type && p.thread == thread && p.cpu == cpu; };
  const auto found = std::find_if(places_.begin(), places_.end(), same);
  if (found != places_.end()) return *found;
  return places_.emplace_back(Place{event.what.type, thread, cpu});
}

void Group::open(std::size_t event, int thread, int cpu) {
  auto& at = place(events_[event], thread, cpu);
  const int leader = at.descriptors.empty() ? -1 : at.descriptors.front();
  const int descriptor = system_.open(events_[event].what, thread, cpu, leader);
  if (descriptor < 0) throw CountersUnavailable(refusal(-descriptor, events_[event].name));
  at.descriptors.push_back(descriptor);
  at.events.push_back(event);
}

EventCounts Group::count(const std::function<void()>& work) {
  const auto require = [&](int result, const char* what) {
    if (result < 0)
      throw CountersUnavailable(fmt::format("{}: {}: {}", events_.front().name, what, std::strerror(-result)));
  };
  for (const auto& place : places_) require(system_.start(place.descriptors.front()), "cannot be started");
  work();
  for (const auto& place : places_) require(system_.stop(place.descriptors.front()), "cannot be stopped");
  EventCounts counts;
  for (const auto& place : places_) read(place, counts);
  return counts;
}

void Group::read(const Place& place, EventCounts& counts) {
  constexpr std::size_t head = 3;  // number of events, time enabled, time running
  std::vector<std::uint64_t> words(head + place.descriptors.size());
  const auto bytes = system_.read(place.descriptors.front(), words);
  const auto& name = events_[place.events.front()].name;
  if (bytes < 0)
    throw CountersUnavailable(fmt::format("{}: cannot be read: {}", name, std::strerror(static_cast<int>(-bytes))));
  if (static_cast<std::size_t>(bytes) != words.size() * sizeof words[0] || words[0] != place.descriptors.size())
    throw CountersUnavailable(
        fmt::format("{}: the kernel gave {} bytes for {} events: the group fell apart", name, bytes, words[0]));
  const auto enabled = words[1], running = words[2];
  // A thread that slept all the time was never scheduled and counted nothing, so its time of zero is not a share.
  if (enabled > 0 && running < enabled)
    throw CountersUnavailable(
        fmt::format("{}: counted only {:.0f} % of the time, others share the counters (the watchdog? as root: sysctl "
                    "kernel.nmi_watchdog=0)",
                    name, 100.0 * static_cast<double>(running) / static_cast<double>(enabled)));
  for (std::size_t i = 0; i < place.events.size(); ++i)
    counts[events_[place.events[i]].name] += static_cast<double>(words[head + i]);
}

}  // namespace roofline::perf
