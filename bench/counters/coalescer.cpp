#include "bench/counters/coalescer.hpp"

#include <algorithm>
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

unsigned coalesce_run(std::uint64_t address, std::uint64_t length, Access access, std::uint16_t request,
                      std::vector<LineAccess>& lines) {
  const std::uint64_t first = address / sector_bytes, last = (address + length - 1) / sector_bytes;
  for (auto sector = first; sector <= last;) {
    const auto line = sector / sectors_per_line;
    const auto in_line = static_cast<unsigned>(sector % sectors_per_line);
    const auto end =
        static_cast<unsigned>(std::min(last - line * sectors_per_line + 1, std::uint64_t{sectors_per_line}));
    auto& entry = lines.emplace_back(LineAccess{.line = static_cast<std::uint32_t>(line),
                                                .sectors = static_cast<std::uint8_t>((1u << end) - (1u << in_line)),
                                                .access = access,
                                                .request = request,
                                                .bytes = {}});
    if (is_store(access)) {
      for (auto s = in_line; s < end; ++s) entry.bytes[s] = ~0u;
      if (sector == first) entry.bytes[in_line] &= ~0u << address % sector_bytes;
      if (line * sectors_per_line + end == last + 1)
        entry.bytes[end - 1] &= ~0u >> (sector_bytes - 1 - (address + length - 1) % sector_bytes);
    }
    sector = (line + 1) * sectors_per_line;
  }
  return static_cast<unsigned>(last - first + 1);
}

}  // namespace roofline
