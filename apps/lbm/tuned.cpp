#include "apps/lbm/tuned.hpp"

#include "apps/lbm/staged.hpp"

namespace roofline::lbm {

std::vector<StagedForm> staged_forms() { return make_staged_forms<true>(); }

}  // namespace roofline::lbm
