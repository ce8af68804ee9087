#include "apps/lbm/staged.hpp"

namespace roofline::lbm {

std::vector<StagedTuning> staged_tunings() { return make_staged_tunings<true>(); }

}  // namespace roofline::lbm
