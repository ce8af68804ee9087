#pragma once
#include <array>
#include <cstdint>
#include <experimental/simd>
#include <vector>

#include "bench/simulator/device.hpp"

namespace roofline {

/// Tags and states of a set-associative cache whose lines are filled sector by sector.
///
/// Sets may have hundreds of ways (an L1 of Volta has four sets): their lines are found by a hash table with chains,
/// and every set keeps its lines in the order of their use, so that an access costs the same whatever the number of
/// ways. What an access looks at lies apart from what it seldom needs: a model of 80 SMs should stay in the host's
/// caches.
class SectoredCache {
 public:
  using Bytes = std::array<std::uint32_t, 4>;  ///< of each sector, bit per byte
  /// A line: what is known of its sectors, bit per sector. One may be dirty without being valid: only some of its bytes
  /// are known.
  class Line {
   public:
    std::uint8_t valid = 0, dirty = 0;

   private:
    friend class SectoredCache;
    std::uint16_t newer = 0, older = 0;  // ways of the set, in a ring: the newest one's `newer` is the oldest
  };
  static constexpr std::uint32_t no_line = ~std::uint32_t{0};

  /// `ways` may be fewer than the geometry's: what shared memory leaves of an L1.
  SectoredCache(const SectoredGeometry& geometry, unsigned ways);

  /// A line, which becomes the most recently used one. When it is absent, `make_room(number, line, bytes)` is called
  /// with what has to go for it (`bytes`: written, of its dirty sectors), number no_line when a way was free, and it
  /// comes in with nothing known.
  template <class MakeRoom>
  Line& get(std::uint32_t number, MakeRoom make_room) {
    const auto set = set_of(number);
    auto slot = chains_.empty() ? scan(set, number) : look_up(number);
    const bool absent = slot == no_slot;
    if (absent) {
      slot = victim(set);
      make_room(numbers_[slot], lines_[slot], bytes_[slot]);
      if (!chains_.empty()) move(slot, number);
      numbers_[slot] = number;
      lines_[slot].valid = lines_[slot].dirty = 0;
    }
    make_newest(set, slot);
    return lines_[slot];
  }

  /// Has the host fetch what get() of a line will look at first.
  void prefetch(std::uint32_t number) const {
    if (!chains_.empty()) return __builtin_prefetch(&chain(number));
    const auto set = set_of(number), first = set * ways_;
    __builtin_prefetch(&numbers_[first]);
    __builtin_prefetch(&newest_[set]);
    __builtin_prefetch(&lines_[first]);
    __builtin_prefetch(&lines_[first + ways_ - 1]);
  }
  /// And what it will look at then, in a cache of many ways: a while after prefetch(), which waits for that.
  void prefetch_slot(std::uint32_t number) const {
    if (chains_.empty()) return;
    auto slot = chain(number);
    if (slot == no_slot) slot = oldest_of(set_of(number));
    __builtin_prefetch(&numbers_[slot]);
    __builtin_prefetch(&next_[slot]);
    __builtin_prefetch(&lines_[slot]);
  }

  /// Adds `bytes` to the sectors of a line of this cache, which become dirty; those known completely become valid.
  void write(Line& line, std::uint8_t sectors, const std::uint32_t* bytes);

 private:
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};
  static constexpr unsigned few_ways = 16;  ///< up to here a set is searched

  std::uint32_t set_of(std::uint32_t number) const {
    if (set_index_ == SetIndex::modulo) return number % sets_;
    std::uint32_t hash = number * 0x9e3779b1u;  // Fibonacci hashing, mixed once more; the high bits choose the set
    hash ^= hash >> 15;
    hash *= 0x85ebca6bu;
    return static_cast<std::uint32_t>(std::uint64_t{hash} * sets_ >> 32);
  }
  std::uint32_t& chain(std::uint32_t number) { return chains_[number * 0x9e3779b1u >> chain_shift_]; }
  const std::uint32_t& chain(std::uint32_t number) const { return chains_[number * 0x9e3779b1u >> chain_shift_]; }
  std::uint32_t oldest_of(std::uint32_t set) const { return set * ways_ + lines_[set * ways_ + newest_[set]].newer; }
  std::uint32_t look_up(std::uint32_t number) {
    auto slot = chain(number);
    while (slot != no_slot && numbers_[slot] != number) slot = next_[slot];
    return slot;
  }
  std::uint32_t scan(std::uint32_t set, std::uint32_t number) const {
    // Always as many as few_ways, which is one comparison of vectors: a line is in no set but its own.
    namespace simd = std::experimental;
    using Numbers = simd::fixed_size_simd<std::uint32_t, few_ways>;
    const auto first = set * ways_;
    const auto same = Numbers(&numbers_[first], simd::element_aligned) == Numbers(number);
    return simd::any_of(same) ? first + static_cast<std::uint32_t>(simd::find_first_set(same)) : no_slot;
  }
  /// The slot that a new line of a set takes: the least recently used one (empty ones come before all), or any.
  std::uint32_t victim(std::uint32_t set) {
    const auto first = set * ways_;
    const auto oldest = oldest_of(set);
    if (replacement_ == Replacement::lru || numbers_[oldest] == no_line) return oldest;
    random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;  // xorshift64, fixed seed
    return static_cast<std::uint32_t>(first + random_ % ways_);
  }
  /// From the chain of the line that a slot holds to that of another.
  void move(std::uint32_t slot, std::uint32_t number) {
    if (numbers_[slot] != no_line) {
      auto* link = &chain(numbers_[slot]);
      while (*link != slot) link = &next_[*link];
      *link = next_[slot];
    }
    auto& first = chain(number);
    next_[slot] = first;
    first = slot;
  }
  void make_newest(std::uint32_t set, std::uint32_t slot) {
    const auto head = newest_[set];
    const auto way = static_cast<std::uint16_t>(slot - set * ways_);
    if (head == way) return;
    newest_[set] = way;
    Line* const ring = &lines_[set * ways_];
    if (ring[head].newer == way) return;  // it was the oldest: turning the ring is enough
    auto& line = ring[way];
    ring[line.newer].older = line.older;
    ring[line.older].newer = line.newer;
    line.older = head;
    line.newer = ring[head].newer;
    ring[line.newer].older = way;
    ring[head].newer = way;
  }

  Replacement replacement_;
  SetIndex set_index_;
  std::uint32_t ways_, sets_;
  std::vector<std::uint32_t> numbers_;  ///< of the line in each slot: sets x ways, and a vector more
  std::vector<Line> lines_;             ///< of each slot
  std::vector<Bytes> bytes_;            ///< of each slot
  std::vector<std::uint16_t> newest_;   ///< way, of each set
  std::vector<std::uint32_t> chains_;   ///< first slot of each; twice as many as lines; none with few ways
  std::vector<std::uint32_t> next_;     ///< slot in the same chain, of each slot
  unsigned chain_shift_ = 0;
  std::uint64_t random_ = 0x9e3779b97f4a7c15;
};

}  // namespace roofline
