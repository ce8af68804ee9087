#pragma once
#include <string>

#include "bench/result/reports.hpp"

namespace roofline {

/// Lines and columns that a screen keeps to.
inline constexpr std::size_t screen_lines = 45, screen_width = 100;

/// A run at a glance: the machine and its caches, the roofs, one row a kernel, the roofline as a picture, how well the
/// shares are known, which row to read first, and where the rest is.
std::string screen_text(const Results& results, const Screen& screen);

}  // namespace roofline
