#include "bench/counters/sectored_cache.hpp"

namespace roofline {
namespace {

constexpr std::uint32_t no_line = ~std::uint32_t{0};

}  // namespace

SectoredCache::SectoredCache(const SectoredGeometry& geometry, unsigned ways)
    : replacement_(geometry.replacement),
      set_index_(geometry.set_index),
      ways_(ways),
      sets_(geometry.size / geometry.line / geometry.ways),
      tags_(sets_ * ways, no_line),
      stamps_(sets_ * ways, 0),
      lines_(sets_ * ways) {}

std::size_t SectoredCache::set_of(std::uint32_t line) const {
  if (set_index_ == SetIndex::modulo) return line % sets_ * ways_;
  std::uint32_t hash = line * 0x9e3779b1u;  // Fibonacci hashing; the high bits choose the set
  hash ^= hash >> 15;
  hash *= 0x85ebca6bu;
  return (std::uint64_t{hash} * sets_ >> 32) * ways_;
}

SectoredCache::Line* SectoredCache::find(std::uint32_t line) {
  if (tags_[last_] != line) {
    const auto set = set_of(line);
    const auto* const tags = tags_.data() + set;
    unsigned found = ways_;
    for (unsigned way = 0; way < ways_; ++way) found = tags[way] == line ? way : found;  // no exit: it vectorises
    if (found == ways_) return nullptr;
    last_ = set + found;
  }
  stamps_[last_] = ++now_;
  return &lines_[last_];
}

SectoredCache::Line& SectoredCache::insert(std::uint32_t line, std::optional<Evicted>& evicted) {
  const auto set = set_of(line);
  auto victim = set;
  for (auto slot = set + 1; slot < set + ways_; ++slot)
    if (stamps_[slot] < stamps_[victim]) victim = slot;  // the least recent one; an empty one before all
  if (stamps_[victim] == 0) {
    evicted.reset();
  } else {
    if (replacement_ == Replacement::random) {
      random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;  // xorshift64, fixed seed
      victim = set + random_ % ways_;
    }
    evicted = Evicted{tags_[victim], lines_[victim]};
  }
  tags_[victim] = line;
  stamps_[victim] = ++now_;
  last_ = victim;
  return lines_[victim] = Line{};
}

}  // namespace roofline
