#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <experimental/simd>
#include <iterator>
#include <vector>

#include "bench/cache_model/cached_line.hpp"

namespace roofline {

/// Sets of up to 16 ways, each in two lines of the host: one to search, one with what is known of its lines and the
/// order of their use.
class FewWays {
 public:
  static constexpr unsigned most = 16;

  FewWays(std::uint32_t sets, unsigned ways) : ways_(ways), sets_(sets) {}

  /// The way that holds a line; no_way when none does.
  unsigned find(std::uint32_t set, std::uint32_t number) const {
    namespace simd = std::experimental;
    using Numbers = simd::fixed_size_simd<std::uint32_t, most>;
    const auto same = Numbers(sets_[set].numbers, simd::element_aligned) == Numbers(number);
    return simd::any_of(same) ? static_cast<unsigned>(simd::find_first_set(same)) : no_way;
  }
  std::uint32_t number(std::uint32_t set, unsigned way) const { return sets_[set].numbers[way]; }
  CachedLine& line(std::uint32_t set, unsigned way) { return sets_[set].lines[way]; }
  /// The way that was used least recently; empty ones come before all.
  unsigned oldest(std::uint32_t set) const { return sets_[set].order >> 4 * (ways_ - 1) & 0xf; }

  void put(std::uint32_t set, unsigned way, std::uint32_t number) { sets_[set].numbers[way] = number; }
  void make_newest(std::uint32_t set, unsigned way) {
    constexpr std::uint64_t ones = 0x1111111111111111;
    auto& order = sets_[set].order;
    // Its digit is the lowest that is zero here: the borrow of a subtraction shows it.
    const auto others = order ^ way * ones;
    const auto at = std::countr_zero((others - ones) & ~others & ones << 3) & ~3;
    const auto up_to = (std::uint64_t{16} << at) - 1, newer = up_to >> 4;
    order = (order & ~up_to) | (order & newer) << 4 | way;
  }

  /// Has the host fetch a set. Inlined, as all that only calls it: GCC 12 takes prefetches for nothing, and leaves out
  /// calls of functions that do nothing else.
  [[gnu::always_inline]] void prefetch(std::uint32_t set) const {
    __builtin_prefetch(&sets_[set]);
    __builtin_prefetch(&sets_[set].lines);
  }

 private:
  struct alignas(64) Set {
    std::uint32_t numbers[most];
    alignas(64) CachedLine lines[most];
    std::uint64_t order = 0xfedcba9876543210;  ///< ways from the newest to the oldest, four bits each
    Set() { std::fill(std::begin(numbers), std::end(numbers), no_line); }
  };
  unsigned ways_;
  std::vector<Set> sets_;
};

}  // namespace roofline
