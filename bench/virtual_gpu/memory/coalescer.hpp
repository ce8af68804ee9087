#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace roofline {

inline constexpr unsigned warp_lanes = 32;
inline constexpr unsigned sector_bytes = 32;
inline constexpr unsigned sectors_per_line = 4;  ///< of a 128 B line, the coalescer's unit

/// The requests of a warp. Shared and constant requests add no sectors, because they have storage of their own.
enum class Access : std::uint8_t { global_load, global_store, atomic, local_load, local_store, shared, constant };
inline constexpr std::size_t access_kinds = 7;
constexpr bool is_store(Access access) {
  return access == Access::global_store || access == Access::atomic || access == Access::local_store;
}

/// The sectors of one 128 B line that one request needs.
struct LineAccess {
  std::uint32_t line = 0;  ///< address / 128
  std::uint8_t sectors = 0;
  Access access = Access::global_load;
  std::uint16_t request = 0;                            ///< number of the request within its step
  std::array<std::uint32_t, sectors_per_line> bytes{};  ///< of each sector, bit per byte; stores only
  std::uint8_t half = 0;   ///< of L2, that the SM is next to; only of loads that go on behind L1
  std::uint8_t gpc = 0;    ///< of the SM; only of loads that go on behind L1
  std::uint8_t in_l1 = 0;  ///< sectors that L1 has, too; only of stores that go on behind it
};

/// Requests of one kind: nvprof's gld_transactions and its relatives are the sectors.
struct RequestCounts {
  std::uint64_t requests = 0, sectors = 0, lanes = 0;
  friend bool operator==(const RequestCounts&, const RequestCounts&) = default;
};

/// The accesses of a warp's lanes: lane l, where bit l of `active` is set, accesses `size` bytes (a power of two up to
/// 16, naturally aligned) at `base` + `offset`[l].
struct LaneRequest {
  std::uint64_t base;
  const std::array<std::int64_t, warp_lanes>& offset;
  unsigned size;
  std::uint32_t active;
};

/// Appends the lines that a request of a warp touches, in the order of its lanes, and returns its sectors. Each sector
/// counts once, whatever number of lanes share it.
unsigned coalesce(const LaneRequest& lanes, Access access, std::uint16_t request, std::vector<LineAccess>& lines);

/// The same for lanes side by side, whose bytes are `address`..`address` + `length` - 1: most requests are of this
/// kind, and this is several times as fast. Loads may leave gaps of less than a sector between lanes.
unsigned coalesce_run(std::uint64_t address, std::uint64_t length, Access access, std::uint16_t request,
                      std::vector<LineAccess>& lines);

}  // namespace roofline
