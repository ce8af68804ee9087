// Shadow memory of the race check: the last writer and the last readers of each 4 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace roofline::ptx {

/// One access of one thread. Clocks advance at barriers: an access is ordered before what a warp does when that warp
/// has seen the clock of the access (vector clocks, as in "FastTrack", Flanagan and Freund 2009).
struct Access {
  uint32_t block = ~0u;
  uint32_t thread : 10 = 0;
  uint32_t clock : 18 = 0;  // 0: none
  uint32_t bytes : 4 = 0;   // which of the 4

  uint32_t warp() const { return thread / 32; }
};

class RaceShadow {
 public:
  struct Cell {
    Access writer, reader;
  };

  /// `bytes` is the size of a memory that begins at 0, such as shared memory. With 0, entries for any address are made
  /// when it is touched.
  explicit RaceShadow(std::size_t bytes) : dense_(bytes / 4 + 1), sparse_(bytes == 0) {}
  void clear();

  struct Conflict {
    bool found = false;
    bool other_wrote = false;
    Access other;
  };
  /// Notes the access; a conflict when an earlier one is neither ordered (`seen`: clocks of the warp) nor compatible.
  /// `any_block`: accesses of other blocks conflict too.
  Conflict note(uint64_t address, const Access& access, bool write, const std::vector<uint32_t>& seen, bool any_block);

 private:
  static constexpr std::size_t page_cells = 1024;
  using Page = std::array<Cell, page_cells>;
  Conflict judge(Cell& cell, const Access& access, bool write, const std::vector<uint32_t>& seen, bool any_block);

  std::vector<Cell> dense_;
  bool sparse_;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace roofline::ptx
