#include "bench/virtual_gpu/memory/gpu_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace roofline {
namespace {

constexpr unsigned sms_per_tpc = 2;  // neighbours in a GPC

unsigned count(std::uint8_t sectors) { return static_cast<unsigned>(std::popcount(sectors)); }
/// One half of an L2, or all of one that has none.
SectoredCache half_of(SectoredGeometry l2) {
  l2.size /= l2.halves;
  return SectoredCache(l2, l2.ways);
}

/// Dirty sectors of which only some bytes are known.
unsigned partial(const CachedLine& line) { return count(static_cast<std::uint8_t>(line.dirty & ~line.valid)); }

}  // namespace

GpuMemory::GpuMemory(const Device& device, std::uint64_t shared_per_sm)
    : l2_(device.l2.halves, half_of(device.l2)),
      l2_sectors_(device.l2.line / sector_bytes),
      l2_sectors_log2_(static_cast<unsigned>(std::countr_zero(l2_sectors_))),
      fetch_sectors_(device.dram_fetch / sector_bytes),
      gpcs_(device.gpcs) {
  if (device.merges_reads()) reads_.emplace(device.merged_reads);
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
  behind_.clear();
  access_l1(sm, access, behind_);
  prefetch_l2(behind_);
  access_l2(behind_, [](const LineAccess&, DramSectors) {});
}

[[gnu::flatten]] void GpuMemory::access_l1(unsigned sm, const LineAccess& access, std::vector<LineAccess>& behind) {
  auto& l1 = l1_[sm];
  switch (access.access) {
    case Access::global_load:
    case Access::local_load: {
      auto& line = l1_line(l1, access, behind).line;
      const auto missing = static_cast<std::uint8_t>(access.sectors & ~line.valid);
      if (missing == 0) return;
      line.valid |= missing;
      auto& further = behind.emplace_back();
      further.line = access.line;
      further.sectors = missing;
      further.request = access.request;
      further.half = static_cast<std::uint8_t>(sm % l2_.size());
      further.gpc = static_cast<std::uint8_t>(sm / sms_per_tpc % gpcs_);
      return;
    }
    case Access::local_store:
      return SectoredCache::write(l1_line(l1, access, behind), access.sectors, access.bytes.data());
    case Access::global_store:
      behind.push_back(access);
      behind.back().in_l1 = access.sectors & l1.valid(access.line);
      return;
    case Access::atomic:  // done at L2
      behind.push_back(access);
      return;
    case Access::shared:
    case Access::constant:
      throw std::logic_error("shared and constant memory are not behind L1");
  }
}

SectoredCache::Found GpuMemory::l1_line(SectoredCache& l1, const LineAccess& access, std::vector<LineAccess>& behind) {
  return l1.get(access.line, [&](std::uint32_t number, const CachedLine& old, const SectoredCache::Bytes& bytes) {
    if (number == no_line || old.dirty == 0) return;
    behind.push_back({number, old.dirty, Access::global_store, access.request, bytes});
  });
}

// Nearly all time of a simulation goes by here and in access_l1: no calls inside.
[[gnu::flatten]] DramSectors GpuMemory::access_l2(const LineAccess& access) {
  const bool reads = access.access == Access::global_load || access.access == Access::atomic;
  const bool writes = access.access != Access::global_load;
  // An atomic's operand goes one way: there.
  (writes ? traffic_.l2_write : traffic_.l2_read) += count(access.sectors);
  traffic_.l1_store_hits += count(access.in_l1);
  DramSectors moved;
  // A line of L1 is one line of L2, or two of 64 B, or four of 32 B.
  const unsigned of_part = (1u << l2_sectors_) - 1;
  for (unsigned rest = access.sectors; rest != 0;) {
    const auto first = static_cast<unsigned>(std::countr_zero(rest)) & ~(l2_sectors_ - 1);
    auto wanted = static_cast<std::uint8_t>(rest >> first & of_part);
    rest &= ~(of_part << first);
    const auto number = (access.line * sectors_per_line + first) >> l2_sectors_log2_;
    const auto here = home(number);
    if (!writes && access.half != here) {
      auto& copy = l2_line(access.half, number, moved).line;
      wanted &= static_cast<std::uint8_t>(~copy.valid);
      copy.valid |= wanted;
      if (wanted == 0) continue;
    }
    if (reads) fetch(l2_line(here, number, moved).line, wanted, moved);
    if (writes) write_l2(l2_line(here, number, moved), wanted, access.bytes.data() + first);
  }
  traffic_.dram_read += moved.read;
  traffic_.dram_write += moved.written;
  return moved;
}

SectoredCache::Found GpuMemory::l2_line(unsigned half, std::uint32_t number, DramSectors& moved) {
  return l2_[half].get(number, [&](std::uint32_t gone, const CachedLine& old, const SectoredCache::Bytes&) {
    if (gone == no_line) {
      traffic_.displaced += l2_sectors_;
    } else if (old.dirty != 0) {
      moved.written += count(old.dirty);
      moved.read += partial(old);
      traffic_.owed_write -= count(old.dirty);
      traffic_.owed_read -= partial(old);
    }
  });
}

void GpuMemory::fetch(CachedLine& line, std::uint8_t sectors, DramSectors& moved) {
  traffic_.l2_missed += count(static_cast<std::uint8_t>(sectors & ~line.valid));
  for (unsigned first = 0; first < l2_sectors_; first += fetch_sectors_) {
    const auto piece = static_cast<std::uint8_t>(((1u << fetch_sectors_) - 1) << first);
    if ((sectors & piece & ~line.valid) == 0) continue;
    moved.read += count(static_cast<std::uint8_t>(piece & ~line.valid));
    traffic_.owed_read -= count(static_cast<std::uint8_t>(line.dirty & ~line.valid & piece));
    line.valid |= piece;
  }
}

void GpuMemory::write_l2(SectoredCache::Found found, std::uint8_t sectors, const std::uint32_t* bytes) {
  const auto& line = found.line;
  const std::int64_t dirty = count(line.dirty), incomplete = partial(line);
  SectoredCache::write(found, sectors, bytes);
  traffic_.owed_write += count(line.dirty) - dirty;
  traffic_.owed_read += partial(line) - incomplete;
}

}  // namespace roofline
