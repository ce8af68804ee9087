#pragma once
#include <cmath>
#include <string>
#include <utility>

#include "bench/result/sanity.hpp"

namespace roofline {

/// A check under way: keeps the worst value that it is shown, and where.
class SanityMeter {
 public:
  /// `worse` says whether a value is further off than another.
  SanityMeter(std::string id, std::string what, std::string limit, bool (*worse)(double, double) = is_greater)
      : check_{.id = std::move(id), .what = std::move(what), .limit = std::move(limit)}, worse_(worse) {}

  static bool is_greater(double a, double b) { return a > b; }
  static bool is_less(double a, double b) { return a < b; }

  void see(double value, const std::string& where) {
    if (check_.value && !std::isnan(value) && (std::isnan(*check_.value) || !worse_(value, *check_.value))) return;
    check_.value = value, check_.where = where;
  }

  /// Ok up to `warn_at`, a warning up to `fail_at`; beyond, and when it is not a number, it fails.
  SanityCheck judged(double warn_at, double fail_at) && {
    if (!check_.value) return std::move(check_);
    const double value = *check_.value;
    check_.verdict = !std::isfinite(value)     ? SanityCheck::Verdict::fail
                     : !worse_(value, warn_at) ? SanityCheck::Verdict::ok
                     : !worse_(value, fail_at) ? SanityCheck::Verdict::warn
                                               : SanityCheck::Verdict::fail;
    return std::move(check_);
  }
  SanityCheck judged(double fail_at) && { return std::move(*this).judged(fail_at, fail_at); }

  /// The value is a change or a share.
  SanityMeter relative() && {
    check_.relative = true;
    return std::move(*this);
  }

  SanityMeter deterministic() && {
    check_.deterministic = true;
    return std::move(*this);
  }

  SanityCheck without_value(std::string why) && {
    check_.where = std::move(why);
    return std::move(check_);
  }

 private:
  SanityCheck check_;
  bool (*worse_)(double, double);
};

// Compares the ceilings of a run with each other and with theory; sanity_checks() has all checks.

SanityCheck bandwidths_agree(const Results& results);
SanityCheck compute_ceilings_plausible(const Results& results);
SanityCheck dram_below_theory(const Results& results);

}  // namespace roofline
