#include "bench/simulator/ptx/operation.hpp"

namespace roofline::ptx {

Found find_matrix(const Statement&) { return {}; }

}  // namespace roofline::ptx
