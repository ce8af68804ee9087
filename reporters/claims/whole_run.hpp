#pragma once
#include <optional>
#include <string>

#include "reporters/claims/facts.hpp"

namespace roofline::claims {

// Figures that belong to no single row. Absent where the run cannot tell.

/// pairs[...]: pairs of rows of which the first is slower in FLOP/s and better used by ten percentage points.
/// rank[...]: Spearman's correlation of intensity at DRAM and FLOP/s. spread[largest]: of a roof, 1 - lowest / highest
/// of its rounds. verified[ROW]: 1 where the row has a result, which none has before it was compared with the
/// reference.
std::optional<Fact> of_whole_run(const Results& run, const std::string& kind, const std::string& subject);

/// data_txt[fma], data_txt[DRAM], data_txt[ROW @DRAM] (FLOP/B), ert_json[DRAM]: what comes back after the run was
/// written in that format and read again.
std::optional<Fact> of_round_trip(const Results& run, const std::string& kind, const std::string& subject);

}  // namespace roofline::claims
