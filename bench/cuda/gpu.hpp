#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/cuda/nvml.hpp"
#include "bench/machine/gpu_facts.hpp"

namespace roofline {

/// The GPUs, or in words why there are none, and what whoever asked for one can do.
struct Gpus {
  std::vector<Gpu> found;
  std::string why_none, what_to_do;  ///< also where some were left out
};

/// Asks the CUDA runtime. Never throws; in a build without CUDA there are none.
Gpus find_gpus();

/// Leaves out GPUs that no code of this build runs on, and says so. Code runs on a GPU of its generation that is not
/// older, PTX on every one that is not older. Compute capabilities of the build's machine code and PTX: ",75,90,".
void leave_out_without_code(Gpus& gpus, std::string_view machine_code, std::string_view ptx);

/// The one that this process uses. Throws cuda::Error when there is none; only in builds with CUDA.
Gpu current_gpu();

/// The code that runs on a device, according to that code: "sm_90", or "PTX 7.5, compiled by the driver" where this
/// build has no machine code for it. Versions as in cudaFuncAttributes, 90 is 9.0; `targets` of the build's machine
/// code: ",75,90,".
std::string code_text(int binary_version, int ptx_version, std::string_view targets);

/// Rows of the machine table that only the current device can give: address, code, state. Does not throw.
std::vector<std::pair<std::string, std::string>> describe_gpu(const Gpu& gpu);

/// Why a driver that knows CUDA `driver` (12040 is 12.4) cannot run a build with `runtime`, and what to do. `release`:
/// "550.54.15", or empty.
std::pair<std::string, std::string> old_driver(int driver, int runtime, const std::string& release);

}  // namespace roofline
