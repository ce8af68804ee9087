#pragma once
#include <utility>
#include <vector>

#include "bench/machine/watch.hpp"

namespace roofline {

/// The samples of one measurement, by what disturbed them.
class Samples {
 public:
  struct Sample {
    double seconds = 0, pace = 1;
  };
  /// Those that a result is made of.
  struct Chosen {
    std::vector<Sample> samples;
    double disturbed_share = 0;
  };

  void add(const Sample& sample, const Disturbance& disturbance);

  int size() const { return static_cast<int>(all_.size()); }
  int undisturbed() const { return count_[0]; }
  /// In the order in which they were taken. Without `only_good` all; else the undisturbed ones and, where they are
  /// fewer than `least`, as many others as are lacking: those that met a busy machine before those that lost their
  /// cores.
  Chosen chosen(int least, bool only_good) const;

 private:
  enum Grade { quiet, busy, robbed };
  std::vector<std::pair<Sample, Grade>> all_;
  int count_[3] = {};
};

}  // namespace roofline
