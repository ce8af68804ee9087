#pragma once
#include <map>
#include <optional>
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

/// Whether a text holds tables of `likwid-perfctr -O`, also behind what the measured program printed.
bool is_likwid_csv(const std::string& text);

/// Events per region of LIKWID's CSV, per call of the region, summed over cores and over units of the uncore.
///
/// Read are the tables "Group N Raw" of likwid-perfctr 4.0 to 5.5 and those of likwid-mpirun. Calls of a region stand
/// above its table ("call count") or in it ("Region calls"). Several groups of a region complement each other; of an
/// event in more than one the first group counts. Runs appended to one file are averaged by their calls.
///
/// Throws FileError, one line with the place: no such table, a number that is none, fewer rows or cores than announced,
/// counts of no region that cannot be one launch (two runs, or groups that took turns).
ImportedEvents parse_likwid_csv(const std::string& text, const std::string& file);

/// Throws FileError, "FILE:LINE: WHAT".
[[noreturn]] void refuse_line(const std::string& file, int line, const std::string& what);

/// A count as another program wrote it; absent for what perf and LIKWID write where there is none. Throws FileError on
/// anything else that is no count of a counter of 64 bits.
std::optional<double> event_count(const std::string& text, const std::string& event, const std::string& file, int line);
/// The same where counts have no fraction: "4.096" is 4096 of another language.
std::optional<double> whole_count(const std::string& text, const std::string& event, const std::string& file, int line);

}  // namespace roofline::perf
