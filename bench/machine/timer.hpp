#pragma once
#include <functional>

namespace roofline {

/// Runs a launch `batch` times and returns the seconds that took.
using Timer = std::function<double(int batch)>;
/// By the steady clock of this machine.
Timer host_timer(std::function<void()> launch);

using TimerOf = std::function<Timer(std::function<void()>)>;

/// Relative error with which a timer sees a wait of 10 ms whose begin and end another clock tells, the raw monotonic
/// one, which nothing adjusts. What lies between the looks at the two clocks, where the machine may pause, is no error
/// of either. The least of five.
double known_time_error(const TimerOf& timer_of = host_timer);

/// How far the times of 1, 2, 3 and 4 times the same work, half a millisecond and more, are from their ratios: the
/// longest time per work over the shortest, less 1; each time is the least of five.
double nonlinearity(const TimerOf& timer_of = host_timer);

}  // namespace roofline
