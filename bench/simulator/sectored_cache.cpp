#include "bench/simulator/sectored_cache.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace roofline {

SectoredCache::SectoredCache(const SectoredGeometry& geometry, unsigned ways)
    : replacement_(geometry.replacement),
      set_index_(geometry.set_index),
      ways_(ways),
      sets_(static_cast<std::uint32_t>(geometry.size / geometry.line / geometry.ways)),
      numbers_(std::size_t{sets_} * ways + few_ways, no_line),
      lines_(std::size_t{sets_} * ways),
      bytes_(lines_.size()),
      newest_(sets_) {
  if (ways_ > std::uint16_t{0xffff})
    throw std::invalid_argument(fmt::format("device model: a cache of {} ways", ways_));
  for (std::uint32_t slot = 0; slot < lines_.size(); ++slot) {
    const auto way = slot % ways_;
    lines_[slot].older = static_cast<std::uint16_t>((way + 1) % ways_);
    lines_[slot].newer = static_cast<std::uint16_t>((way + ways_ - 1) % ways_);
  }
  if (ways_ <= few_ways) return;
  const int bits = std::bit_width(lines_.size() - 1) + 1;
  chain_shift_ = static_cast<unsigned>(32 - bits);
  chains_.assign(std::size_t{1} << bits, no_slot);
  next_.resize(lines_.size());
}

void SectoredCache::write(Line& line, std::uint8_t sectors, const std::uint32_t* bytes) {
  auto& written = bytes_[static_cast<std::size_t>(&line - lines_.data())];
  for (unsigned s = 0; s < written.size(); ++s) {
    const auto sector = static_cast<std::uint8_t>(1u << s);
    if ((sectors & sector) == 0) continue;
    written[s] = bytes[s] | (line.dirty & sector ? written[s] : 0);
    line.dirty |= sector;
    if (written[s] == ~std::uint32_t{0}) line.valid |= sector;
  }
}

}  // namespace roofline
