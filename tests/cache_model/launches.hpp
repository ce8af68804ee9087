#pragma once
#include <functional>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/cache_model/sampler.hpp"

namespace roofline::testing {

/// Caches of a usual core, without what it shares.
inline CacheHierarchy two_levels(unsigned line = 64) {
  return CacheHierarchy({{MemoryLevel::L1, 32 << 10, 8, line}, {MemoryLevel::L2, 1 << 20, 16, line}});
}
/// One set of two ways above one of eight.
inline CacheHierarchy two_sets() { return CacheHierarchy({{MemoryLevel::L1, 128, 2}, {MemoryLevel::L2, 512, 8}}); }

/// A launch of `body` at all elements, in packs, in so many chunks.
template <int W = counted_lanes, class Body>
std::function<void(Sampler&)> in_chunks(Index chunks, Index per_chunk, Body body) {
  return [=](Sampler& sampler) {
    Counting<true, W> space(sampler);
    space.parallel(chunks, [&](Index i) { space.lanes(i * per_chunk, (i + 1) * per_chunk, body); });
  };
}

}  // namespace roofline::testing
