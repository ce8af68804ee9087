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

/// "bf16" of "bfloat16", "fp64" of "double", in small letters; empty: the word means no precision.
std::string precision_of_word(const std::string& word);

/// The precision of points that a file does not tell: that of all its compute ceilings, or fp64 without one; empty:
/// they have several, or an unknown one.
std::string precision_of_all(const std::vector<Ceiling>& ceilings);

/// The assumptions about imported ceilings, a line each: precisions, several roofs of one kind, units in names.
std::vector<std::string> doubts_of_roofs(const std::vector<Ceiling>& ceilings, const std::string& origin);

/// The roofs of `before`, and what files call by names of their own, that `after` lacks or has under another precision
/// or level: names between commas. For formats that have no place for everything.
std::string lost_roofs(const Roofline& before, const Roofline& after);

}  // namespace roofline
