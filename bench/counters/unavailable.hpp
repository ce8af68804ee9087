#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace roofline {

/// Hardware counters cannot be used: one line that says why and what to do.
struct CountersUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The device that was asked for cannot be used: one line with the reason and the suggestion.
struct DeviceUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Adds what a source of counters has to say, once, however many rows meet it.
inline void warn_once(std::vector<std::string>& warnings, const std::string& line) {
  if (std::find(warnings.begin(), warnings.end(), line) == warnings.end()) warnings.push_back(line);
}

}  // namespace roofline
