#pragma once

namespace roofline {

/// The cache into which a loop requests lines before it loads them. The values are those of __builtin_prefetch's
/// locality; `none` requests nothing. Requests of loads train the prefetchers of the core; lines that were prefetched
/// into L1 hide its misses from them.
enum class Prefetch { none = 0, into_l2 = 2, into_l1 = 3 };

/// Asks for the line of an address, which need not be one of an array's: nothing is read.
template <Prefetch into>
[[gnu::always_inline]] inline void prefetch_line(const void* address) {
  if constexpr (into != Prefetch::none) __builtin_prefetch(address, 0, static_cast<int>(into));
}

}  // namespace roofline
