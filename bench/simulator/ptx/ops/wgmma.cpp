#include "bench/simulator/ptx/operation.hpp"

namespace roofline::ptx {

Found find_wgmma(const Statement&) { return {}; }

}  // namespace roofline::ptx
