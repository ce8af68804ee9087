// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "bench/any_program/count/bytes.hpp"
#include "bench/any_program/counter/windows.hpp"

namespace roofline::any_program {

/// The work of a thread while the same regions were open.
struct Tally {
  std::vector<std::uint64_t> counters;           ///< by record
  std::unordered_map<int, WindowedBytes> bytes;  ///< by function
  std::map<int, std::uint64_t> flops_below;      ///< by function of the program: FLOPs of libraries that it called
};

/// The caches of one thread of the program, and what it did.
class Cpu {
 public:
  /// No levels: bytes are not counted.
  Cpu(const std::vector<CacheLevel>& levels, bool sampled) : caches_(levels, sampled) {}

  std::map<int, Tally> tallies;        ///< by the number of a set of regions
  int caller = -1;                     ///< the function of the program that was seen last
  int own_regions = 0;                 ///< those that this thread opened, a set of Regions
  bool marks = false;                  ///< whether it ever opened one
  std::uint32_t read = 0;              ///< parts of its words that were read
  std::size_t word = 0;                ///< words of the next part that were read
  std::vector<std::uint64_t> counted;  ///< its counters when another set of regions was opened last

  Tally& tally() { return tallies[regions_]; }
  /// Another set of regions is open from here on.
  void enter(int regions) {
    turn_to(-1);
    regions_ = regions;
  }
  /// From here on loads and stores are those of this function.
  void turn_to(int function) {
    if (function != function_ && caches_.are_modelled()) change_function(function);
  }
  Caches& caches() { return caches_; }
  /// Some more words were read. Returns in how many the last cache gets as many lines as it has.
  std::uint64_t turnover(std::uint64_t words);
  /// The next words are of this state.
  void turn_to(Windows::State state) {
    if (state != state_) change_state(state);
  }

 private:
  void change_function(int function);
  void change_state(Windows::State state);
  /// Gives the function what was done since the last time.
  void settle();

  Caches caches_;
  Windows::State state_ = Windows::State::whole;
  std::uint64_t words_ = 0;  ///< since the state began
  double read_ = 0;          ///< from DRAM, when it began
  Accessed accessed_before_, nominal_before_;
  std::uint64_t repeated_before_ = 0, in_one_stratum_before_ = 0;
  Moved moved_before_;
  int function_ = -1;                      ///< whose the traffic since then is
  WindowedBytes* its_ = nullptr;           ///< that function's bytes
  std::vector<WindowedBytes*> in_window_;  ///< of the functions that the window has seen
  int regions_ = 0;
};

}  // namespace roofline::any_program
