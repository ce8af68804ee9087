#pragma once
#include <string>
#include <vector>

#include "bench/model/roofline.hpp"

namespace roofline {

/// The precision that a file's name of a roof says.
struct RoofMeaning {
  std::string precision;     ///< "fp32"; empty: it says none; "unknown": several, or words that nobody knows
  bool on_matrices = false;  ///< of tensor cores, MFMA, AMX and the like: no roof of vector instructions
};

/// "FP32 FMA" is fp32, "DP" fp64, "no-FMA" says nothing, "SP/DP", "TC FMA" and "XYZ" are unknown. Words that only name
/// an instruction, a machine's part or a peak say nothing.
RoofMeaning roof_named(const std::string& label);

/// The assumptions about the precisions of imported compute ceilings, a line each.
std::vector<std::string> doubts_of_roofs(const std::vector<Ceiling>& ceilings, const std::string& origin);

/// The roofs of `before`, and what files call by names of their own, that `after` lacks or has under another precision
/// or level: names between commas. For formats that have no place for everything.
std::string lost_roofs(const Roofline& before, const Roofline& after);

}  // namespace roofline
