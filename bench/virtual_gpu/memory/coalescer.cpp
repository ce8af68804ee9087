#include "bench/virtual_gpu/memory/coalescer.hpp"

#include <algorithm>
#include <bit>

namespace roofline {

unsigned coalesce(const LaneRequest& lanes, Access access, std::uint16_t request, std::vector<LineAccess>& lines) {
  const auto& [base, offset, size, active] = lanes;
  const std::size_t before = lines.size();
  lines.resize(before + static_cast<std::size_t>(std::popcount(active)));  // as many at most
  LineAccess* const first = lines.data() + before;
  LineAccess* end = first;
  const std::uint32_t bytes = is_store(access) ? (std::uint32_t{1} << size) - 1 : 0;
  bool ascending = true;
  const auto entry = [&](std::uint32_t line) {
    ascending = ascending && (end == first || line > end[-1].line);  // mostly: then the line is new
    if (!ascending)
      for (auto* at = end; at != first; --at)
        if (at[-1].line == line) return at - 1;
    end->line = line;
    end->access = access;
    end->request = request;
    return end++;
  };
  LineAccess* current = nullptr;  // neighbouring lanes mostly share a line
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t address = base + static_cast<std::uint64_t>(offset[lane]);
    const auto line = static_cast<std::uint32_t>(address / (sector_bytes * sectors_per_line));
    const auto sector = static_cast<unsigned>(address / sector_bytes % sectors_per_line);
    if (current == nullptr || line != current->line) current = entry(line);
    current->sectors = static_cast<std::uint8_t>(current->sectors | 1u << sector);
    if (bytes != 0) current->bytes[sector] |= bytes << address % sector_bytes;
  }
  lines.resize(static_cast<std::size_t>(end - lines.data()));
  unsigned sectors = 0;
  for (auto at = before; at < lines.size(); ++at) sectors += static_cast<unsigned>(std::popcount(lines[at].sectors));
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
    auto& entry = lines.emplace_back();  // filled in place: copying one just written stalls
    entry.line = static_cast<std::uint32_t>(line);
    entry.sectors = static_cast<std::uint8_t>((1u << end) - (1u << in_line));
    entry.access = access;
    entry.request = request;
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
