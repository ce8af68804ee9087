#include "bench/virtual_gpu/stream/call.hpp"

namespace roofline::runtime {

/// What every function does that the virtual GPU does not have.
int refused(const char* function) { return refuse(function); }

}  // namespace roofline::runtime
