// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/cache_model/cache_hierarchy.hpp"

namespace roofline::any_program {

/// The caches of one thread: whole, or an eighth of the sets of each.
///
/// A line stays in one set of each cache, and sets know nothing of each other. So a part of the sets, with the lines
/// that belong there, behaves as it does among all: its bytes are exact, and eight times as many are an estimate of
/// all. (Caches have a multiple of 64 sets here; others are rounded down to one.) The 32 pairs of neighbouring sets
/// that a line's address chooses among (of the nearest cache, or of 64 sets of a farther one) are the strata; four of
/// them are modelled, each by caches of its own. Their differences give the error.
class Caches {
 public:
  static constexpr unsigned samples = 4, strata = 32;
  /// Bytes of each of the samples; of whole caches there are none.
  using OfSamples = std::array<double, samples>;

  /// No levels: nothing is modelled. A sample needs lines of 64 bytes. Throws std::invalid_argument as CacheHierarchy
  /// does, and for a sample of fewer than 64 sets.
  Caches(const std::vector<CacheLevel>& levels, bool sampled);

  bool are_modelled() const { return !parts_.empty(); }
  bool are_sampled() const { return parts_.size() > 1; }

  /// A load or a store whose bytes add_bytes() adds. `local`: of data at the stack or of constants.
  template <bool write>
  void touch(std::uintptr_t address, unsigned bytes, bool local) {
    if (are_sampled())
      touch_sampled<write>(address, bytes, local);
    else
      whole().touch<write>(address, bytes);
  }
  /// For many touches: these caches, if they are not sampled.
  CacheHierarchy& whole() { return parts_.front(); }
  /// All that an instruction did, streaming stores among them.
  void add_bytes(std::uint64_t loaded, std::uint64_t stored, std::uint64_t streamed) {
    loaded_ += loaded, stored_ += stored + streamed, streamed_ += streamed;
  }

  /// Bytes since the begin. Those beyond L1 are estimates where caches are sampled.
  Traffic traffic(MemoryLevel level) const;
  double overwritten() const;
  double streamed() const { return static_cast<double>(streamed_); }
  double paired() const;
  /// Each sample's estimate of all bytes of a level; in L1, of all but the local ones and streaming stores.
  OfSamples of_samples(MemoryLevel level) const;

  template <bool write>
  void touch_sampled(std::uintptr_t address, unsigned bytes, bool local) {
    const auto last = address + bytes - 1;
    // Seven of eight are in no sample.
    if (!is_chosen(address) && !is_chosen(last) && bytes <= line) return;
    for (auto begin = address; begin <= last;) {
      const auto end = std::min(last, begin | (line - 1));
      if (is_chosen(begin)) touch_part<write>(begin, static_cast<unsigned>(end - begin + 1), local);
      begin = end + 1;
    }
  }

 private:
  /// A quantity of all parts, scaled to all sets.
  template <class Quantity>
  double of_all(const Quantity& quantity) const {
    double sum = 0;
    for (const auto& part : parts_) sum += static_cast<double>(quantity(part));
    return are_sampled() ? strata / samples * sum : sum;
  }

  static constexpr std::uintptr_t line = 64;
  static unsigned stratum_of(std::uintptr_t address) { return static_cast<unsigned>(address / (2 * line)) % strata; }
  static bool is_chosen(std::uintptr_t address) { return chosen_ >> stratum_of(address) & 1; }

  /// A line in a sample is touched.
  template <bool write>
  void touch_part(std::uintptr_t address, unsigned bytes, bool local) {
    // The lines of a stratum lie in pairs, one behind the other.
    const auto within = address / (2 * line * strata) * (2 * line) + address % (2 * line);
    const auto before = chosen_ & ((1u << stratum_of(address)) - 1);
    const auto sample = static_cast<std::size_t>(std::popcount(before));
    parts_[sample].touch<write>(within, bytes);
    if (!local) seen_[sample] += bytes;
  }

  /// Drawn once; even ones or odd ones alone would miss every other place of a stride.
  static constexpr std::uint32_t chosen_ = 1u << 2 | 1u << 13 | 1u << 20 | 1u << 31;
  static_assert(std::popcount(chosen_) == samples);
  std::vector<CacheHierarchy> parts_;
  std::uint64_t loaded_ = 0, stored_ = 0, streamed_ = 0;
  std::array<std::uint64_t, samples> seen_{};  ///< bytes of loads and stores that were not local
};

}  // namespace roofline::any_program
