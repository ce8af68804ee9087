#include "bench/counters/gpu_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace roofline {
namespace {

unsigned count(std::uint8_t sectors) { return static_cast<unsigned>(std::popcount(sectors)); }
/// Dirty sectors of which only some bytes are known.
template <class Line>
unsigned partial(const Line& line) {
  return count(static_cast<std::uint8_t>(line.dirty & ~line.valid));
}

}  // namespace

GpuMemory::GpuMemory(const Device& device, std::uint64_t shared_per_sm)
    : l2_(device.l2, device.l2.ways),
      l2_sectors_(device.l2.line / sector_bytes),
      fetch_sectors_(device.dram_fetch / sector_bytes) {
  const auto option = std::lower_bound(device.shared_options.begin(), device.shared_options.end(), shared_per_sm);
  if (option == device.shared_options.end())
    throw std::invalid_argument(fmt::format("{} B of shared memory on an SM: {} has {} B at most", shared_per_sm,
                                            device.name, device.shared_options.back()));
  const auto sets = device.l1.size / device.l1.line / device.l1.ways;
  const auto ways = (device.l1.size - *option) / (device.l1.line * sets);
  l1_size_ = ways * device.l1.line * sets;
  l1_.assign(device.sms, SectoredCache(device.l1, static_cast<unsigned>(ways)));
}

void GpuMemory::access(unsigned sm, const LineAccess& access) {
  switch (access.access) {
    case Access::global_load:
      return load(l1_[sm], access);
    case Access::global_store:
      traffic_.l2_write += count(access.sectors);
      return store_l2(access);
    case Access::atomic:  // done at L2: one way there with the operand
      traffic_.l2_write += count(access.sectors);
      load_l2(access.line, access.sectors);
      return store_l2(access);
    case Access::local_load:
    case Access::local_store:
      return local(l1_[sm], access);
    case Access::shared:
    case Access::constant:
      throw std::logic_error("shared and constant memory are not behind L1");
  }
}

void GpuMemory::load(SectoredCache& l1, const LineAccess& access) {
  auto* line = l1.find(access.line);
  if (line == nullptr) {
    std::optional<SectoredCache::Evicted> evicted;
    line = &l1.insert(access.line, evicted);
    if (evicted && evicted->dirty) {
      traffic_.l2_write += count(evicted->dirty);
      store_l2(
          {.line = evicted->line, .sectors = evicted->dirty, .access = Access::local_store, .bytes = evicted->bytes});
    }
  }
  const auto missing = static_cast<std::uint8_t>(access.sectors & ~line->valid);
  if (missing == 0) return;
  line->valid |= missing;
  traffic_.l2_read += count(missing);
  load_l2(access.line, missing);
}

void GpuMemory::local(SectoredCache& l1, const LineAccess& access) {
  if (access.access == Access::local_load) return load(l1, access);
  auto* line = l1.find(access.line);
  if (line == nullptr) {
    load(l1, {.line = access.line, .sectors = 0, .access = Access::local_load, .bytes = {}});  // makes room
    line = l1.find(access.line);
  }
  l1.write(*line, access.sectors, access.bytes.data());
}

SectoredCache::Line& GpuMemory::l2_line(std::uint32_t number) {
  if (auto* const line = l2_.find(number)) return *line;
  std::optional<SectoredCache::Evicted> evicted;
  auto& line = l2_.insert(number, evicted);
  if (evicted) {
    const auto dirty = evicted->dirty;
    traffic_.dram_write += count(dirty);
    traffic_.dram_read += partial(*evicted);
    traffic_.owed_write -= count(dirty);
    traffic_.owed_read -= partial(*evicted);
  } else {
    traffic_.displaced += l2_sectors_;
  }
  return line;
}

void GpuMemory::fetch(SectoredCache::Line& line, std::uint8_t sectors) {
  for (unsigned first = 0; first < l2_sectors_; first += fetch_sectors_) {
    const auto piece = static_cast<std::uint8_t>(((1u << fetch_sectors_) - 1) << first);
    if ((sectors & piece & ~line.valid) == 0) continue;
    traffic_.dram_read += count(static_cast<std::uint8_t>(piece & ~line.valid));
    traffic_.owed_read -= count(static_cast<std::uint8_t>(line.dirty & ~line.valid & piece));
    line.valid |= piece;
  }
}

void GpuMemory::write_l2(SectoredCache::Line& line, std::uint8_t sectors, const std::uint32_t* bytes) {
  const std::int64_t dirty = count(line.dirty), incomplete = partial(line);
  l2_.write(line, sectors, bytes);
  traffic_.owed_write += count(line.dirty) - dirty;
  traffic_.owed_read += partial(line) - incomplete;
}

void GpuMemory::load_l2(std::uint32_t line128, std::uint8_t sectors) {
  // A line of L1 is one line of L2, or two of 64 B, or four of 32 B.
  const unsigned parts = sectors_per_line / l2_sectors_;
  const auto mask = static_cast<std::uint8_t>((1u << l2_sectors_) - 1);
  for (unsigned part = 0; part < parts; ++part) {
    const auto wanted = static_cast<std::uint8_t>(sectors >> part * l2_sectors_ & mask);
    if (wanted != 0) fetch(l2_line(line128 * parts + part), wanted);
  }
}

void GpuMemory::store_l2(const LineAccess& access) {
  const unsigned parts = sectors_per_line / l2_sectors_;
  const auto mask = static_cast<std::uint8_t>((1u << l2_sectors_) - 1);
  for (unsigned part = 0; part < parts; ++part) {
    const auto wanted = static_cast<std::uint8_t>(access.sectors >> part * l2_sectors_ & mask);
    if (wanted != 0) write_l2(l2_line(access.line * parts + part), wanted, access.bytes.data() + part * l2_sectors_);
  }
}

}  // namespace roofline
