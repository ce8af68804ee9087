#include "bench/virtual_gpu/stream/call.hpp"

namespace roofline::runtime {

/// Every function that the virtual GPU does not have ends here.
int refused(const char* function) { return refuse(function); }

}  // namespace roofline::runtime
