#pragma once
#include <optional>

namespace roofline::cuda {

/// Loads the device until two readings of its SM clock one after the other agree within 1 %, for half a second at most,
/// and gives the last one in Hz. An idle device has a low clock and takes its time to raise it: what is calibrated or
/// timed meanwhile belongs to no clock. Throws Error.
double settled_clock();

/// The code that the device runs of this build, as cudaFuncAttributes has it: 90 is 9.0.
struct RunningCode {
  int binary = 0, ptx = 0;
};
/// Absent where the build has none for it. Forgets the error of that.
std::optional<RunningCode> running_code();

}  // namespace roofline::cuda
