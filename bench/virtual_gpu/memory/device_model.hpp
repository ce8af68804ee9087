#pragma once
#include <optional>
#include <string>
#include <utility>

#include "bench/counters/counter_source.hpp"
#include "bench/virtual_gpu/memory/gpu_model.hpp"

namespace roofline {

/// Counts a launch on a described GPU that is not there.
class DeviceModel final : public CounterSource {
 public:
  explicit DeviceModel(Device device) : model_(std::move(device)) {}
  std::optional<Counts> count(const std::string& row, const Workload& work) override;
  /// Executes the launch, or of a long one its beginning, middle and end.
  std::optional<Counts> operations(const std::string& row, const Workload& work) override;

 private:
  GpuModel model_;
};

}  // namespace roofline
