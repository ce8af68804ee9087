#pragma once

namespace roofline {

/// Whether two distances between cores (seconds that a signal takes from one to another) are of cores that lie
/// alike. They are 3 to 6 times apart where cores do and do not share a last cache, and change by a tenth with the
/// clock.
constexpr bool same_distance(double a, double b) {
  constexpr double alike = 1.6;
  return a < alike * b && b < alike * a;
}

/// The same where each may be 0, not known: nothing says that they differ.
constexpr bool may_be_same_distance(double a, double b) { return a <= 0 || b <= 0 || same_distance(a, b); }

}  // namespace roofline
