#pragma once

namespace roofline::runtime {

/// The virtual device's version of a function of libcuda; nullptr where there is none.
void* driver_function(const char* name);

}  // namespace roofline::runtime
