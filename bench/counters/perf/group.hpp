#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace roofline::perf {

/// The events to count, in the words of perf_event_open(2).
struct Attribute {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
  bool whole_machine = false;  ///< of an uncore unit: it belongs to no thread, and has no user level to restrict it to
};

/// The system calls behind counting, so that tests can answer for a kernel. Failures are negative errno values.
class System {
 public:
  virtual ~System() = default;
  /// A descriptor of a counter that does not count yet. `thread` -1 with a CPU, or a thread with CPU -1; `leader` -1
  /// opens a group. Threads are counted at user level only, which needs the least permission.
  virtual int open(const Attribute& what, int thread, int cpu, int leader) = 0;
  /// Resets a group to zero and starts it; or stops it.
  virtual int start(int leader) = 0;
  virtual int stop(int leader) = 0;
  /// The group's words: number of events, time enabled, time running in ns, then a count for each event in the order of
  /// opening. Returns the number of bytes.
  virtual long read(int leader, std::vector<std::uint64_t>& words) = 0;
  virtual void close(int descriptor) = 0;
};

/// The kernel that runs this program; every call gives ENOSYS where it is not Linux.
System& this_kernel();

/// The threads of this process, the caller among them.
std::vector<int> threads_of_this_process();

/// One line for a failure to open `event`: the meaning of the error and the remedy. `paranoid` is the content of
/// /proc/sys/kernel/perf_event_paranoid, empty if the file is missing.
std::string refusal(int error, const std::string& event, const std::string& paranoid);
/// The same with this machine's level.
std::string refusal(int error, const std::string& event);

/// An event and where it is counted: by the threads of this process, or, of an uncore unit, once on each CPU that
/// stands for a socket.
struct Event {
  std::string name;
  Attribute what;
  std::vector<int> cpus = {};  ///< empty: threads
};

/// Counts by the names of events; for an event in several places, the sum.
using EventCounts = std::map<std::string, double>;

/// Events that are counted together or not at all, in every thread of this process. The kernel shares counters between
/// groups that do not fit by taking turns: such counts are estimates, and are refused instead.
class Group {
 public:
  /// Opens all. Throws CountersUnavailable, one line with the suggestion, when one cannot be opened; nothing is left
  /// open.
  Group(System& system, std::vector<Event> events, const std::vector<int>& threads);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  /// The counts of the events during `work`. Throws CountersUnavailable when a count does not cover the whole time, or
  /// cannot be read.
  EventCounts count(const std::function<void()>& work);

 private:
  /// Counters of one PMU in one thread or on one CPU.
  struct Place {
    std::uint32_t type;
    int thread, cpu;
    std::vector<int> descriptors = {};     ///< the first one leads
    std::vector<std::size_t> events = {};  ///< what each of them counts
  };
  Place& place(const Event& event, int thread, int cpu);
  void open(std::size_t event, int thread, int cpu);
  void read(const Place& place, EventCounts& counts);
  void close();

  System& system_;
  std::vector<Event> events_;
  std::vector<Place> places_;
};

}  // namespace roofline::perf
