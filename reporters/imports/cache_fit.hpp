#pragma once
#include <map>
#include <optional>
#include <string>

#include "bench/model/counts.hpp"

namespace roofline {

/// Where a set of bytes stays that is gone through again and again: one rule for every reader.
struct CacheFit {
  std::optional<MemoryLevel> cache;  ///< the nearest that is known to hold it
  bool doubtful = false;             ///< caches are not known, and the last one of some machine would hold it
};

/// `caches`: bytes that one launch has of each; empty: not known. A set of 0 bytes is not known either.
CacheFit cache_fit(double bytes, const std::map<MemoryLevel, double>& caches = {});

/// "the 24576 B of an iteration may fit in a cache: ...", for a set that does not need DRAM. `bytes` names the size and
/// the set.
std::string may_fit(const std::string& bytes);

}  // namespace roofline
