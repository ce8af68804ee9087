#include "bench/counters/coalescer.hpp"

#include <bit>

namespace roofline {

unsigned coalesce(std::uint64_t base, const std::array<std::int64_t, warp_lanes>& offset, unsigned size,
                  std::uint32_t active, Access access, std::uint16_t request, std::vector<LineAccess>& lines) {
  const std::size_t first = lines.size();
  const std::uint32_t bytes = is_store(access) ? (std::uint32_t{1} << size) - 1 : 0;
  LineAccess current{.line = 0, .sectors = 0, .access = access, .request = request, .bytes = {}};
  const auto put = [&] {
    if (current.sectors == 0) return;
    auto at = lines.size();
    while (at > first && lines[at - 1].line != current.line) --at;
    if (at == first) {
      lines.push_back(current);
    } else {
      auto& entry = lines[at - 1];
      entry.sectors |= current.sectors;
      for (unsigned s = 0; s < sectors_per_line; ++s) entry.bytes[s] |= current.bytes[s];
    }
  };
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t address = base + static_cast<std::uint64_t>(offset[lane]);
    const auto line = static_cast<std::uint32_t>(address / (sector_bytes * sectors_per_line));
    const auto sector = static_cast<unsigned>(address / sector_bytes % sectors_per_line);
    if (line != current.line) {  // neighbouring lanes mostly share a line
      put();
      current.line = line, current.sectors = 0, current.bytes = {};
    }
    current.sectors = static_cast<std::uint8_t>(current.sectors | 1u << sector);
    if (bytes != 0) current.bytes[sector] |= bytes << address % sector_bytes;
  }
  put();
  unsigned sectors = 0;
  for (auto at = first; at < lines.size(); ++at) sectors += static_cast<unsigned>(std::popcount(lines[at].sectors));
  return sectors;
}

}  // namespace roofline
