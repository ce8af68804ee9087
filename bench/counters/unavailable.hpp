#pragma once
#include <stdexcept>

namespace roofline {

/// Hardware counters cannot be used: one line that says why and what to do.
struct CountersUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The device that was asked for cannot be used: one line with the reason and the remedy.
struct DeviceUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace roofline
