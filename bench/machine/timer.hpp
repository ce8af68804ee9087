#pragma once
#include <functional>

namespace roofline {

/// Runs a launch `batch` times and returns the seconds that took.
using Timer = std::function<double(int batch)>;
/// By the steady clock of this machine.
Timer host_timer(std::function<void()> launch);

/// Relative error with which host_timer() sees a wait of 10 ms whose end another clock tells, the raw monotonic one,
/// which nothing adjusts. The least of five: to be interrupted is no fault of a clock.
double known_time_error();

}  // namespace roofline
