#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline::claims {

/// A number and the interval that it lies in: a median's interval, or one point for counted or published values.
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
/// Nothing is known if an interval contains zero.
inline Value operator/(const Value& a, const Value& b) {
  if (b.low <= 0 && b.high >= 0) return {NAN, NAN, NAN};
  return a * Value{1 / b.value, 1 / b.high, 1 / b.low};
}

/// The result of a comparison of intervals: `unknown` if they overlap.
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

/// One figure that a claim rests on, and where it is from: "measured", "modelled(v100)", "published".
struct Fact {
  Value value;
  std::string origin;
  bool impossible = false;  ///< of a row whose share of a roof contradicts the model: it can refute nothing
};

/// The source of the figures: a run, or the talks.
enum class Backend { cpu, gpu, model, published };
/// "cpu".
std::string name(Backend backend);

/// Which end of a model's assumptions its figures are taken at: all of them at the same one, for they hang together.
enum class End { middle, low, high };

/// Where claims get their figures from: time[ROW], bytes[ROW @DRAM], ceiling[fma], pub[gpp.problem.ncouls].
class Facts {
 public:
  virtual ~Facts() = default;
  /// Absent where there is no such figure.
  virtual std::optional<Fact> find(const std::string& kind, const std::string& subject, End end) const = 0;
  /// Names of the rows that a pattern with '*' covers.
  virtual std::vector<std::string> rows(const std::string& pattern) const = 0;
  virtual Backend backend() const = 0;
};

/// The figures of a run, which must outlive the object, and the published ones.
class RunFacts : public Facts {
 public:
  explicit RunFacts(const Results& run);
  std::optional<Fact> find(const std::string& kind, const std::string& subject, End end) const override;
  std::vector<std::string> rows(const std::string& pattern) const override;
  Backend backend() const override;

 private:
  const KernelPoint* row(const std::string& pattern) const;

  const Results& run_;
  /// The run's ceilings, and by `End` at the ends of their rounds: memory as fast as it ever was beside the slowest
  /// units, and the other way round.
  std::array<Roofline, 3> ceilings_;
};

/// Facts that the talks published, without any run.
class PublishedFacts : public Facts {
 public:
  std::optional<Fact> find(const std::string& kind, const std::string& subject, End end) const override;
  std::vector<std::string> rows(const std::string&) const override { return {}; }
  Backend backend() const override { return Backend::published; }
};

/// A published figure by its path in published.json; absent where there is no number.
std::optional<Fact> published(const std::string& path);

// Figures that belong to no single row. Absent where the run cannot tell.

/// pairs[...]: pairs of rows of which the first is slower in FLOP/s and better used by ten percentage points; the low
/// end counts pairs whose whole ranges say so. rank[...]: Spearman's correlation of intensity at DRAM and FLOP/s, with
/// Fisher's 95 % interval. spread[ceilings]: 1 - lowest / highest of the rounds of each ceiling, the median and the
/// range over the ceilings. verified[ROW]: 1 if the row has a result, because a row is compared with the reference
/// before it gets one.
std::optional<Fact> of_whole_run(const Results& run, const std::string& kind, const std::string& subject);

/// data_txt[fma], data_txt[DRAM], data_txt[ROW @DRAM] (FLOP/B), ert_json[DRAM]: the value that comes back after the run
/// was written in that format and read again.
std::optional<Fact> of_round_trip(const Results& run, const std::string& kind, const std::string& subject);

}  // namespace roofline::claims
