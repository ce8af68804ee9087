#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// How the FLOPs of a stored run are counted: `--division-flops=`.
struct FlopConvention {
  enum class Kind {
    canonical,  ///< a division is one FLOP, as the run counted
    fixed,      ///< a division is `per_division` FLOPs
    measured,   ///< what the hardware or the executed instructions made of the row's divisions
  };
  Kind kind = Kind::canonical;
  unsigned per_division = 1;
};

/// Its text in --help.
inline constexpr const char* division_flops_help =
    "FLOPs of a division: 1 (canonical), K (of its expansion), or measured (by counters or execution)";

/// "1", "11", "measured". Throws std::invalid_argument, one line.
FlopConvention parse_flop_convention(const std::string& text);

/// The same run by another account: rate and intensities of a row with divisions by the same factor, so the point moves
/// along the diagonal, and the efficiencies of the new counts. Nothing is measured again.
///
/// FLOPs and ceiling must be of one account: a division of k FLOPs is compared with the units that expand it, as k/2
/// FMA and for an odd k one multiplication, and no longer with the divider. Rows without what "measured" asks for
/// keep the canonical account; a warning says how many. Rows of another account than the canonical one, which are as a
/// file counted them, stay as they are. Checks and verdict stay those of the run.
Results by_account(Results results, const FlopConvention& account);

}  // namespace roofline
