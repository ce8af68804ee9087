#pragma once
#include <vector>

namespace roofline {

/// A logarithmic axis: maps positive values onto positions, pixels or character cells.
struct LogAxis {
  double low = 1, high = 10;  ///< values at the ends, low < high
  double begin = 0, end = 1;  ///< their positions; begin > end for an axis that points up in a picture

  double position(double value) const;
  double value(double position) const;
  /// Length of a factor of ten, with its sign.
  double per_decade() const;
  bool contains(double value) const { return value >= low && value <= high; }

  /// Powers of ten on the axis.
  std::vector<double> decades() const;
  /// 2..9 times powers of ten on the axis.
  std::vector<double> minor_ticks() const;
  /// Ticks that carry a number: the decades, and on an axis shorter than two of them also 2 and 5 times these.
  std::vector<double> labelled_ticks() const;
};

/// The smallest and largest of positive values; others are ignored.
struct LogRange {
  double low = 0, high = 0;  ///< 0 while empty

  void include(double value);
  bool empty() const { return high <= 0; }
  /// Wider by a factor at both ends, and at least `decades` long.
  LogRange padded(double factor, double decades) const;
};

}  // namespace roofline
