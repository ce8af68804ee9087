#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/counters/device.hpp"

namespace roofline {

/// Tags and states of a set-associative cache whose lines are filled sector by sector.
class SectoredCache {
 public:
  /// State of a line. A sector may be dirty without being valid: only the `bytes` written so far are known.
  struct Line {
    std::uint8_t valid = 0, dirty = 0;  ///< bit per sector
    std::array<std::uint32_t, 4> bytes{};
  };
  struct Evicted {
    std::uint32_t line;
    Line state;
  };

  /// `ways` may be fewer than the geometry's: what shared memory leaves of an L1.
  SectoredCache(const SectoredGeometry& geometry, unsigned ways);

  /// The state of a line that is present, which becomes the most recently used one; else null.
  Line* find(std::uint32_t line);
  /// Makes room for a line that is absent; what had to go is in `evicted`, empty when a way was free.
  Line& insert(std::uint32_t line, std::optional<Evicted>& evicted);

  /// Calls f(Line&) for every line that is present.
  template <class F>
  void for_each(F f) {
    for (std::size_t slot = 0; slot < tags_.size(); ++slot)
      if (stamps_[slot] != 0) f(lines_[slot]);
  }

 private:
  std::size_t set_of(std::uint32_t line) const;

  Replacement replacement_;
  SetIndex set_index_;
  unsigned ways_;
  std::uint64_t sets_;
  std::vector<std::uint32_t> tags_;
  std::vector<std::uint64_t> stamps_;  ///< of the last use; 0: empty
  std::vector<Line> lines_;
  std::uint64_t now_ = 0;
  std::uint64_t random_ = 0x9e3779b97f4a7c15;
  std::size_t last_ = 0;  ///< slot of the last hit
};

}  // namespace roofline
