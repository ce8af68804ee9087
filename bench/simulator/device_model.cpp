#include "bench/simulator/device_model.hpp"

namespace roofline {

std::optional<Counts> DeviceModel::count(const std::string&, const Workload& work) {
  const auto* const simulate = std::get_if<Simulation>(&work.modelled);
  return simulate ? std::optional((*simulate)(model_).counts()) : std::nullopt;
}

}  // namespace roofline
