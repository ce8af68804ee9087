#pragma once
#include <map>
#include <string>

#include "bench/counters/perf/event_table.hpp"

namespace roofline::perf {

/// Events of one launch that another program counted, by row; "" stands for the one row of the run.
using ImportedEvents = std::map<std::string, EventCounts>;

/// Whether a file is one of those below, told by its beginning; anything else is for other readers.
bool is_cpu_counters(const std::string& text);

/// Reads what `perf stat -j` prints (one JSON object a line), `perf stat -x` with any separator, or LIKWID's CSV
/// (`likwid-perfctr -O`). Events are called EVENT_UMASK in capitals, as LIKWID does; of several cores or sockets they
/// are added up. Regions of LIKWID's marker interface must be named like rows and are divided by their calls.
///
/// Throws FileError, one line with the place: no such format, a number that is none, counts of only part of the time.
/// Counts that the program did not get ("<not counted>", "-", "nan") are absent, and so is a sum that one of them is a
/// part of, which is said on standard error.
ImportedEvents parse_cpu_counters(const std::string& text, const std::string& file);

/// The name in capitals with one underscore for every other sign: what both programs call an event.
std::string plain_event_name(const std::string& event);

/// Values that follow from imported events by a table's formulas.
CpuValues values_of(const EventCounts& events, const std::vector<Formula>& formulas);

}  // namespace roofline::perf
