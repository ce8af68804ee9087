// In builds without CUDA there is no code to execute.
#include <stdexcept>

#include "bench/simulator/runtime/virtual_run.hpp"

namespace roofline::runtime {

bool can_run_virtually() { return false; }
void select(Settings) { throw std::logic_error("no CUDA in this build"); }
ptx::Counts executed() { return {}; }
const VirtualDevice& selected_device() { throw std::logic_error("no CUDA in this build"); }
std::vector<std::string> findings() { return {}; }

}  // namespace roofline::runtime
