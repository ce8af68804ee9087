#pragma once
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"

namespace roofline {

/// A ceiling that another one, or theory, says cannot be the machine's best.
struct Suspicion {
  std::string name;  ///< of the ceiling
  std::string why;   ///< "below ceiling/flops/fp64/nofma/...", one clause
  double rate = 0;   ///< what it should have at least
};

/// What physics says of ceilings among one another: FMA is no slower than what it replaces, wide vectors no slower than
/// narrow ones, all cores no slower than one, a near level no slower to read than a far one, and where theory is known,
/// a full-rate one is above 85 % of it and a single dependent chain above 95 %. Samples of which most were disturbed
/// are suspect without that. Each ceiling is named once. Worth a second look, no proof: some CPUs lower their clock for
/// wide vectors.
std::vector<Suspicion> suspicious_ceilings(const std::vector<Ceiling>& ceilings);

}  // namespace roofline
