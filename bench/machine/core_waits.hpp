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

/// Seconds that threads waited between two looks.
struct Waited {
  double longest = 0;  ///< of one thread
  double all = 0;      ///< of all together: their work would have ended no earlier by more, however often they meet
};

/// Absent where a look is empty or of another team.
std::optional<Waited> waited_between(const std::vector<double>& before, const std::vector<double>& after);

}  // namespace roofline
