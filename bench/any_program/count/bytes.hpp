// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include "bench/any_program/count/caches.hpp"

namespace roofline::any_program {

/// The traffic between levels in the model. L1 has samples alone: its bytes are known without a model.
struct Moved {
  std::array<Traffic, memory_levels.size()> levels{};             ///< DRAM's without streaming stores
  std::array<Caches::OfSamples, memory_levels.size()> samples{};  ///< see Caches
  double overwritten = 0, paired = 0;                             ///< see CacheHierarchy
  /// Bytes that were accessed in lines of any set: all but local, repeated and streaming ones. See Trail.
  double spread = 0, in_one_stratum = 0;

  void add(const Moved& more, double factor);
};

/// The loads and stores of a function, and the traffic that they caused.
struct Bytes {
  Accessed accessed;
  Moved moved;
  /// Squares of the standard errors by what was left out between windows, and half ranges that do not cancel.
  std::array<double, memory_levels.size()> variances{}, biases{};

  Bytes& operator+=(const Bytes& more);
};

/// A function's bytes, of which the model saw all or some: see Windows.
class WindowedBytes {
 public:
  /// Bytes that it was seen to access, and as many as its instructions' numbers tell: see Caches::add_nominal().
  void add(const Accessed& more, const Accessed& nominal) { seen_ += more, nominal_ += nominal; }
  /// The traffic of these, while nothing was left out.
  void add_whole(const Accessed& more, const Accessed& nominal, const Moved& moved) {
    whole_ += more, nominal_whole_ += nominal, moved_.add(moved, 1);
  }
  /// The same within a window. True: the first ones of it.
  bool add_to_window(const Accessed& more, const Moved& moved);
  void close_window();

  /// All bytes, where nothing was left out.
  Bytes all() const { return {seen_, moved_, {}, {}}; }
  /// All bytes, where something was. The numbers of its instructions tell what it accessed, but for lanes and
  /// repetitions. To this, what moved has the ratio of the windows, with the variance of a ratio's estimator (Cochran,
  /// Sampling Techniques, section 6.4).
  Bytes estimate(const Accessed& nominal) const;

 private:
  Accessed accessed(const Accessed& nominal) const;

  Accessed seen_, nominal_, whole_, nominal_whole_, window_;
  Moved moved_, in_windows_, in_window_;
  double windows_ = 0, accessed_ = 0;  ///< their number, and bytes accessed in them
  double accessed_squared_ = 0;        ///< sum of the squares over windows
  std::array<double, memory_levels.size()> moved_squared_{}, products_{};
};

}  // namespace roofline::any_program
