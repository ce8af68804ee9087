#include "bench/virtual_gpu/memory/device_model.hpp"

#include "bench/virtual_gpu/bridge/launch_counts.hpp"

namespace roofline {

std::optional<Counts> DeviceModel::count(const std::string&, const Workload& work) {
  if (!work.launch) return std::nullopt;
  auto counts = count_kernels(model_, recorded_kernels(work.launch, false)).counts();
  // What the compiler made of the source, and sums over lanes: shown where it differs.
  if (work.declared_flops && work.declared_flops != counts.operations.flops())
    counts.details["flops_declared"] = static_cast<double>(work.declared_flops);
  return counts;
}

}  // namespace roofline
