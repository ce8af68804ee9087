// In builds without CUDA there is no code to execute.
#include <stdexcept>

#include "bench/virtual_gpu/memory/gpu_model.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {

std::vector<GpuKernel> recorded_kernels(const std::function<void()>&, bool) {
  throw std::logic_error("no CUDA in this build");
}

}  // namespace roofline

namespace roofline::runtime {

bool can_run_virtually() { return false; }
void select(Settings) { throw std::logic_error("no CUDA in this build"); }
Scope::Scope(const std::string&) {}
Scope::~Scope() = default;
bool selected() { return false; }
bool untimed() { return false; }
ptx::Counts executed() { return {}; }
const VirtualDevice& selected_device() { throw std::logic_error("no CUDA in this build"); }
std::vector<std::string> findings() { return {}; }

}  // namespace roofline::runtime
