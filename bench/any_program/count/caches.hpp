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

/// Bytes of loads and stores.
struct Accessed {
  std::uint64_t loaded = 0, stored = 0;  ///< L1's
  std::uint64_t streamed = 0;            ///< of the stored ones, past the caches
  std::uint64_t local = 0;               ///< of both, see Instruction

  std::uint64_t total() const { return loaded + stored; }
  bool operator==(const Accessed&) const = default;
  Accessed& operator+=(const Accessed& more) { return add(more, 1); }
  Accessed& operator-=(const Accessed& less) { return add(less, ~std::uint64_t{0}); }
  Accessed times(double factor) const {
    const auto scaled = [factor](std::uint64_t n) {
      return static_cast<std::uint64_t>(factor * static_cast<double>(n));
    };
    return {scaled(loaded), scaled(stored), scaled(streamed), scaled(local)};
  }
  /// Several times.
  Accessed& add(const Accessed& more, std::uint64_t times) {
    loaded += times * more.loaded, stored += times * more.stored;
    streamed += times * more.streamed, local += times * more.local;
    return *this;
  }
};

/// Where an instruction goes.
enum class Places {
  any,
  one_line,     ///< the same line again, which says nothing about others
  one_stratum,  ///< lines of the same few sets: perhaps of none that is modelled
};

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
  static constexpr std::uintptr_t line = 64;
  static unsigned stratum_of(std::uintptr_t address) { return static_cast<unsigned>(address / (2 * line)) % strata; }
  static bool are_a_pair(std::uintptr_t a, std::uintptr_t b) { return a / (2 * line) == b / (2 * line); }
  /// Bytes of each of the samples; of whole caches there are none.
  using OfSamples = std::array<double, samples>;

  /// No levels: nothing is modelled. A sample needs lines of 64 bytes. Throws std::invalid_argument as CacheHierarchy
  /// does, and for a sample of fewer than 64 sets.
  Caches(const std::vector<CacheLevel>& levels, bool sampled);

  double last_bytes() const { return last_bytes_; }  ///< of the last level
  bool are_modelled() const { return !parts_.empty(); }
  bool are_sampled() const { return parts_.size() > 1; }

  /// A load or a store whose bytes add() adds. `local`: of data at the stack or of constants, or of a line
  /// that its instruction accesses again and again.
  template <bool write>
  void touch(std::uintptr_t address, unsigned bytes, bool local) {
    if (are_sampled())
      touch_sampled<write>(address, bytes, local);
    else
      whole().touch<write>(address, bytes);
  }
  /// For many touches: these caches, if they are not sampled.
  CacheHierarchy& whole() { return parts_.front(); }
  /// All that instructions did, streaming stores among them.
  void add(const Accessed& more, std::uint64_t times = 1) { accessed_.add(more, times), nominal_.add(more, times); }
  /// The same, of masked and repeated ones, whose bytes their number does not tell.
  void add_varying(const Accessed& more) { accessed_ += more; }
  /// One of these, as if it had one lane or repetition.
  void add_nominal(const Accessed& more) { nominal_ += more; }
  /// Some of these bytes were where their instruction goes, see Trail.
  void add(Places places, std::uint64_t bytes) {
    if (places == Places::one_line) repeated_ += bytes;
    if (places == Places::one_stratum) in_one_stratum_ += bytes;
  }
  std::uint64_t repeated() const { return repeated_; }
  std::uint64_t in_one_stratum() const { return in_one_stratum_; }
  const Accessed& accessed() const { return accessed_; }
  const Accessed& nominal() const { return nominal_; }

  /// Bytes since the begin of a level beyond L1, in DRAM without streaming stores. Estimates where caches are sampled.
  Traffic traffic(MemoryLevel level) const;
  double overwritten() const;
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
  double last_bytes_ = 0;
  Accessed accessed_, nominal_;
  std::uint64_t repeated_ = 0, in_one_stratum_ = 0;
  std::array<std::uint64_t, samples> seen_{};  ///< bytes of loads and stores that were not local
};

/// The last places of an instruction.
class Trail {
 public:
  /// It goes on to this address.
  void add(std::uintptr_t address) { last_[next_++ % last_.size()] = address; }
  Places places() const {
    if (next_ < last_.size()) return Places::any;
    bool line = true, pair = true, stratum = true;
    for (const auto address : last_) {
      line &= address / Caches::line == last_[0] / Caches::line;
      pair &= Caches::are_a_pair(address, last_[0]);
      stratum &= Caches::stratum_of(address) == Caches::stratum_of(last_[0]);
    }
    return line ? Places::one_line : stratum && !pair ? Places::one_stratum : Places::any;
  }

 private:
  std::array<std::uintptr_t, 4> last_{};
  unsigned next_ = 0;
};

}  // namespace roofline::any_program
