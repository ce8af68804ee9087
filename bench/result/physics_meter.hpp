#pragma once
#include <cmath>
#include <string>
#include <utility>

#include "bench/result/physics.hpp"

namespace roofline {

/// A check under way: keeps the worst value that it is shown, and where.
class PhysicsMeter {
 public:
  /// `worse` says whether a value is further off than another.
  PhysicsMeter(std::string id, std::string what, std::string limit, bool (*worse)(double, double) = is_greater)
      : check_{.id = std::move(id), .what = std::move(what), .limit = std::move(limit)}, worse_(worse) {}

  static bool is_greater(double a, double b) { return a > b; }
  static bool is_less(double a, double b) { return a < b; }

  void see(double value, const std::string& where) {
    if (check_.value && !std::isnan(value) && (std::isnan(*check_.value) || !worse_(value, *check_.value))) return;
    check_.value = value, check_.where = where;
  }

  /// Ok up to `warn_at`, a warning up to `fail_at`; beyond, and when it is not a number, it fails.
  PhysicsCheck judged(double warn_at, double fail_at) && {
    if (!check_.value) return std::move(check_);
    const double value = *check_.value;
    check_.verdict = !std::isfinite(value)     ? PhysicsCheck::Verdict::fail
                     : !worse_(value, warn_at) ? PhysicsCheck::Verdict::ok
                     : !worse_(value, fail_at) ? PhysicsCheck::Verdict::warn
                                               : PhysicsCheck::Verdict::fail;
    return std::move(check_);
  }
  PhysicsCheck judged(double fail_at) && { return std::move(*this).judged(fail_at, fail_at); }

  /// The value is a change or a share.
  PhysicsMeter relative() && {
    check_.relative = true;
    return std::move(*this);
  }

  PhysicsMeter deterministic() && {
    check_.deterministic = true;
    return std::move(*this);
  }

  PhysicsCheck without_value(std::string why) && {
    check_.where = std::move(why);
    return std::move(check_);
  }

 private:
  PhysicsCheck check_;
  bool (*worse_)(double, double);
};

// What the ceilings of a run say of each other and of theory; physics_checks() has them all.

PhysicsCheck bandwidths_agree(const Results& results);
PhysicsCheck compute_ceilings_plausible(const Results& results);
PhysicsCheck dram_below_theory(const Results& results);

}  // namespace roofline
