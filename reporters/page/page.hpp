#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// report.html: one page with everything a run knows, in one file that needs no network. Names from outside are data in
/// it, never markup.
std::string html_page(const Results& results);

/// The data of the page, as JSON that may stand inside a script element: no '<', '>' or '&' in it.
std::string page_data(const Results& results);

}  // namespace roofline
