#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/cache_model/cache_ways.hpp"
#include "bench/virtual_gpu/devices/device.hpp"

namespace roofline {

/// Tags and states of a set-associative cache whose lines are filled sector by sector.
///
/// Data that every access reads are kept apart from rarely used data, so that a model of 80 SMs stays in the host's
/// caches.
class SectoredCache {
 public:
  using Bytes = std::array<std::uint32_t, 4>;  ///< of each sector, bit per byte

  /// A line that an access has found or brought in.
  struct Found {
    CachedLine& line;
    Bytes& bytes;  ///< written, of its dirty sectors
  };

  /// `ways` may be fewer than the geometry's, because shared memory takes its part of an L1.
  SectoredCache(const SectoredGeometry& geometry, unsigned ways);

  /// A line, which becomes the most recently used one. When it is absent, `make_room(number, line, bytes)` is called
  /// with what has to go for it (`bytes`: written, of its dirty sectors), number no_line when a way was free, and it
  /// comes in with nothing known.
  template <class MakeRoom>
  Found get(std::uint32_t number, MakeRoom make_room) {
    return few_ ? get_of(*few_, number, make_room) : get_of(*many_, number, make_room);
  }

  /// The valid sectors of a line, whose place in the order of use stays.
  std::uint8_t valid(std::uint32_t number) { return few_ ? valid_of(*few_, number) : valid_of(*many_, number); }

  /// Prefetches the host memory that get() of a line will read. A set of many ways needs no help, because its entries
  /// are contiguous.
  [[gnu::always_inline]] void prefetch(std::uint32_t number) const {
    if (few_) few_->prefetch(set_of(number));
  }

  /// Adds `bytes` to the sectors of a line and makes them dirty. Sectors that are now known completely become valid.
  static void write(Found found, std::uint8_t sectors, const std::uint32_t* bytes);

 private:
  std::uint32_t set_of(std::uint32_t number) const {
    if (set_index_ == SetIndex::modulo) return number % sets_;
    std::uint32_t hash = number * 0x9e3779b1u;  // Fibonacci hashing, mixed once more; the high bits choose the set
    hash ^= hash >> 15;
    hash *= 0x85ebca6bu;
    return static_cast<std::uint32_t>(std::uint64_t{hash} * sets_ >> 32);
  }
  template <class Ways, class MakeRoom>
  Found get_of(Ways& ways, std::uint32_t number, MakeRoom make_room) {
    const auto set = set_of(number);
    auto way = ways.find(set, number);
    const bool absent = way == no_way;
    if (absent) way = victim(ways, set);
    const Found found{ways.line(set, way), bytes_[std::size_t{set} * ways_ + way]};
    if (absent) {
      make_room(ways.number(set, way), found.line, found.bytes);
      ways.put(set, way, number);
      found.line = {};
    }
    ways.make_newest(set, way);
    return found;
  }
  template <class Ways>
  std::uint8_t valid_of(Ways& ways, std::uint32_t number) {
    const auto set = set_of(number);
    const auto way = ways.find(set, number);
    return way == no_way ? 0 : ways.line(set, way).valid;
  }
  /// The way that a new line of a set takes: the least recently used one (empty ones come before all), or any.
  template <class Ways>
  unsigned victim(const Ways& ways, std::uint32_t set) {
    const auto oldest = ways.oldest(set);
    if (replacement_ == Replacement::lru || ways.number(set, oldest) == no_line) return oldest;
    random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;  // xorshift64, fixed seed
    return static_cast<unsigned>(random_ % ways_);
  }

  Replacement replacement_;
  SetIndex set_index_;
  std::uint32_t ways_, sets_;
  std::optional<FewWays> few_;  ///< one of these two
  std::optional<ManyWays> many_;
  std::vector<Bytes> bytes_;  ///< sets x ways
  std::uint64_t random_ = 0x9e3779b97f4a7c15;
};

}  // namespace roofline
