// Stands in for libnvidia-ml.so.1: answers as recorded for the situation that FAKE_NVML names, at every bus id but
// "nowhere".
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>

namespace {

using U = unsigned;
struct Answers {
  std::optional<U> sm, memory, milliwatts, limit, celsius;
  unsigned long long reasons;
  std::optional<U> ecc, mig, persistence, processes;
};
const std::map<std::string, Answers> known{
    {"idle_h100", {345, 2619, 70500, 700000, 31, 0x1, 1, 0, 1, 1}},
    {"capped_l4", {1125, 6251, 71900, 72000, 78, 0x4, 1, 0, 0, 1}},
    {"thermal_a100", {1095, 1215, 240000, 400000, 92, 0x60, 1, 0, 1, 1}},
    {"mig_slice", {1410, 1593, {}, {}, 40, 0x0, 1, 1, 1, 1}},
    {"wsl", {1905, {}, 85000, {}, {}, 0x0, {}, {}, {}, {}}},
    {"crowded", {1980, 2619, 300000, 700000, 50, 0x0, 1, 0, 1, 100}},
    {"two_processes", {1980, 2619, 300000, 700000, 50, 0x0, 1, 0, 1, 2}},
};
constexpr int success = 0, not_supported = 3, not_found = 6;

const Answers& answers() {
  const char* const name = std::getenv("FAKE_NVML");
  return known.at(name ? name : "idle_h100");
}
int give(const std::optional<U>& answer, U* out) { return answer ? (*out = *answer, success) : not_supported; }
int give_mode(const std::optional<U>& answer, U* current, U* pending) {
  return answer ? (*current = *pending = *answer, success) : not_supported;
}

}  // namespace

extern "C" {
int nvmlInit_v2() { return success; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  static int one;
  return std::strcmp(bus, "nowhere") == 0 ? not_found : (*device = &one, success);
}
int nvmlDeviceGetIndex(void*, U* number) {
  const char* const index = std::getenv("FAKE_NVML_INDEX");
  return index ? (*number = static_cast<U>(std::atoi(index)), success) : not_supported;
}
int nvmlDeviceGetClockInfo(void*, int which, U* mhz) { return give(which == 1 ? answers().sm : answers().memory, mhz); }
int nvmlDeviceGetPowerUsage(void*, U* milliwatts) { return give(answers().milliwatts, milliwatts); }
/// Moves on every 20 ms; on WSL there is none.
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  using namespace std::chrono;
  if (!answers().milliwatts || !answers().limit) return not_supported;
  const auto steps = steady_clock::now().time_since_epoch() / milliseconds(20);
  return *millijoules = static_cast<unsigned long long>(steps) * *answers().milliwatts / 50, success;
}
int nvmlDeviceGetEnforcedPowerLimit(void*, U* milliwatts) { return give(answers().limit, milliwatts); }
int nvmlDeviceGetTemperature(void*, int, U* celsius) { return give(answers().celsius, celsius); }
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  return *reasons = answers().reasons, success;
}
int nvmlDeviceGetEccMode(void*, U* current, U* pending) { return give_mode(answers().ecc, current, pending); }
int nvmlDeviceGetMigMode(void*, U* current, U* pending) { return give_mode(answers().mig, current, pending); }
int nvmlDeviceGetPersistenceMode(void*, U* mode) { return give(answers().persistence, mode); }
int nvmlDeviceGetComputeRunningProcesses_v3(void*, U* count, void*) {
  constexpr int too_small = 7;
  const U room = *count;
  const int code = give(answers().processes, count);
  return code == success && *count > room ? too_small : code;
}
}
