#include "apps/lbm/lattice.hpp"

namespace roofline::lbm {

const Tables static_tables = known_tables;

}  // namespace roofline::lbm
