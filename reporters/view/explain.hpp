#pragma once
#include <string>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// One resource of a kernel: what it would need by itself.
struct ResourceShare {
  Resource resource;
  double share = 0;                ///< of the kernel's time, at the ceiling of its own mix
  double unpaired = 0;             ///< of this share for unpaired lines of DRAM
  double gathered = 0, split = 0;  ///< of this share for gathers and split loads of L1
};

/// The resources of a point that are known, the one that needs most first.
std::vector<ResourceShare> resource_shares(const Roofline& roofline, const KernelPoint& point);

/// What bounds a point, by how much, and what would lift it: one or two plain sentences.
std::string explain(const Roofline& roofline, const KernelPoint& point);

/// "instruction issue", "the divider", "DRAM": a resource in words.
std::string in_words(const Resource& resource);

}  // namespace roofline
