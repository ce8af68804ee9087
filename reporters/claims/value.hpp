#pragma once
#include <algorithm>
#include <cmath>

namespace roofline::claims {

/// A number and the interval that it lies in: that of a median, or one point for what is counted or published.
struct Value {
  double value = 0, low = 0, high = 0;

  Value() = default;
  Value(double exact) : value(exact), low(exact), high(exact) {}
  Value(double v, double l, double h) : value(v), low(std::min(l, h)), high(std::max(l, h)) {}
  bool exact() const { return low == high; }
};

// Interval arithmetic: too wide where errors are independent, and never too narrow, whatever their cause.

inline Value operator+(const Value& a, const Value& b) { return {a.value + b.value, a.low + b.low, a.high + b.high}; }
inline Value operator-(const Value& a, const Value& b) { return {a.value - b.value, a.low - b.high, a.high - b.low}; }
inline Value operator*(const Value& a, const Value& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {a.value * b.value, low, high};
}
/// Of an interval that holds zero nothing is known.
inline Value operator/(const Value& a, const Value& b) {
  if (b.low <= 0 && b.high >= 0) return {NAN, NAN, NAN};
  return a * Value{1 / b.value, 1 / b.high, 1 / b.low};
}

/// What a comparison of intervals says: `unknown` where they overlap.
enum class Truth { no, unknown, yes };

inline Truth at_most(const Value& a, const Value& b) {
  if (std::isnan(a.value) || std::isnan(b.value)) return Truth::unknown;
  return a.high <= b.low ? Truth::yes : a.low > b.high ? Truth::no : Truth::unknown;
}
inline Truth below(const Value& a, const Value& b) {
  if (std::isnan(a.value) || std::isnan(b.value)) return Truth::unknown;
  return a.high < b.low ? Truth::yes : a.low >= b.high ? Truth::no : Truth::unknown;
}
/// |a - b| <= distance for all, some or none of the interval.
inline Truth near(const Value& a, const Value& b, double distance) {
  const auto gap = a - b;
  if (std::isnan(gap.value)) return Truth::unknown;
  if (gap.low >= -distance && gap.high <= distance) return Truth::yes;
  return gap.high < -distance || gap.low > distance ? Truth::no : Truth::unknown;
}

}  // namespace roofline::claims
