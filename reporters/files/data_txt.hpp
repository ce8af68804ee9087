#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// Input of the plotting scripts of two NERSC talks, data.txt: roofs in GB/s and GFLOP/s with names, and points by
/// arithmetic intensity.

/// Keys of the points: FLOPS is what the public scripts read, GFLOPs what the talks show.
enum class DataTxtForm { scripts, talk };

/// A run as data.txt: roofs, and the points that have an intensity, flat (at the outermost level of each) and by level;
/// "nan" stands for a level that a point has no bytes at.
std::string data_txt(const Results& results, DataTxtForm form = DataTxtForm::scripts);

/// Reads it: both spellings, flat and hierarchical points, names with blanks, without blanks between them, or in
/// typographic quotes, comments, surplus labels. Points are given one second, which nobody measured. Throws FileError
/// with origin, line and reason.
Results parse_data_txt(const std::string& text, const std::string& origin);

}  // namespace roofline
