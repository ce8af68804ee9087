#include "bench/virtual_gpu/memory/sectored_cache.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace roofline {

SectoredCache::SectoredCache(const SectoredGeometry& geometry, unsigned ways)
    : replacement_(geometry.replacement),
      set_index_(geometry.set_index),
      ways_(ways),
      sets_(static_cast<std::uint32_t>(geometry.size / geometry.line / geometry.ways)),
      bytes_(std::size_t{sets_} * ways) {
  if (ways_ > std::uint16_t{0xffff})
    throw std::invalid_argument(fmt::format("device model: a cache of {} ways", ways_));
  if (ways_ <= FewWays::most)
    few_.emplace(sets_, ways_);
  else
    many_.emplace(sets_, ways_);
}

void SectoredCache::write(Found found, std::uint8_t sectors, const std::uint32_t* bytes) {
  auto& [line, written] = found;
  for (unsigned s = 0; s < written.size(); ++s) {
    const auto sector = static_cast<std::uint8_t>(1u << s);
    if ((sectors & sector) == 0) continue;
    written[s] = bytes[s] | (line.dirty & sector ? written[s] : 0);
    line.dirty |= sector;
    if (written[s] == ~std::uint32_t{0}) line.valid |= sector;
  }
}

}  // namespace roofline
