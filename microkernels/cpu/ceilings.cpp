#include "microkernels/ceilings.hpp"

#include "bench/suite/suite.hpp"
#include "microkernels/ert/sweep.hpp"

namespace roofline {
namespace {

const CeilingRegistrar registered(Platform::cpu,
                                  {[](Suite& suite) {
                                     add_flops_ceilings(suite), add_bandwidth_ceilings(suite);
                                     add_instruction_ceilings(suite), add_fork_join_ceiling(suite);
                                   },
                                   [](const Suite& suite) { return run_ert(suite.machine(), suite.threads()); },
                                   read_probe});

}  // namespace
}  // namespace roofline
