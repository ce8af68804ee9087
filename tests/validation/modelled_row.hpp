#pragma once
#include <string>
#include <vector>

#include "bench/suite/suite.hpp"
#include "bench/virtual_gpu/memory/gpu_model.hpp"

namespace roofline {

/// A row as a virtual GPU would run it: its compiled kernels, and what they work on.
struct ModelledRow {
  Workload work;
  std::vector<GpuKernel> kernels;

  GpuCounts count(const GpuModel& model) const { return count_kernels(model, kernels); }
};

/// The row of that name, of a family at these sizes; a virtual device has to be selected. Throws std::invalid_argument
/// where there is none.
ModelledRow modelled_row(const std::string& name, const std::string& family, const Sizes& sizes);

}  // namespace roofline
