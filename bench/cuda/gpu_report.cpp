#include "bench/cuda/gpu_report.hpp"

#include <fmt/format.h>

#include "bench/cuda/device_probe.hpp"
#include "bench/cuda/gpu.hpp"

namespace roofline {
namespace {

/// The place of a GPU among all in the order of nvidia-smi.
int number_by_bus(const std::string& bus) {
  int before = 0;
  for (const auto& other : find_gpus().found) before += other.bus < bus;
  return before;
}

std::string cuda_version(int v) { return fmt::format("{}.{}", v / 1000, v % 1000 / 10); }

}  // namespace

std::string code_text(int binary_version, int ptx_version, std::string_view targets) {
  if (targets.find(fmt::format(",{},", binary_version)) == std::string_view::npos)
    return fmt::format("PTX {}.{}, compiled by the driver", ptx_version / 10, ptx_version % 10);
  return fmt::format("sm_{}", binary_version);
}

std::vector<std::pair<std::string, std::string>> describe_gpu(const Gpu& gpu) {
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("bus", fmt::format("{}, {}", gpu.bus, gpu.uuid));
  if (const int number = number_by_bus(gpu.bus); number != gpu.index)
    rows.emplace_back("", fmt::format("nvidia-smi's number {}: CUDA counts the fastest first, CUDA_DEVICE_ORDER="
                                      "PCI_BUS_ID as nvidia-smi does",
                                      number));
  if (const auto code = cuda::running_code())
    rows.emplace_back("code", code_text(code->binary, code->ptx, ROOFLINE_GPU_TARGETS));
  else
    rows.emplace_back("code", fmt::format("none for compute capability {}.{} in this build; "
                                          "-DROOFLINE_CUDA_ARCHITECTURES=native makes it",
                                          gpu.major, gpu.minor));
  if (const auto state = gpu_state(gpu.bus))
    rows.emplace_back("state", state->text());
  else
    rows.emplace_back("state", "unknown: no NVML (libnvidia-ml.so.1) that knows this GPU");
  return rows;
}

std::pair<std::string, std::string> old_driver(int driver, int runtime, const std::string& release) {
  return {fmt::format("the NVIDIA driver {}knows CUDA {}, this build needs {}", release.empty() ? "" : release + " ",
                      cuda_version(driver), cuda_version(runtime)),
          fmt::format("update the driver, on a data-centre GPU install cuda-compat-{}-{} and put its folder into "
                      "LD_LIBRARY_PATH, or use --device=cpu",
                      runtime / 1000, runtime % 1000 / 10)};
}

}  // namespace roofline
