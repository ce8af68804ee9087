#include "bench/cuda/gpu.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "bench/cuda/device_probe.hpp"
#include "bench/cuda/error.hpp"
#include "bench/text/clean.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

constexpr const char* use_the_cpu = "use --device=cpu";

Gpus none(cudaError_t error, int driver, int runtime) {
  switch (error) {
    case cudaErrorInsufficientDriver:
      if (driver == 0) return {{}, "no NVIDIA driver is loaded", use_the_cpu};
      {
        auto [why, what_to_do] = old_driver(driver, runtime, driver_release());
        return {{}, std::move(why), std::move(what_to_do)};
      }
    case cudaErrorNoDevice:
      return {{}, "no NVIDIA GPU is visible (see nvidia-smi and CUDA_VISIBLE_DEVICES)", use_the_cpu};
    case cudaErrorSystemNotReady:
      return {{},
              "the GPUs are there but not ready: on machines with NVSwitch the service nvidia-fabricmanager must run "
              "(systemctl status nvidia-fabricmanager)",
              use_the_cpu};
    case cudaErrorStubLibrary:
      return {{}, "libcuda.so.1 is the toolkit's stub, not a driver's", "correct LD_LIBRARY_PATH or use --device=cpu"};
    default:
      return {{}, fmt::format("the CUDA runtime says '{}'", cudaGetErrorString(error)), use_the_cpu};
  }
}

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

/// 0 of a device without that attribute.
int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) == cudaSuccess) return value;
  return cudaGetLastError(), 0;  // the first launch would be blamed for it
}

}  // namespace

Gpus find_gpus() {
  Gpus gpus;
  int count = 0, driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  const auto error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0)
    return none(error == cudaSuccess ? cudaErrorNoDevice : error, driver, runtime);
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    char bus[32] = {};
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, i) != cudaSuccess) cudaGetLastError(), *bus = 0;
    gpus.found.push_back({.index = i,
                          .name = properties.name,
                          .major = properties.major,
                          .minor = properties.minor,
                          .sms = properties.multiProcessorCount,
                          .clock_hz = 1e3 * attribute(cudaDevAttrClockRate, i),
                          .memory_bytes = static_cast<double>(properties.totalGlobalMem),
                          .l2_bytes = static_cast<double>(properties.l2CacheSize),
                          .driver_version = driver,
                          .runtime_version = runtime,
                          .bus = bus,
                          .uuid = uuid_text(properties.uuid),
                          .memory_clock_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate, i),
                          .bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, i)});
  }
  if (gpus.found.empty()) return {{}, "no GPU answers the CUDA runtime (see nvidia-smi)", use_the_cpu};
  // A virtual one executes whatever PTX there is.
  if (!runtime::selected()) leave_out_without_code(gpus, ROOFLINE_GPU_TARGETS, ROOFLINE_GPU_PTX);
  return gpus;
}

void leave_out_without_code(Gpus& gpus, std::string_view machine_code, std::string_view ptx) {
  const auto runs = [](const Gpu& gpu, std::string_view list, bool of_generation) {
    const int capability = 10 * gpu.major + gpu.minor;
    for (int code = of_generation ? 10 * gpu.major : 0; code <= capability; ++code)
      if (list.find(fmt::format(",{},", code)) != list.npos) return true;
    return false;
  };
  const auto has_code = [&](const Gpu& gpu) { return runs(gpu, machine_code, true) || runs(gpu, ptx, false); };
  const auto first = std::stable_partition(gpus.found.begin(), gpus.found.end(), has_code);
  if (first == gpus.found.end()) return;
  gpus.why_none = "this build has no code for";
  for (auto gpu = first; gpu != gpus.found.end(); ++gpu)
    gpus.why_none += fmt::format("{} cuda:{} ({}, compute capability {}.{})", gpu == first ? "" : ",", gpu->index,
                                 gpu->name, gpu->major, gpu->minor);
  gpus.what_to_do = "build with -DROOFLINE_CUDA_ARCHITECTURES=native, or use --device=cpu";
  gpus.found.erase(first, gpus.found.end());
}

Gpu current_gpu() {
  int device = 0;
  cuda::require(cudaGetDevice(&device), "cudaGetDevice");
  const auto gpus = find_gpus();
  for (const auto& gpu : gpus.found)
    if (gpu.index == device) return gpu;
  throw cuda::Error(gpus.why_none);
}

namespace {

/// The place of a GPU in the order of nvidia-smi; without NVML it is that among the visible ones.
int number_by_bus(const std::string& bus) {
  if (const auto number = nvml_number(bus)) return *number;
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
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (const int number = number_by_bus(gpu.bus); number != gpu.index)
    rows.emplace_back("",
                      fmt::format("nvidia-smi's number {}: {}", number,
                                  visible ? fmt::format("CUDA_VISIBLE_DEVICES={} chooses and orders", clean(visible))
                                          : "CUDA counts the fastest first, CUDA_DEVICE_ORDER=PCI_BUS_ID as "
                                            "nvidia-smi does"));
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
  constexpr int oldest = 12000;
  const bool buildable = driver >= oldest && driver / 1000 < runtime / 1000;
  return {fmt::format("the NVIDIA driver {}knows CUDA {}, this build needs {}", release.empty() ? "" : release + " ",
                      cuda_version(driver), cuda_version(runtime)),
          fmt::format("{}update the driver, on a data-centre GPU install cuda-compat-{}-{} and put its folder into "
                      "LD_LIBRARY_PATH, or use --device=cpu",
                      buildable ? fmt::format("build with nvcc of CUDA {}, ", driver / 1000) : "", runtime / 1000,
                      runtime % 1000 / 10)};
}

}  // namespace roofline
