#include "bench/cuda/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "bench/machine/clock.hpp"

namespace roofline {
namespace {

// The part of NVML's interface that is used, as its reference documents it: the driver brings the library along, and
// few toolkits its header. Every function answers 0 where it succeeds.
struct DeviceHandle;
using NvmlDevice = DeviceHandle*;
constexpr int success = 0, too_small = 7, sm_clock = 1, memory_clock = 2, of_the_gpu = 0;
struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

struct Library {
  void* handle = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);

  template <class... Arguments>
  bool call(const char* name, Arguments... arguments) const {
    return code(name, arguments...) == success;
  }
  /// -1: there is no such function.
  template <class... Arguments>
  int code(const char* name, Arguments... arguments) const {
    void* const function = handle ? ::dlsym(handle, name) : nullptr;
    return function ? reinterpret_cast<int (*)(Arguments...)>(function)(arguments...) : -1;
  }
};

const Library* library() {
  static const Library library;
  static const bool ready = library.call("nvmlInit_v2");
  return ready ? &library : nullptr;
}

/// A value that a function of the device writes to where its last argument points.
template <class T, class... Arguments>
std::optional<T> read(const Library& nvml, const char* name, NvmlDevice device, Arguments... arguments) {
  T value{};
  if (nvml.call(name, device, arguments..., &value)) return value;
  return std::nullopt;
}

std::optional<bool> mode(const Library& nvml, const char* name, NvmlDevice device) {
  unsigned current = 0, pending = 0;
  if (nvml.call(name, device, &current, &pending)) return current != 0;
  return std::nullopt;
}

template <class T>
std::optional<double> scaled(std::optional<T> value, double by) {
  return value ? std::optional(by * static_cast<double>(*value)) : std::nullopt;
}

struct Brake {
  unsigned long long bit;
  const char* words;
};
constexpr std::array known_brakes{
    Brake{0x4, "its power cap"},    Brake{0x8, "a hardware slowdown"},       Brake{0x20, "heat (software)"},
    Brake{0x40, "heat (hardware)"}, Brake{0x80, "the power supply's brake"},
};

/// The device of a bus id; null where there is no NVML, or none there.
NvmlDevice find(const Library* nvml, const std::string& bus_id) {
  NvmlDevice device = nullptr;
  return nvml && nvml->call("nvmlDeviceGetHandleByPciBusId_v2", bus_id.c_str(), &device) ? device : nullptr;
}

std::optional<unsigned long long> reasons_of(const Library& nvml, NvmlDevice device) {
  // It was renamed in CUDA 12.2.
  for (const char* name : {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"})
    if (const auto reasons = read<unsigned long long>(nvml, name, device)) return reasons;
  return std::nullopt;
}

}  // namespace

std::string GpuState::text() const {
  std::vector<std::string> parts;
  const auto add = [&](const auto& value, const char* format, double by = 1) {
    if (value) parts.push_back(fmt::format(fmt::runtime(format), by * *value));
  };
  const auto add_mode = [&](const std::optional<bool>& value, const char* name) {
    if (value) parts.push_back(fmt::format("{} {}", name, *value ? "on" : "off"));
  };
  add(sm_clock, "{:.0f} MHz", 1e-6);
  add(memory_clock, "memory {:.0f} MHz", 1e-6);
  if (watts && limit_watts)
    parts.push_back(fmt::format("{:.0f} of {:.0f} W", *watts, *limit_watts));
  else
    add(watts, "{:.0f} W"), add(limit_watts, "at most {:.0f} W");
  add(celsius, "{:.0f} C");
  add_mode(ecc, "ECC");
  if (mig.value_or(false)) parts.push_back("MIG on");
  add_mode(persistence, "persistence");
  if (other_processes.value_or(0) > 0)
    parts.push_back(fmt::format("{} other process{} on it", *other_processes, *other_processes == 1 ? "" : "es"));
  for (const auto& brake : brakes(reasons.value_or(0))) parts.push_back("held back by " + brake);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<GpuState> gpu_state(const std::string& bus_id) {
  const auto* const nvml = library();
  const auto device = find(nvml, bus_id);
  if (!device) return std::nullopt;
  GpuState state;
  const auto clock = [&](int which) {
    return scaled(read<unsigned>(*nvml, "nvmlDeviceGetClockInfo", device, which), 1e6);
  };
  state.sm_clock = clock(sm_clock), state.memory_clock = clock(memory_clock);
  state.watts = scaled(read<unsigned>(*nvml, "nvmlDeviceGetPowerUsage", device), 1e-3);
  state.limit_watts = scaled(read<unsigned>(*nvml, "nvmlDeviceGetEnforcedPowerLimit", device), 1e-3);
  state.celsius = scaled(read<unsigned>(*nvml, "nvmlDeviceGetTemperature", device, of_the_gpu), 1);
  state.reasons = reasons_of(*nvml, device);
  state.ecc = mode(*nvml, "nvmlDeviceGetEccMode", device), state.mig = mode(*nvml, "nvmlDeviceGetMigMode", device);
  if (const auto on = read<unsigned>(*nvml, "nvmlDeviceGetPersistenceMode", device)) state.persistence = *on != 0;
  std::array<ProcessInfo, 64> processes;
  unsigned count = processes.size();
  const int asked = nvml->code("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, processes.data());
  // In a container the numbers of processes are others than NVML's: this one is one of them.
  if (asked == success || asked == too_small) state.other_processes = std::max(0, static_cast<int>(count) - 1);
  return state;
}

std::optional<int> nvml_number(const std::string& bus_id) {
  const auto* const nvml = library();
  const auto device = find(nvml, bus_id);
  const auto number = device ? read<unsigned>(*nvml, "nvmlDeviceGetIndex", device) : std::nullopt;
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<unsigned long long> clock_reasons(const std::string& bus_id) {
  const auto* const nvml = library();
  const auto device = find(nvml, bus_id);
  return device ? reasons_of(*nvml, device) : std::nullopt;
}

std::optional<GpuPower> power_under(const std::function<void()>& load, const std::string& bus_id) {
  constexpr double settles = 0.05, long_enough = 0.2, longest = 0.6;
  constexpr std::chrono::milliseconds between_readings{1};
  const auto* const nvml = library();
  const auto device = find(nvml, bus_id);
  if (!device) return std::nullopt;
  const auto joules = [&] {
    return scaled(read<unsigned long long>(*nvml, "nvmlDeviceGetTotalEnergyConsumption", device), 1e-3);
  };
  const auto watts = [&] { return scaled(read<unsigned>(*nvml, "nvmlDeviceGetPowerUsage", device), 1e-3); };
  if (!joules() && !watts()) return std::nullopt;
  std::atomic<bool> done = false;
  std::optional<GpuPower> found;
  const auto begin = Clock::now();
  // The time of a step is seen while the load runs.
  std::thread reader([&] {
    auto last = joules();
    double first_step = 0, first_joules = 0;
    for (bool seen = false; !found && seconds_since(begin) < longest; std::this_thread::sleep_for(between_readings)) {
      const auto now = joules();
      const double at = seconds_since(begin);
      if (!now || now == last) continue;
      last = now;
      if (!seen && at >= settles)
        seen = true, first_step = at, first_joules = *now;
      else if (seen && at - first_step >= long_enough)
        found = GpuPower{(*now - first_joules) / (at - first_step), true};
    }
    if (const auto reading = found ? std::nullopt : watts()) found = GpuPower{*reading, false};
    done = true;
  });
  try {
    while (!done) load();
  } catch (...) {
    reader.join();
    throw;
  }
  reader.join();
  return found;
}

std::vector<std::string> brakes(unsigned long long reasons) {
  std::vector<std::string> words;
  for (const auto& [bit, text] : known_brakes)
    if (reasons & bit) words.emplace_back(text);
  return words;
}

void Brakes::saw(const std::string& row, unsigned long long reasons) {
  for (const auto& brake : brakes(reasons)) {
    auto& rows = rows_of_[brake];
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
}

std::vector<std::string> Brakes::lines() const {
  std::vector<std::string> lines;
  for (const auto& [brake, rows] : rows_of_)
    lines.push_back(fmt::format("the GPU's clock was held back by {} in {} row{}: {}{}", brake, rows.size(),
                                rows.size() == 1 ? "" : "s", rows.front(), rows.size() > 1 ? ", ..." : ""));
  return lines;
}

}  // namespace roofline
