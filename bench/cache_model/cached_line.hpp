#pragma once
#include <cstdint>

namespace roofline {

/// What is known of the sectors of a line, bit per sector. One may be dirty without being valid: only some of its bytes
/// are known.
struct CachedLine {
  std::uint8_t valid = 0, dirty = 0;
};

inline constexpr std::uint32_t no_line = ~std::uint32_t{0};  ///< in place of a line's number
inline constexpr unsigned no_way = ~0u;

}  // namespace roofline
