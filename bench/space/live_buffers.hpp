#pragma once
#include <span>
#include <vector>

namespace roofline {

/// The contents of every Buffer that exists, oldest first: for tests that plant a wrong value in what a kernel has
/// written and expect its verification to notice.
std::vector<std::span<double>> live_buffers();

}  // namespace roofline
