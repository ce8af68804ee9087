#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// The tables of the terminal as GitHub-flavoured Markdown: for a README or the step summary of a CI run.
std::string efficiency_markdown(const Results& results);

}  // namespace roofline
