#include "microkernels/ceilings.hpp"

#include "bench/suite/suite.hpp"
#include "microkernels/ert/sweep.hpp"

namespace roofline {
namespace {

const CeilingRegistrar registered(Platform::cpu,
                                  {{add_flops_ceilings, add_bandwidth_ceilings, add_instruction_ceilings},
                                   [](const Suite& suite) { return run_ert(suite.machine(), suite.threads()); },
                                   read_probe});

}  // namespace
}  // namespace roofline
