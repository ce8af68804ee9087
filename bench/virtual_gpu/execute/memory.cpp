#include "bench/virtual_gpu/execute/memory.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace roofline::ptx {
namespace {

constexpr std::size_t red_zone = 256;
constexpr std::size_t remembered_freed = 256;
std::atomic<bool> tracks_writes{true};

// Visits the words of [first, first + bytes) with the mask of the bits that belong to it.
template <class F>
bool for_words(std::size_t first, std::size_t bytes, F f) {
  for (std::size_t at = first, end = first + bytes; at < end;) {
    const std::size_t bit = at % 64, n = std::min<std::size_t>(64 - bit, end - at);
    const uint64_t mask = (n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1) << bit;
    if (!f(at / 64, mask)) return false;
    at += n;
  }
  return true;
}

}  // namespace

void track_writes(bool track) { tracks_writes = track; }

void ByteMap::set(std::size_t first, std::size_t bytes) {
  for_words(first, bytes, [&](std::size_t word, uint64_t mask) {
    std::atomic_ref(words_[word]).fetch_or(mask, std::memory_order_relaxed);
    return true;
  });
}

bool ByteMap::all(std::size_t first, std::size_t bytes) const {
  return for_words(first, bytes, [&](std::size_t word, uint64_t mask) { return (words_[word] & mask) == mask; });
}

GlobalMemory::~GlobalMemory() {
  for (auto& [begin, block] : blocks_) std::free(block.base);
}

void* GlobalMemory::allocate(std::size_t bytes, Origin origin) {
  const std::lock_guard lock(mutex_);
  const bool on_device = origin == Origin::device || origin == Origin::managed;
  const uint64_t charged = on_device ? bytes : 0;
  if (charged > capacity_ - used_ || bytes > (uint64_t{1} << 46)) return nullptr;
  const std::size_t rounded = (bytes + 255) / 256 * 256;
  auto* const base = static_cast<std::byte*>(std::aligned_alloc(256, rounded + 2 * red_zone));
  if (base == nullptr) return nullptr;
  std::byte* const begin = base + red_zone;
  Allocation a{reinterpret_cast<uint64_t>(begin), bytes, origin, "", ++serial_, nullptr};
  if (origin == Origin::device && tracks_writes) a.written = std::make_shared<ByteMap>(bytes);
  std::erase_if(freed_, [&](const auto& f) {
    return f.second.begin < a.begin + rounded + red_zone && a.begin - red_zone < f.second.end();
  });
  blocks_[a.begin] = {base, charged};
  live_[a.begin] = std::move(a);
  used_ += charged;
  return begin;
}

bool GlobalMemory::free(void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  const auto block = blocks_.find(begin);
  if (block == blocks_.end()) return false;
  std::free(block->second.base);
  used_ -= block->second.charged;
  blocks_.erase(block);
  Allocation gone = live_[begin];
  gone.written = nullptr;
  live_.erase(begin);
  if (freed_.size() >= remembered_freed) freed_.erase(freed_.begin());
  freed_[begin] = std::move(gone);
  return true;
}

void GlobalMemory::add(const void* begin, std::size_t bytes, Origin origin, std::string name) {
  const std::lock_guard lock(mutex_);
  const auto address = reinterpret_cast<uint64_t>(begin);
  live_[address] = {address, bytes, origin, std::move(name), ++serial_, nullptr};
}

void GlobalMemory::remove(const void* begin) {
  const std::lock_guard lock(mutex_);
  live_.erase(reinterpret_cast<uint64_t>(begin));
}

const Allocation* GlobalMemory::locate(uint64_t address) const {
  auto after = live_.upper_bound(address);
  // Added ranges may lie inside of each other's pages, not inside of each other.
  if (after == live_.begin()) return nullptr;
  const Allocation& a = std::prev(after)->second;
  return address < a.end() ? &a : nullptr;
}

std::optional<Allocation> GlobalMemory::find(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const Allocation* const a = locate(address);
  return a ? std::optional(*a) : std::nullopt;
}

bool GlobalMemory::was_freed(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto after = freed_.upper_bound(address);
  return after != freed_.begin() && address < std::prev(after)->second.end() && !locate(address);
}

std::string GlobalMemory::describe(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto called = [](const Allocation& a) {
    return fmt::format("{} of {} bytes", a.name.empty() ? fmt::format("allocation {}", a.serial) : "variable " + a.name,
                       a.bytes);
  };
  if (const Allocation* const a = locate(address)) return fmt::format("byte {} of {}", address - a->begin, called(*a));
  auto after = freed_.upper_bound(address);
  if (after != freed_.begin() && address < std::prev(after)->second.end())
    return fmt::format("byte {} of {}, freed", address - std::prev(after)->second.begin,
                       called(std::prev(after)->second));
  after = live_.upper_bound(address);
  constexpr uint64_t near = uint64_t{1} << 24;
  const Allocation* const below = after == live_.begin() ? nullptr : &std::prev(after)->second;
  const Allocation* const above = after == live_.end() ? nullptr : &after->second;
  const uint64_t behind = below ? address - below->end() : ~uint64_t{0},
                 before = above ? above->begin - address : ~uint64_t{0};
  if (std::min(behind, before) > near) return address < 4096 ? "a null pointer" : "no allocation is near";
  if (behind <= before) return fmt::format("{} bytes beyond {}", behind, called(*below));
  return fmt::format("{} bytes before {}", before, called(*above));
}

void GlobalMemory::mark_written(const void* begin, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto address = reinterpret_cast<uint64_t>(begin);
  const Allocation* const a = locate(address);
  if (a && a->written) a->written->set(address - a->begin, std::min<uint64_t>(bytes, a->end() - address));
}

uint64_t GlobalMemory::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

std::vector<Allocation> GlobalMemory::allocations() const {
  const std::lock_guard lock(mutex_);
  std::vector<Allocation> all;
  for (const auto& [begin, a] : live_) all.push_back(a);
  return all;
}

}  // namespace roofline::ptx
