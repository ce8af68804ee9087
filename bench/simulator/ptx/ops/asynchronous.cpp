#include "bench/simulator/ptx/operation.hpp"

namespace roofline::ptx {

Found find_asynchronous(const Statement&) { return {}; }

}  // namespace roofline::ptx
