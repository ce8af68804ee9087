#include "bench/cache_model/cache_hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <experimental/simd>
#include <stdexcept>

namespace roofline {
namespace {

namespace simd = std::experimental;
constexpr unsigned eight = 8;
template <unsigned n>
using Words = simd::fixed_size_simd<std::uint64_t, n>;
constexpr unsigned four = 4;
using Vector [[gnu::vector_size(four * sizeof(std::uint64_t))]] = std::uint64_t;

constexpr std::uint64_t lines_ahead = 4;

constexpr bool is_dirty(std::uint64_t entry) { return entry & 1; }

std::string short_size(std::uint64_t bytes) {
  return bytes % (1 << 20) == 0 ? fmt::format("{}M", bytes >> 20) : fmt::format("{}K", bytes >> 10);
}

/// Moves the entries before a way one way on, and puts another entry in front of them.
inline void move_to_front(std::uint64_t* set, unsigned way, std::uint64_t entry) {
  // Whole vectors, which the host forwards to the next look at the set. Scalar stores would make that look wait. GCC 12
  // moves single bytes where a vector is wider than the host's.
  Vector before = Vector{} + entry;
  for (unsigned first = 0; first <= way; first += four) {
    Vector entries;
    std::memcpy(&entries, set + first, sizeof entries);
    const Vector turned = __builtin_shuffle(entries, Vector{3, 0, 1, 2}),
                 moved = __builtin_shuffle(turned, before, Vector{4, 1, 2, 3});
    before = turned;
    entries = Vector{0, 1, 2, 3} <= way - first ? moved : entries;
    std::memcpy(set + first, &entries, sizeof entries);
  }
}

}  // namespace

std::string model_hash(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : fmt::format("model {} {}", model_version, text)) hash = (hash ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string model_hash(const std::vector<CacheLevel>& levels) {
  std::string text = "write-back write-allocate LRU, each core its part, asked in packs of eight";
  for (const auto& level : levels)
    text += fmt::format(" {} {}/{} ways {} line {}", name(level.level), level.size, level.shared_by, level.ways,
                        level.line);
  return model_hash(text);
}

std::vector<CacheLevel> shared_among(std::vector<CacheLevel> caches, int threads) {
  for (auto& cache : caches) cache.shared_by = cache.sharers(threads), cache.threads_per_core = 1;
  return caches;
}

CacheHierarchy::CacheHierarchy(const std::vector<CacheLevel>& levels) {
  if (levels.empty()) throw std::invalid_argument("a cache model needs at least one cache");
  description_ = "LRU";
  line_ = levels.front().line;
  if (!std::has_single_bit(line_))
    throw std::invalid_argument(fmt::format("{} cache: lines of {} B, a power of two is needed",
                                            name(levels.front().level), levels.front().line));
  line_shift_ = static_cast<unsigned>(std::countr_zero(line_));
  part_shift_ = line_shift_ > 4 ? line_shift_ - 4 : 0;
  whole_line_ = parts(0, 0, static_cast<unsigned>(line_));
  for (const auto& level : levels) {
    const auto share = level.size / std::max(1u, level.shared_by);
    const auto way = level.ways * line_;
    if (way == 0 || share < way)
      throw std::invalid_argument(fmt::format("{} cache of {} B: its share is smaller than {} ways of {} B lines",
                                              name(level.level), level.size, level.ways, line_));
    const auto sets = share / way;
    const auto together = level.ways <= eight ? eight : 2 * eight;  // that a look compares
    const auto pitch = (level.ways + together - 1) / together * together;
    caches_.push_back({.level = level.level,
                       .size = sets * way,
                       .sets = sets,
                       .ways = level.ways,
                       .pitch = pitch,
                       .lines = std::vector<Entries>(sets * pitch / eight)});
    description_ += fmt::format(" {} {}/{}", name(level.level), short_size(sets * way), level.ways);
  }
}

[[gnu::always_inline]] inline unsigned CacheHierarchy::Cache::way_of(const std::uint64_t* set,
                                                                     std::uint64_t line) const {
  const auto look = [&]<unsigned n>(const std::uint64_t* at) __attribute__((always_inline)) {
    const Words<n> wanted(encode(line, true)), number((alone - 1) & ~std::uint64_t{1}), none(0);
    const auto same = ((Words<n>(at, simd::vector_aligned) ^ wanted) & number) == none;
    return simd::any_of(same) ? static_cast<unsigned>(simd::find_first_set(same)) : n;
  };
  if (pitch == eight) {
    const auto way = look.template operator()<eight>(set);
    return way < eight ? way : ways;
  }
  for (unsigned first = 0; first < ways; first += 2 * eight)
    if (const auto way = look.template operator()<2 * eight>(set + first); way < 2 * eight) return first + way;
  return ways;
}

[[gnu::always_inline]] inline std::uint64_t CacheHierarchy::Cache::push(std::uint64_t* set, std::uint64_t entry) const {
  const auto victim = set[ways - 1];
  move_to_front(set, ways - 1, entry);
  return victim;
}

std::uint64_t CacheHierarchy::parts(std::uint64_t line, std::uintptr_t address, unsigned bytes) const {
  const std::uint64_t first = line << line_shift_, part = (std::uint64_t{1} << part_shift_) - 1,
                      begin = address > first ? (address - first + part) >> part_shift_ : 0,
                      end = std::min<std::uint64_t>(address + bytes - first, line_) >> part_shift_;
  return begin < end ? (std::uint64_t{1} << end) - (std::uint64_t{1} << begin) : 0;
}

void CacheHierarchy::store_elsewhere(std::uint64_t line, std::uintptr_t address, unsigned bytes) {
  auto& newest = *caches_.front().set_of(line);
  const bool is_newest = (entry_of(newest) | 1) == encode(line, true), fetched = !is_newest && reference(line, true);
  newest |= 1;
  auto missing = fetched ? whole_line_ : newest >> missing_shift;
  if (missing == 0) return;
  missing &= ~parts(line, address, bytes);
  overwritten_ += missing == 0;
  newest = missing << missing_shift | entry_of(newest);
}

bool CacheHierarchy::reference(std::uint64_t line, bool write) {
  auto* const nearest = caches_.data();
  // Arrays of equal places in their pages take turns in a set. The host guesses these branches, where vectors would
  // wait for those that were stored just before.
  auto* const first = nearest->set_of(line);
  const auto used = [&](std::uint64_t entry) { return write ? entry | 1 : entry_of(entry); };  // a read one stays
  const auto holds = [&](unsigned way) {
    return (entry_of(first[way]) & ~alone & ~std::uint64_t{1}) == encode(line, false);
  };
  if (holds(1)) {
    const auto newest = first[0];
    first[0] = used(first[1]);
    first[1] = newest;
    return false;
  }
  if (holds(2)) {
    const auto newest = first[0], second = first[1];
    first[0] = used(first[2]);
    first[1] = newest;
    first[2] = second;
    return false;
  }
  auto* const memory = nearest + caches_.size();
  auto* cache = nearest;
  for (; cache != memory; ++cache) {
    auto* const set = cache->looked = cache->set_of(line);
    if (const auto way = cache->way_of(set, line); way < cache->ways) {
      // A line that is read is not overwritten.
      const auto entry = cache == nearest ? used(set[way]) : set[way];
      move_to_front(set, way, entry);
      break;
    }
    ++cache->fills;
    // The state of a large cache is in the host's memory, and most accesses go on from line to line.
    if (cache + 2 == memory) caches_.back().prefetch(line + lines_ahead);
  }
  const bool fetched = cache == memory;
  if (fetched) filled_from_memory_ += line_;
  auto entry = encode(line, false) | (fetched && comes_alone(line) ? alone : 0);
  while (cache != nearest) {
    --cache;
    write_back(static_cast<std::size_t>(cache - nearest),
               cache->push(cache->looked, entry | (write && cache == nearest)));
    entry = encode(line, false);
  }
  return fetched;
}

bool CacheHierarchy::comes_alone(std::uint64_t line) {
  const auto neighbour = line ^ 1;
  auto& last = caches_.back();
  auto* const set = last.set_of(neighbour);
  if (const auto way = last.way_of(set, neighbour); way < last.ways) {
    paired_ += set[way] & alone ? 2 : 1;
    set[way] &= ~alone;
    return false;
  }
  for (auto* cache = caches_.data(); cache != &last; ++cache)
    if (cache->way_of(cache->set_of(neighbour), neighbour) < cache->ways) return ++paired_, false;
  return true;
}

void CacheHierarchy::take_victim(std::size_t level, std::uint64_t line) {
  if (level == caches_.size()) return;
  auto& cache = caches_[level];
  auto* const set = cache.set_of(line);
  if (const auto way = cache.way_of(set, line); way < cache.ways)
    set[way] |= 1;  // a write-back is not a use: the order stays
  else
    write_back(level, cache.push(set, encode(line, true)));
}

void CacheHierarchy::write_back(std::size_t level, std::uint64_t victim) {
  if (victim == 0 || !is_dirty(victim)) return;
  ++caches_[level].write_backs;
  take_victim(level + 1, line_of(victim));
}

void CacheHierarchy::store_streaming(std::uintptr_t, unsigned bytes) {
  stored_ += bytes;
  streamed_ += bytes;
}

Traffic CacheHierarchy::traffic(MemoryLevel level) const {
  if (level == MemoryLevel::L1) return {static_cast<double>(loaded_), static_cast<double>(stored_)};
  const Cache* nearer = nullptr;  // bytes of a level cross the boundary to the cache nearer to the core
  for (const auto& cache : caches_)
    if (cache.level < level) nearer = &cache;
  if (nearer == nullptr) return {static_cast<double>(loaded_), static_cast<double>(stored_)};
  const double streamed = level == MemoryLevel::DRAM ? static_cast<double>(streamed_) : 0.0;
  return {static_cast<double>(nearer->fills * line_), static_cast<double>(nearer->write_backs * line_) + streamed};
}

bool CacheHierarchy::has(MemoryLevel level) const {
  return level == MemoryLevel::DRAM ||
         std::any_of(caches_.begin(), caches_.end(), [&](const Cache& cache) { return cache.level == level; });
}

void CacheHierarchy::reset_traffic() {
  loaded_ = stored_ = streamed_ = overwritten_ = paired_ = 0;
  for (auto& cache : caches_) cache.fills = cache.write_backs = 0;
}

}  // namespace roofline
