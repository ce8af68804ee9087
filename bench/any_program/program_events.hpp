#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "bench/any_program/program_rows.hpp"
#include "bench/counters/perf/event_table.hpp"
#include "bench/counters/perf/group.hpp"

namespace roofline::any_program {

/// Hardware events of a program and of all threads and processes that it starts, from its exec on, at user level.
/// Events of memory controllers belong to the whole machine.
class ProgramEvents {
 public:
  /// Counts a child that has not yet called exec. Throws perf's CountersUnavailable.
  ProgramEvents(const std::vector<perf::Event>& events, pid_t child);
  ~ProgramEvents();
  ProgramEvents(const ProgramEvents&) = delete;
  ProgramEvents& operator=(const ProgramEvents&) = delete;

  /// When it has ended. Throws CountersUnavailable where an event was not counted all the time.
  perf::EventCounts counts() const;

 private:
  void close();
  std::vector<std::pair<std::string, int>> opened_;  ///< event, descriptor
};

/// FLOPs and bytes of DRAM as hardware has counted them, next to what was counted and modelled of all rows: a line
/// each, with their ratio, and from 1.2 or 0.8 on the known cause where there is one.
std::vector<std::string> hardware_next_to(const std::vector<ProgramRow>& rows, const perf::CpuValues& hardware);

}  // namespace roofline::any_program
