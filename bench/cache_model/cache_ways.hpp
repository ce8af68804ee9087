#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <experimental/simd>
#include <iterator>
#include <vector>

namespace roofline {

/// The state of a line's sectors, one bit per sector. A sector may be dirty without being valid: then only some of its
/// bytes are known.
struct CachedLine {
  std::uint8_t valid = 0, dirty = 0;
};

inline constexpr std::uint32_t no_line = ~std::uint32_t{0};  ///< in place of a line's number
inline constexpr unsigned no_way = ~0u;

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

/// Sets of hundreds of ways, as the L1 of Volta has four of: searched by tags of 16 bits side by side, vector by
/// vector. A table of hashes would look at less, but at places that the host's caches have to be asked for one after
/// another; and the model has an L1 for each SM.
class ManyWays {
 public:
  ManyWays(std::uint32_t sets, unsigned ways)
      : ways_(ways),
        pitch_((ways + lanes - 1) / lanes * lanes),
        tags_(std::size_t{sets} * pitch_),
        numbers_(tags_.size(), no_line),
        lines_(tags_.size()),
        links_(tags_.size()),
        newest_(sets) {
    for (std::size_t slot = 0; slot < links_.size(); ++slot) {
      const auto way = slot % pitch_;
      links_[slot].older = static_cast<std::uint16_t>((way + 1) % ways);
      links_[slot].newer = static_cast<std::uint16_t>((way + ways - 1) % ways);
    }
  }

  /// The way that holds a line; no_way when none does.
  unsigned find(std::uint32_t set, std::uint32_t number) const {
    const auto first = std::size_t{set} * pitch_;
    const Tags wanted(tag_of(number));
    for (unsigned way = 0; way < ways_; way += lanes) {
      auto same = Tags(&tags_[first + way], std::experimental::element_aligned) == wanted;
      while (any_of(same)) {  // once, but for other lines of the same tag
        const auto lane = static_cast<unsigned>(find_first_set(same));
        if (numbers_[first + way + lane] == number) return way + lane;
        same[lane] = false;
      }
    }
    return no_way;
  }
  std::uint32_t number(std::uint32_t set, unsigned way) const { return numbers_[std::size_t{set} * pitch_ + way]; }
  CachedLine& line(std::uint32_t set, unsigned way) { return lines_[std::size_t{set} * pitch_ + way]; }
  /// The way that was used least recently; empty ones come before all.
  unsigned oldest(std::uint32_t set) const { return links_[std::size_t{set} * pitch_ + newest_[set]].newer; }

  void put(std::uint32_t set, unsigned way, std::uint32_t number) {
    const auto slot = std::size_t{set} * pitch_ + way;
    tags_[slot] = tag_of(number);
    numbers_[slot] = number;
  }
  void make_newest(std::uint32_t set, unsigned way) {
    const auto head = newest_[set], now = static_cast<std::uint16_t>(way);
    if (head == now) return;
    newest_[set] = now;
    Link* const ring = &links_[std::size_t{set} * pitch_];
    if (ring[head].newer == now) return;  // it was the oldest: turning the ring is enough
    auto& link = ring[way];
    ring[link.newer].older = link.older;
    ring[link.older].newer = link.newer;
    link.older = head;
    link.newer = ring[head].newer;
    ring[link.newer].older = now;
    ring[head].newer = now;
  }

 private:
  using Tags = std::experimental::native_simd<std::uint16_t>;
  static constexpr unsigned lanes = Tags::size();
  /// In a ring: the newest one's `newer` is the oldest.
  struct Link {
    std::uint16_t newer = 0, older = 0;
  };

  static std::uint16_t tag_of(std::uint32_t number) {
    return static_cast<std::uint16_t>(number * 0x9e3779b1u >> 16);  // Fibonacci hashing
  }

  unsigned ways_, pitch_;
  std::vector<std::uint16_t> tags_;  ///< sets x pitch, as the three after it; there are none behind `ways`
  std::vector<std::uint32_t> numbers_;
  std::vector<CachedLine> lines_;
  std::vector<Link> links_;
  std::vector<std::uint16_t> newest_;  ///< way, of each set
};

}  // namespace roofline
