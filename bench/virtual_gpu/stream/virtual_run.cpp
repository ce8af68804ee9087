#include "bench/virtual_gpu/runtime/virtual_run.hpp"

#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {

bool can_run_virtually() { return true; }

ptx::Counts executed() {
  ptx::Counts sum;
  for (const auto& kernel : process().statistics.kernels()) sum += kernel.counts;
  return sum;
}

const VirtualDevice& selected_device() { return process().device; }

std::vector<std::string> findings() {
  std::vector<std::string> lines;
  for (const auto& kernel : process().statistics.kernels())
    for (const auto& finding : kernel.findings) lines.push_back(ptx::describe(finding));
  return lines;
}

}  // namespace roofline::runtime
