#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "bench/space/workload.hpp"

namespace roofline {

/// What a clock tells beside the launches of a timer: within a run, within a tenth of a second even, a core goes from
/// one clock to another.
class ClockBeside {
 public:
  /// `clock` in Hz; empty where there is none.
  explicit ClockBeside(std::function<double()> clock);
  /// The timer, with a look at the clock after a launch where the last look is some time ago.
  Timer watching(Timer time);
  /// Mean of the looks, which is what adds up; 0 where there is no clock.
  double mean() const;

 private:
  std::function<double()> clock_;
  std::shared_ptr<std::vector<double>> looks_ = std::make_shared<std::vector<double>>();
};

}  // namespace roofline
