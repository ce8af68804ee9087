#include "bench/counters/sectored_cache.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace roofline {

SectoredCache::SectoredCache(const SectoredGeometry& geometry, unsigned ways)
    : replacement_(geometry.replacement),
      set_index_(geometry.set_index),
      ways_(ways),
      sets_(static_cast<std::uint32_t>(geometry.size / geometry.line / geometry.ways)),
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
  table_shift_ = static_cast<unsigned>(32 - bits);
  table_.resize(std::size_t{1} << bits);
}

std::uint32_t SectoredCache::set_of(std::uint32_t line) const {
  if (set_index_ == SetIndex::modulo) return line % sets_;
  std::uint32_t hash = line * 0x9e3779b1u;  // Fibonacci hashing, mixed once more; the high bits choose the set
  hash ^= hash >> 15;
  hash *= 0x85ebca6bu;
  return static_cast<std::uint32_t>(std::uint64_t{hash} * sets_ >> 32);
}

void SectoredCache::make_newest(std::uint32_t set, std::uint32_t way) {
  const auto head = newest_[set];
  if (head == way) return;
  Line* const lines = &lines_[std::size_t{set} * ways_];
  auto& line = lines[way];
  const auto number = static_cast<std::uint16_t>(way);
  if (lines[head].newer != way) {  // else it is the oldest: turning the ring is enough
    lines[line.newer].older = line.older;
    lines[line.older].newer = line.newer;
    line.older = head;
    line.newer = lines[head].newer;
    lines[line.newer].older = number;
    lines[head].newer = number;
  }
  newest_[set] = number;
}

SectoredCache::Line* SectoredCache::find(std::uint32_t line) {
  const auto slot = table_.empty() ? scan(line) : look_up(line);
  if (slot == no_slot) return nullptr;
  make_newest(slot / ways_, slot % ways_);
  return &lines_[slot];
}

std::uint32_t SectoredCache::scan(std::uint32_t line) const {
  const auto first = set_of(line) * ways_;
  for (auto slot = first; slot < first + ways_; ++slot)
    if (lines_[slot].number == line) return slot;
  return no_slot;
}

std::uint32_t SectoredCache::look_up(std::uint32_t line) const {
  const std::size_t mask = table_.size() - 1;
  for (auto at = home(line);; at = (at + 1) & mask) {
    if (table_[at].line == line) return table_[at].slot;
    if (table_[at].line == no_line) return no_slot;
  }
}

void SectoredCache::enter(std::uint32_t line, std::uint32_t slot) {
  const std::size_t mask = table_.size() - 1;
  auto at = home(line);
  while (table_[at].line != no_line) at = (at + 1) & mask;
  table_[at] = {line, slot};
}

void SectoredCache::erase(std::uint32_t line) {
  const std::size_t mask = table_.size() - 1;
  auto hole = home(line);
  while (table_[hole].line != line) hole = (hole + 1) & mask;
  // Entries behind the hole move up unless that would put them before their home.
  for (auto at = (hole + 1) & mask; table_[at].line != no_line; at = (at + 1) & mask) {
    if (((at - home(table_[at].line)) & mask) < ((at - hole) & mask)) continue;
    table_[hole] = table_[at];
    hole = at;
  }
  table_[hole] = {};
}

SectoredCache::Line& SectoredCache::insert(std::uint32_t line, std::optional<Evicted>& evicted) {
  const auto set = set_of(line);
  const auto first = set * ways_;
  auto slot = first + lines_[first + newest_[set]].newer;  // the least recent one; empty ones come before all
  evicted.reset();
  if (lines_[slot].number != no_line) {
    if (replacement_ == Replacement::random) {
      random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;  // xorshift64, fixed seed
      slot = static_cast<std::uint32_t>(first + random_ % ways_);
    }
    const auto& old = lines_[slot];
    evicted.emplace(Evicted{old.number, old.valid, old.dirty, old.dirty != 0 ? bytes_[slot] : Bytes{}});
    if (!table_.empty()) erase(old.number);
  }
  if (!table_.empty()) enter(line, slot);
  auto& entry = lines_[slot];
  entry.number = line;
  entry.valid = entry.dirty = 0;
  make_newest(set, slot - first);
  return entry;
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
