#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/counters/device.hpp"

namespace roofline {

/// Tags and states of a set-associative cache whose lines are filled sector by sector.
///
/// Sets may have hundreds of ways (an L1 of Volta has four sets): their lines are found by a hash table, and every set
/// keeps its lines in the order of their use, so that an access costs the same whatever the number of ways.
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
    std::uint32_t number = no_line;
  };
  struct Evicted {
    std::uint32_t line;
    std::uint8_t valid, dirty;
    Bytes bytes;  ///< written, of dirty sectors
  };

  /// `ways` may be fewer than the geometry's: what shared memory leaves of an L1.
  SectoredCache(const SectoredGeometry& geometry, unsigned ways);

  /// A line that is present, which becomes the most recently used one; else null.
  Line* find(std::uint32_t line);
  /// Makes room for a line that is absent; what had to go is in `evicted`, empty when a way was free.
  Line& insert(std::uint32_t line, std::optional<Evicted>& evicted);

  /// Adds `bytes` to the sectors of a line of this cache, which become dirty; those known completely become valid.
  void write(Line& line, std::uint8_t sectors, const std::uint32_t* bytes);

 private:
  static constexpr std::uint32_t no_line = ~std::uint32_t{0}, no_slot = ~std::uint32_t{0};
  static constexpr std::uint32_t few_ways = 16;  ///< up to here a set is searched
  struct Entry {
    std::uint32_t line = no_line, slot = 0;
  };

  std::uint32_t set_of(std::uint32_t line) const;
  std::size_t home(std::uint32_t line) const { return line * 0x9e3779b1u >> table_shift_; }
  std::uint32_t scan(std::uint32_t line) const;
  std::uint32_t look_up(std::uint32_t line) const;
  void make_newest(std::uint32_t set, std::uint32_t way);
  void enter(std::uint32_t line, std::uint32_t slot);
  void erase(std::uint32_t line);

  Replacement replacement_;
  SetIndex set_index_;
  std::uint32_t ways_, sets_;
  std::vector<Line> lines_;            ///< sets x ways
  std::vector<Bytes> bytes_;           ///< of each line; apart, because few accesses need them
  std::vector<std::uint16_t> newest_;  ///< way, of each set
  std::vector<Entry> table_;           ///< line -> slot, open addressing, at most half full; empty with few ways
  unsigned table_shift_ = 0;
  std::uint64_t random_ = 0x9e3779b97f4a7c15;
};

}  // namespace roofline
