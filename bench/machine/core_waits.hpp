#pragma once
#include <optional>
#include <string_view>
#include <vector>

namespace roofline {

/// Seconds that each thread of the OpenMP team has waited, since it began, for a core on which something else ran: the
/// second figure of its schedstat (proc(5); run_delay in the kernel's documentation of scheduler statistics). Empty
/// where the system does not tell. Some microseconds per thread.
std::vector<double> core_waits();

/// Those seconds from the text of a schedstat; absent when there are no three figures.
std::optional<double> parse_schedstat(std::string_view text);

/// What the thread that waited most waited between two looks; 0 where one of them is empty or of another team. Where
/// all threads have the same work and meet at its end, without that waiting it would have ended at most so much
/// earlier.
double most_waited(const std::vector<double>& before, const std::vector<double>& after);

}  // namespace roofline
