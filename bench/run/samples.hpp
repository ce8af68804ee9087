#pragma once
#include <utility>
#include <vector>

#include "bench/machine/watch.hpp"

namespace roofline {

/// The samples of one measurement, by what disturbed them and by where the cores lay.
class Samples {
 public:
  struct Sample {
    double seconds = 0, pace = 1;
    double distance = 0;  ///< of the cores from one another: see Placement; 0: not looked at, or it does not matter
    bool moved = false;   ///< they lay otherwise after it than before
    double least = 0;     ///< seconds it would have taken at least, had no thread waited for its core; 0: as it did
  };
  /// Those that a result is made of.
  struct Chosen {
    std::vector<Sample> samples;
    double disturbed_share = 0;
  };

  void add(const Sample& sample, const Disturbance& disturbance);

  int size() const { return static_cast<int>(all_.size()); }
  /// Those that chosen() chooses from.
  int of_one_place(int least, double home) const { return static_cast<int>(place(least, home).size()); }
  /// At the distance `home`.
  int undisturbed(double home) const;
  /// In the order in which they were taken, those of one placement: of the one at the distance `home` where they are
  /// `least` or more, else of the one that has most. Without `only_good` all of these; else the undisturbed ones and,
  /// where they are fewer than `least`, as many others as are lacking: those that met a busy machine before those that
  /// lost their cores, of these the ones that lost the smallest part of their time.
  Chosen chosen(int least, bool only_good, double home) const;

 private:
  enum Grade { quiet, busy, robbed };
  using Graded = std::pair<Sample, Grade>;

  /// The part of its time that it lost.
  static double lost(const Sample& sample) { return sample.least > 0 ? 1 - sample.least / sample.seconds : 0; }

  std::vector<const Graded*> near(double distance) const;
  std::vector<const Graded*> place(int least, double home) const;

  std::vector<Graded> all_;
};

}  // namespace roofline
