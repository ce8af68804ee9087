#pragma once
#include <memory>
#include <vector>

#include "bench/suite/suite.hpp"
#include "microkernels/cpu/bandwidth_isa.hpp"
#include "microkernels/memory_block.hpp"

namespace roofline {

/// For each thread the part of the block that a thread next to another memory node touched first. `nodes` has the node
/// of each thread. Empty where it is not known, or where more than half of the threads are next to one node.
std::vector<int> parts_of_other_nodes(const std::vector<int>& nodes, int threads);

/// Arrays of all threads under one access mix. Every thread has its own arrays, next to each other in its part of the
/// block, and is the first to touch them.
///
/// A launch works on one of `windows` equal parts of the arrays, the next launch on the next: large sets give short
/// launches, and a line is used again only after all the others.
class ArraySweep {
 public:
  /// Doubles of a block that holds arrays of `set_bytes` in all.
  static Index block_size(double set_bytes, int threads);

  /// `apart`: the arrays of a thread lie side by side, as sets of caches do; else each array is in one piece, of which
  /// a thread has a part, as kernels have it: triads at DRAM are 2 to 4 % faster so (Zen 5, ten blocks of 256 MiB).
  ArraySweep(std::shared_ptr<MemoryBlock> block, const BandwidthKernel& kernel, int threads, double set_bytes,
             int windows, bool apart);
  /// The same, apart: each thread works on the part of the block that the thread of this number touched first.
  ArraySweep(std::shared_ptr<MemoryBlock> block, const BandwidthKernel& kernel, double set_bytes, int windows,
             std::vector<int> parts);

  /// So many launches in one parallel region, each of `sweeps` over its window.
  void run(long sweeps, int launches = 1);
  /// Everything that the runs so far should have left behind.
  Check check() const;

  double set_bytes() const { return elements() * facts(kernel_.mix).arrays * sizeof(double); }
  double elements_per_run() const { return elements() / windows(); }

 private:
  struct Window {
    long last = 0, total = 0;  ///< sweeps of the last run, of all runs
  };

  /// The last call of run().
  struct Run {
    int window = 0;  ///< of its first launch
    int launches = 0;
    long sweeps = 0;  ///< of each
  };

  void fill_arrays(double set_bytes);
  double elements() const { return static_cast<double>(n_) * threads_; }
  int windows() const { return static_cast<int>(windows_.size()); }
  Index length() const { return n_ / windows(); }  ///< elements of a window
  double* array(int thread, int which) const;
  double expected_sum() const;
  double expected(const Window& window, Index i) const;

  std::shared_ptr<MemoryBlock> block_;
  BandwidthKernel kernel_;
  int threads_;
  bool apart_;
  std::vector<int> parts_;  ///< of the block, by thread
  Index n_ = 0;             ///< elements of an array of one thread
  std::vector<Window> windows_;
  Run last_;
  std::vector<double> sums_;  ///< of the last run, by thread
};

}  // namespace roofline
