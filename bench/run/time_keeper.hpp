#pragma once
#include <chrono>

namespace roofline {

/// The time that a run may take, and what of it is left.
class TimeKeeper {
 public:
  /// `seconds` in all; 0: as long as it takes.
  explicit TimeKeeper(double seconds) : seconds_(seconds) {}

  bool limited() const { return seconds_ > 0; }
  double seconds() const { return seconds_; }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  /// For measuring: a part at the end is kept for the last look at the ceilings and for writing.
  double left() const { return seconds_ - reserve() - elapsed(); }
  /// The ceilings have used up their part: the rest is for kernels, whose first turn is worth more than a better
  /// ceiling, which the end of the run may still find.
  bool ceilings_are_late() const { return limited() && elapsed() > ceilings_part() * seconds_; }
  /// What one of `rows` ceilings still to come may take, at most `usual`, were all of them slow.
  double share_of_ceiling(int rows, double usual) const;
  /// Nothing is left but to write what there is.
  bool is_up() const { return limited() && elapsed() > 0.94 * seconds_; }
  /// What one of `rows` rows still to come may take, at most `usual`.
  double share(int rows, double usual) const;

 private:
  static double ceilings_part() { return 0.3; }
  double reserve() const { return 0.12 * seconds_; }

  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Picks a share of what comes one after the other, evenly.
class EvenShare {
 public:
  /// Whether the next one is picked where `share` of those to come are to be: 0 none, from 1 on all.
  bool picks(double share);

 private:
  double owed_ = 0;
};

}  // namespace roofline
