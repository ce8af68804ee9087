#pragma once
#include <string>

#include "bench/result/results.hpp"
#include "reporters/claims/case_study_text.hpp"

namespace roofline::claims {

/// The rows of a study on this run's roofs at DRAM, and the published roofs and points in grey, as one SVG element.
std::string case_study_plot(const StudyText& study, const Results& results);

}  // namespace roofline::claims
