#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/counters/perf/system.hpp"

namespace roofline::perf {

/// An event and where it is counted: by the threads of this process, or, of an uncore unit, once on each CPU that
/// stands for a socket.
struct Event {
  std::string name;
  Attribute what;
  std::vector<int> cpus = {};  ///< empty: threads
};

/// Counts by the names of events; of an event in several places their sum.
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

  /// What the events count during `work`. Throws CountersUnavailable when a count is not of the whole time, or cannot
  /// be read.
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
