#pragma once
#include <optional>
#include <string>

namespace roofline::perf {

/// Throws FileError, "FILE:LINE: WHAT".
[[noreturn]] void refuse_line(const std::string& file, int line, const std::string& what);

/// A count as another program wrote it; absent for what perf and LIKWID write where there is none. Throws FileError on
/// anything else that is no count of a counter of 64 bits.
std::optional<double> event_count(const std::string& text, const std::string& event, const std::string& file, int line);
/// The same where counts have no fraction: "4.096" is 4096 of another language.
std::optional<double> whole_count(const std::string& text, const std::string& event, const std::string& file, int line);

}  // namespace roofline::perf
