#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// A run's roofs as roofline.json of the Empirical Roofline Toolkit, in the form of 2019 and later: GFLOP/s of each
/// precision, GB/s of each level from near to far, theoretical values where they are known.
std::string ert_json(const Results& results);

/// Reads it, of any year: damaged and unknown keys are ignored, host names and constants in every form that occurs.
/// Levels are ordinal there (named by their rank, not by the machine's caches), and the results carry that warning.
/// Throws FileError with origin, JSON pointer and reason.
Results parse_ert_json(const std::string& text, const std::string& origin);

}  // namespace roofline
