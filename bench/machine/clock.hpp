#pragma once

namespace roofline {

/// Core clock in Hz now, measured with a dependent chain of integer multiplies of known latency: about 5 ms a call, the
/// best of several. The TSC is not the core clock.
double measure_clock_hz();

/// Smallest step of the steady clock, in seconds.
double timer_step();

}  // namespace roofline
