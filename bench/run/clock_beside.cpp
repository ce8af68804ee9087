#include "bench/run/clock_beside.hpp"

#include <numeric>
#include <utility>

#include "bench/machine/clocks.hpp"

namespace roofline {
namespace {

constexpr double between_looks = 0.05;  // s: a look takes 1.5 ms

}  // namespace

ClockBeside::ClockBeside(std::function<double()> clock) : clock_(std::move(clock)) {}

Timer ClockBeside::watching(Timer time) {
  if (!clock_) return time;
  looks_->push_back(clock_());
  return [time = std::move(time), clock = clock_, looks = looks_, last = Clock::now()](int batch) mutable {
    const double seconds = time(batch);
    if (seconds_since(last) > between_looks) looks->push_back(clock()), last = Clock::now();
    return seconds;
  };
}

double ClockBeside::mean() const {
  if (looks_->empty()) return 0;
  return std::accumulate(looks_->begin(), looks_->end(), 0.0) / static_cast<double>(looks_->size());
}

}  // namespace roofline
