#pragma once
#include <optional>
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// Half the interval of a share, in points: "1.3"; "-" with too few rounds.
std::string half_width_text(const std::optional<Judgement>& judgement);

/// Whether the share of a measured point is above every roof in all rounds: a count or the model is wrong.
bool contradicts(const KernelPoint& point);

/// What the half-widths of a run are of: "half of the 95 % interval over 6 rounds, in points"; with fewer rounds no
/// interval is called 95 %. Empty where no point has one.
std::string rounds_text(const Results& results);

/// How well the shares are known: "Shares hold to +-1.8 % (median; 12 of 14 rows to 5 %; worst: gsrb/fp +-6 %; 6
/// rounds)." in `width` columns, for which names are shortened. Empty where no share has an interval.
std::string precision_text(const Results& results, std::size_t width = 1000);

/// What a drawing says of ceilings that are from another run: "of FILE (6 rounds, 36 of 37 rows to 5 %)".
std::string origin_text(const std::string& file, const Results& run);

}  // namespace roofline
