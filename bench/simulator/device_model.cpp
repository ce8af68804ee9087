#include "bench/simulator/device_model.hpp"

#include "bench/simulator/bridge/launch_counts.hpp"

namespace roofline {

std::optional<Counts> DeviceModel::count(const std::string&, const Workload& work) {
  if (const auto* const simulate = std::get_if<Simulation>(&work.modelled)) return (*simulate)(model_).counts();
  if (!work.launch) return std::nullopt;
  return count_kernels(model_, recorded_kernels(work.launch, false)).counts();
}

}  // namespace roofline
