#include "bench/counters/coalescer.hpp"

#include <bit>

namespace roofline {

unsigned coalesce(std::uint64_t base, const std::array<std::int64_t, warp_lanes>& offset, unsigned size,
                  std::uint32_t active, Access access, std::uint16_t request, std::vector<LineAccess>& lines) {
  const std::size_t first = lines.size();
  const std::uint32_t bytes = (std::uint32_t{1} << size) - 1;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t address = base + static_cast<std::uint64_t>(offset[lane]);
    const auto line = static_cast<std::uint32_t>(address / (sector_bytes * sectors_per_line));
    const auto sector = static_cast<unsigned>(address / sector_bytes % sectors_per_line);
    auto at = lines.size();
    while (at > first && lines[at - 1].line != line) --at;  // lanes are mostly in ascending order
    if (at == first) {
      lines.push_back({.line = line, .sectors = 0, .access = access, .request = request, .bytes = {}});
      at = lines.size();
    }
    auto& entry = lines[at - 1];
    entry.sectors = static_cast<std::uint8_t>(entry.sectors | 1u << sector);
    entry.bytes[sector] |= bytes << address % sector_bytes;
  }
  unsigned sectors = 0;
  for (auto at = first; at < lines.size(); ++at) sectors += static_cast<unsigned>(std::popcount(lines[at].sectors));
  return sectors;
}

}  // namespace roofline
