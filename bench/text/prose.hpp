#pragma once
#include <string>

namespace roofline {

/// A description as a source file has it, in lines of at most 100 characters. A line that was broken because it was
/// full goes on in the next one; formulas, glossaries ("nw      frequencies per visit") and "Look at:" keep their
/// lines.
std::string fit_to_terminal(const std::string& text);

}  // namespace roofline
