// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "bench/any_program/count/caches.hpp"

namespace roofline::any_program {

/// The traffic between levels that a function caused.
struct Bytes {
  std::array<Traffic, memory_levels.size()> levels;
  std::array<Caches::OfSamples, memory_levels.size()> samples{};  ///< see Caches
  double overwritten = 0, streamed = 0, paired = 0;               ///< see CacheHierarchy
  double local = 0;                                               ///< of L1, see Instruction

  Bytes& operator+=(const Bytes& more) { return add(more, 1); }
  Bytes& operator-=(const Bytes& less) { return add(less, -1); }

 private:
  Bytes& add(const Bytes& other, double sign) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      levels[i].read += sign * other.levels[i].read;
      levels[i].written += sign * other.levels[i].written;
      for (std::size_t k = 0; k < samples[i].size(); ++k) samples[i][k] += sign * other.samples[i][k];
    }
    overwritten += sign * other.overwritten, streamed += sign * other.streamed, paired += sign * other.paired;
    local += sign * other.local;
    return *this;
  }
};

/// The work of a thread while the same regions were open.
struct Tally {
  std::vector<std::uint64_t> counters;       ///< by record
  std::map<int, Bytes> bytes;                ///< by function
  std::map<int, std::uint64_t> flops_below;  ///< by function of the program: FLOPs of libraries that it called
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
  /// The last loads or stores, some bytes of them, were of local data.
  void add_local(std::uint64_t bytes) { local_ += bytes; }

 private:
  void change_function(int function);

  Caches caches_;
  Bytes before_;
  int function_ = -1;  ///< whose the traffic since `before_` is
  int regions_ = 0;
  std::uint64_t local_ = 0;
};

}  // namespace roofline::any_program
