#include "bench/counters/sectored_cache.hpp"

#include <bit>

namespace roofline {

SectoredCache::SectoredCache(const SectoredGeometry& geometry, unsigned ways)
    : replacement_(geometry.replacement),
      set_index_(geometry.set_index),
      ways_(ways),
      sets_(static_cast<std::uint32_t>(geometry.size / geometry.line / geometry.ways)),
      slots_(std::size_t{sets_} * ways),
      lines_(slots_.size()),
      newest_(sets_) {
  for (std::uint32_t set = 0; set < sets_; ++set) {
    const auto first = set * ways_;
    newest_[set] = first;
    for (std::uint32_t way = 0; way < ways_; ++way) {
      slots_[first + way].older = first + (way + 1) % ways_;
      slots_[first + way].newer = first + (way + ways_ - 1) % ways_;
    }
  }
  if (ways_ <= few_ways) return;
  const int bits = std::bit_width(slots_.size() - 1) + 1;
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

void SectoredCache::make_newest(std::uint32_t set, std::uint32_t number) {
  const auto head = newest_[set];
  if (head == number) return;
  auto& slot = slots_[number];
  if (slots_[head].newer != number) {  // else it is the oldest: turning the ring is enough
    slots_[slot.newer].older = slot.older;
    slots_[slot.older].newer = slot.newer;
    slot.older = head;
    slot.newer = slots_[head].newer;
    slots_[slot.newer].older = number;
    slots_[head].newer = number;
  }
  newest_[set] = number;
}

SectoredCache::Line* SectoredCache::find(std::uint32_t line) {
  const auto slot = table_.empty() ? scan(line) : look_up(line);
  if (slot == no_slot) return nullptr;
  make_newest(slot / ways_, slot);
  return &lines_[slot];
}

std::uint32_t SectoredCache::scan(std::uint32_t line) const {
  const auto first = set_of(line) * ways_;
  for (auto slot = first; slot < first + ways_; ++slot)
    if (slots_[slot].line == line) return slot;
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
  auto victim = slots_[newest_[set]].newer;  // the least recent one; empty ones come before all
  evicted.reset();
  if (slots_[victim].line != no_line) {
    if (replacement_ == Replacement::random) {
      random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;  // xorshift64, fixed seed
      victim = static_cast<std::uint32_t>(set * ways_ + random_ % ways_);
    }
    evicted = Evicted{slots_[victim].line, lines_[victim]};
    if (!table_.empty()) erase(slots_[victim].line);
  }
  if (!table_.empty()) enter(line, victim);
  slots_[victim].line = line;
  make_newest(set, victim);
  return lines_[victim] = Line{};
}

}  // namespace roofline
