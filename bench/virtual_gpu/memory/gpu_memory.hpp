#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/virtual_gpu/memory/coalescer.hpp"
#include "bench/virtual_gpu/memory/reads_in_flight.hpp"
#include "bench/virtual_gpu/memory/sectored_cache.hpp"

namespace roofline {

/// Sectors of 32 B that crossed each boundary.
struct GpuTraffic {
  std::uint64_t l2_read = 0, l2_write = 0;  ///< between the L1s and L2
  std::uint64_t l2_merged = 0;              ///< of those read: a request coalescer asks L2 for so many fewer
  std::uint64_t dram_read = 0, dram_write = 0;
  std::uint64_t l1_store_hits = 0;  ///< written sectors of global memory that the L1 of their SM had
  std::uint64_t l2_missed = 0;      ///< read ones that L2 did not have; what is written counts as found
  /// Sectors of whatever was in L2 before the kernel that had to make room. If they were dirty, DRAM was written as
  /// much more.
  std::uint64_t displaced = 0;
  /// The sectors that a flush of L2 would still write to DRAM, and the part of them that it would have to read first.
  /// For an interval of time these are changes, which may be negative. dram_write + owed_write is the number of sectors
  /// that became dirty.
  std::int64_t owed_write = 0, owed_read = 0;

  friend bool operator==(const GpuTraffic&, const GpuTraffic&) = default;
};

struct DramSectors {
  unsigned read = 0, written = 0;
};

/// The memory of a described GPU: one L1 per SM, one L2, DRAM.
///
/// L1 takes global loads, passes global stores through without allocating, and keeps local memory until it is
/// displaced. L2 writes back; a sector that was written in part is read from DRAM before it leaves or is read. Reads
/// from DRAM come in aligned pieces of Device::dram_fetch. Where L2 has two halves, each line is at home in one; an SM
/// next to the other half reads a copy there, which takes up room as well: data that all SMs read fit into half of L2,
/// data of single SMs into two thirds (measured on an H100, results/h100-sxm).
class GpuMemory {
 public:
  /// `shared_per_sm` bytes of the unified L1 are taken away, rounded up to the device's next option.
  GpuMemory(const Device& device, std::uint64_t shared_per_sm);

  /// Sends one line access of an SM through the hierarchy; shared and constant accesses have no business here.
  void access(unsigned sm, const LineAccess& access);
  /// Its two halves, for those who know when each happens: the L1 of an SM, which appends to `behind` what has to go
  /// on, and L2 with DRAM, which take that.
  void access_l1(unsigned sm, const LineAccess& access, std::vector<LineAccess>& behind);
  /// Calls each(access, DramSectors that it moved) for every one.
  template <class Each>
  void access_l2(std::span<const LineAccess> accesses, Each each) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      if (i + ahead < accesses.size()) prefetch_l2(accesses[i + ahead]);
      each(accesses[i], access_l2(accesses[i]));
    }
  }
  /// Counts what the device would merge, if it merges reads, of one that access_l2() was told of and that is in flight
  /// from `now` to `until`, in any unit of time. Calls come in the order of `now`.
  void in_flight(const LineAccess& access, std::uint64_t now, std::uint64_t until) {
    if (reads_ && !is_store(access.access)) traffic_.l2_merged += reads_->merged(access, now, until);
  }
  /// Has the host fetch what access_l2() will look at of the first of these; it does so for the others.
  [[gnu::always_inline]] void prefetch_l2(std::span<const LineAccess> accesses) const {
    for (const auto& access : accesses.first(std::min(ahead, accesses.size()))) prefetch_l2(access);
  }
  const GpuTraffic& traffic() const { return traffic_; }
  /// Bytes that L1 has on each SM.
  std::uint64_t l1_size() const { return l1_size_; }

 private:
  static constexpr std::size_t ahead = 8;
  SectoredCache::Found l1_line(SectoredCache& l1, const LineAccess& access, std::vector<LineAccess>& behind);
  DramSectors access_l2(const LineAccess& access);
  /// Prefetches the first line of L2 that the access needs; usually it needs only one.
  [[gnu::always_inline]] void prefetch_l2(const LineAccess& access) const {
    const auto number =
        (access.line * sectors_per_line + static_cast<unsigned>(std::countr_zero(access.sectors))) >> l2_sectors_log2_;
    l2_[home(number)].prefetch(number);
  }
  /// The half of L2 that a line belongs to.
  unsigned home(std::uint32_t number) const {
    return l2_.size() == 1 ? 0 : static_cast<unsigned>(std::popcount(number * 0x9e3779b1u)) & 1;
  }
  SectoredCache::Found l2_line(unsigned half, std::uint32_t line, DramSectors& moved);
  void fetch(CachedLine& line, std::uint8_t sectors, DramSectors& moved);
  void write_l2(SectoredCache::Found found, std::uint8_t sectors, const std::uint32_t* bytes);

  std::uint64_t l1_size_ = 0;
  std::vector<SectoredCache> l1_;
  std::vector<SectoredCache> l2_;  ///< its halves
  unsigned l2_sectors_;            ///< per L2 line
  unsigned l2_sectors_log2_;       ///< its logarithm
  unsigned fetch_sectors_;         ///< per DRAM fetch
  unsigned gpcs_;
  std::optional<ReadsInFlight> reads_;  ///< of a device that merges them
  GpuTraffic traffic_;
  std::vector<LineAccess> behind_;  ///< of access()
};

}  // namespace roofline
