#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"

namespace roofline {

/// The effect of plain stores that miss on DRAM: read the line first (allocate), or leave that out if they overwrite
/// the whole line (evade). It depends on the number of threads: Intel's SpecI2M works only near saturation of the
/// memory.
struct StorePolicy {
  enum class Outcome { unknown, allocates, evades };
  Outcome outcome = Outcome::unknown;
  double evaded = 0;  ///< share of the overwritten lines that are not read, 0..1; 0 unless stores evade
  int threads = 0;
  // The ceilings of DRAM behind it in B/s, at 16 B moved per element: 8 B of write_nt.
  std::optional<double> write, update, write_nt;
  std::string why;  ///< where it is unknown
};

/// The evidence of a CPU's measured ceilings about its stores.
///
/// Where stores allocate, `write` and `update` both move 16 B per element, and `write_nt` 8 B. Stated in these bytes a
/// rate of `write` above the rate of the other two shows that not all of them were moved: with 16 - 8 e B at equal
/// bandwidth e = 2 (1 - max(update, write_nt) / write). This is called evasion only if the ends of all intervals agree
/// on more than 15 %, so from e = 0.26 on; on machines that allocate, write / update was 0.77 to 1.01. Streaming stores
/// alone tell nothing: on virtual Cascade Lakes they are slower than plain ones that allocate. e is too small if memory
/// takes writes alone more slowly than writes and reads.
///
/// Sources: arXiv 2409.08108 (Grace evades nearly all, Sapphire Rapids a part near saturation, Genoa nothing), arXiv
/// 2311.04797 (SpecI2M of Ice Lake: nothing in serial code, full lines of stores only).
StorePolicy store_policy(const std::vector<Ceiling>& ceilings, int threads);

/// The ceilings with the bytes that this policy moved. It changes, for its number of threads, the plain mixes of DRAM
/// that store to lines which they do not read (write, copy, triad). `bytes_per_explicit_byte` says which account a rate
/// is in, so restating twice changes nothing.
std::vector<Ceiling> restated(std::vector<Ceiling> ceilings, const StorePolicy& policy);

/// Counts with the bytes that DRAM moves by this policy: the evaded share of overwritten bytes, in whole bytes, is not
/// read. Bytes between caches stay the same, because the sources have measured only the traffic of memory and do not
/// say whether a line without data saves traffic between caches. Nothing changes if the bytes of DRAM were counted, or
/// restated before.
Counts restated(Counts counts, const StorePolicy& policy);

}  // namespace roofline
