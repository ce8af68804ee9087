#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "bench/machine/machine.hpp"

namespace roofline {

/// Where the cores lay during a run, as far as their distance tells.
struct CoreDistances {
  double home = 0;        ///< seconds: the distance at which the run spent most of its looks' time
  double away = 0;        ///< the one of the others at which it spent most; 0: none
  double share_away = 0;  ///< of the time that was looked at
};

/// The distance of the cores from one another, looked at beside samples. A hypervisor moves the cores of a guest
/// between parts of a processor that share a last cache and parts that do not: for some seconds or minutes L3 is
/// another one, and DRAM up to twice as fast, because two parts have two ways to it. Samples of one placement say
/// nothing of another.
class Placement {
 public:
  using Clock = std::chrono::steady_clock;

  /// `distance` in seconds; empty where cores stay where they are, or there is but one.
  explicit Placement(std::function<double()> distance = {}) : distance_(std::move(distance)) {}

  /// The distance now; 0 where it is not looked at.
  double look();
  /// The same for a look that was made at a given time.
  void note(double distance, Clock::time_point when);
  /// The distance at which most of the time so far was spent; 0 before the first look.
  double home() const;
  bool at_home(double distance) const;
  /// Absent where nothing was looked at.
  std::optional<CoreDistances> summary() const;

 private:
  struct Place {
    double distance = 0, seconds = 0;
  };
  const Place* most(const Place* other_than) const;

  std::function<double()> distance_;
  std::vector<Place> places_;
  std::optional<Clock::time_point> last_;
};

/// That of the cores of a pinned team. Nothing moves the cores of a machine itself, nor a single one away from itself.
Placement placement_of(const Machine& machine, int threads);

}  // namespace roofline
