// Formats of a run: written, and those of other programs read.
#pragma once
#include <string>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// One row per kernel point, RFC 4180, numbers in full precision (they read back to the same bits).
///
/// Columns bear the names of the counters in run.json; units are SI: seconds, bytes, FLOP, FLOP/s, FLOP/B. Counts are
/// of one launch, `written_<level>` is the written part of `bytes_<level>`, efficiencies are fractions and never
/// clamped, flags are 0 or 1. Unknown values are empty fields: kinds of operations that nobody counted, and times,
/// FLOPs and bytes of a launch if a file has only a rate and intensities. Modelled points have `time_bound` in place of
/// `time_median`, and `bytes_<level>_low` and `_high` where the model gives an interval.
std::string efficiency_csv(const Results& results);

/// Points of an efficiency.csv, without ceilings. Columns may be in any order, unknown ones are ignored. Throws
/// FileError with origin, line and column.
Results parse_run_csv(const std::string& text, const std::string& origin);

/// The tables of the terminal as GitHub-flavoured Markdown: for a README or the step summary of a CI run.
std::string efficiency_markdown(const Results& results);

/// Every table of a run, the plot, checks and remarks, in tables of `width` columns. `utf8` allows line-drawing
/// characters.
std::string everything_text(const Results& results, bool utf8, std::size_t width = terminal_width);

/// A run's roofs as roofline.json of the Empirical Roofline Toolkit, in the form of 2019 and later: GFLOP/s of each
/// precision, GB/s of each level from near to far, theoretical values where they are known.
std::string ert_json(const Results& results);

/// Reads it, of any year: damaged and unknown keys are ignored, host names and constants in every form that occurs.
/// Levels are ordinal there (named by their rank, not by the machine's caches), and the results carry that warning.
/// Throws FileError with origin, JSON pointer and reason.
Results parse_ert_json(const std::string& text, const std::string& origin);

/// Input of the plotting scripts of two NERSC talks, data.txt: roofs in GB/s and GFLOP/s with names, and points by
/// arithmetic intensity.

/// Keys of the points: FLOPS is what the public scripts read, GFLOPs what the talks show.
enum class DataTxtForm { scripts, talk };

/// A run as data.txt: roofs, and the points that have an intensity, flat (at the outermost level of each) and by level;
/// "nan" stands for a level that a point has no bytes at.
std::string data_txt(const Results& results, DataTxtForm form = DataTxtForm::scripts);

/// Reads it: both spellings, flat and hierarchical points, names with blanks, without blanks between them, or in
/// typographic quotes, comments, surplus labels. Points have a rate and no time; their FLOPs are as the file counts
/// them. Roofs called theoretical are the theory of those beside them. Throws FileError with origin, line and reason.
Results parse_data_txt(const std::string& text, const std::string& origin);

}  // namespace roofline
