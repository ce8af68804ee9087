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

/// Reads the output of `perf stat -j` (one JSON object a line), of `perf stat -x` with any separator, or LIKWID's CSV
/// (`likwid-perfctr -O`). Events are called EVENT_UMASK in capitals, as in LIKWID. Counts of several cores or sockets
/// are added up. Regions of LIKWID's marker interface must be named like rows and are divided by their calls.
///
/// Throws FileError, one line with the place: the format is not known, a value is not a number, or a count covers only
/// part of the time. Counts that the program did not get ("<not counted>", "-", "nan") are absent. A sum that needs one
/// of them is absent too, which is reported on standard error.
ImportedEvents parse_cpu_counters(const std::string& text, const std::string& file);

/// The common name of an event for both programs: in capitals, with one underscore for every other character.
std::string plain_event_name(const std::string& event);

/// Values that follow from imported events by a table's formulas.
CpuValues values_of(const EventCounts& events, const std::vector<Formula>& formulas);

/// Whether a text holds tables of `likwid-perfctr -O`, also behind what the measured program printed.
bool is_likwid_csv(const std::string& text);

/// Events per region of LIKWID's CSV, per call of the region, summed over cores and over units of the uncore.
///
/// Reads the tables "Group N Raw" of likwid-perfctr 4.0 to 5.5 and the tables of likwid-mpirun. Calls of a region stand
/// above its table ("call count") or in it ("Region calls"). Several groups of a region complement each other; for an
/// event in more than one, the first group counts. Runs appended to one file are averaged by their calls.
///
/// Throws FileError, one line with the place: the table is missing, a value is not a number, there are fewer rows or
/// cores than announced, or counts without a region cannot be one launch (two runs, or groups that took turns).
ImportedEvents parse_likwid_csv(const std::string& text, const std::string& file);

/// Throws FileError, "FILE:LINE: WHAT".
[[noreturn]] void refuse_line(const std::string& file, int line, const std::string& what);

/// A count as another program wrote it; absent for the text that perf and LIKWID write in place of a missing count.
/// Throws FileError on anything else that cannot be the value of a 64-bit counter.
std::optional<double> event_count(const std::string& text, const std::string& event, const std::string& file, int line);
/// The same where counts have no fraction: "4.096" is 4096 of another language.
std::optional<double> whole_count(const std::string& text, const std::string& event, const std::string& file, int line);

}  // namespace roofline::perf
