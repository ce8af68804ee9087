#pragma once
#include <map>
#include <optional>
#include <string>

#include "bench/model/counts.hpp"

namespace roofline {

/// Where a set of bytes stays that is gone through again and again: one rule for every reader.
struct CacheFit {
  std::optional<MemoryLevel> cache;  ///< the nearest that is known to hold it
  bool doubtful = false;             ///< a cache may hold it, but the file does not list one that does
};

/// `bytes`: those that are moved, which are twice the set where each is read and written; 0: not known. `caches`: bytes
/// that one launch has of each. `largest`: bytes of a cache beyond L3.
CacheFit cache_fit(double bytes, const std::map<MemoryLevel, double>& caches = {}, double largest = 0);

/// "the 24576 B of an iteration may fit in a cache: ...", for a set that does not need DRAM. `bytes` names the size and
/// the set.
std::string may_fit(const std::string& bytes);

}  // namespace roofline
