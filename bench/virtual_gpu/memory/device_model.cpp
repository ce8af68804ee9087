#include "bench/virtual_gpu/memory/device_model.hpp"

namespace roofline {

std::optional<Counts> DeviceModel::count(const std::string&, const Workload& work) {
  if (!work.launch) return std::nullopt;
  auto counts = count_kernels(model_, recorded_kernels(work.launch, false)).counts();
  // The compiler's own FLOPs, and sums over lanes, are shown only if they differ.
  if (work.declared_flops && work.declared_flops != counts.operations.flops())
    counts.details["flops_declared"] = static_cast<double>(work.declared_flops);
  return counts;
}

std::optional<Counts> DeviceModel::operations(const std::string&, const Workload& work) {
  if (!work.launch) return std::nullopt;
  Counts counts;
  Operations executed;
  for (const auto& kernel : recorded_kernels(work.launch, false)) {
    const auto exact = exact_counts(kernel);
    counts.operations += exact.operations;
    executed += executed_by(model_.device(), exact);
  }
  if (executed != counts.operations) counts.executed = executed;
  return counts;
}

}  // namespace roofline
