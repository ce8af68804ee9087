#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// NVML's readings of a GPU at one moment; missing ones are absent.
struct GpuState {
  std::optional<double> sm_clock, memory_clock;  ///< Hz
  std::optional<double> watts, limit_watts;
  std::optional<double> celsius;
  std::optional<unsigned long long> reasons;  ///< why the SM clock is not higher, bits as in nvml.h
  std::optional<bool> ecc, mig, persistence;
  std::optional<int> other_processes;  ///< than this one

  /// "1980 MHz, memory 2619 MHz, 112 of 700 W, 34 C, ECC on, persistence on"; empty where nothing is known.
  std::string text() const;
};

/// Asks NVML about the GPU of a bus id ("0000:3b:00.0"): libnvidia-ml.so.1 is opened when it is first asked. Absent
/// where there is none, or where it does not know the device.
std::optional<GpuState> gpu_state(const std::string& bus_id);

/// nvidia-smi's number of it, which counts all GPUs of the machine.
std::optional<int> nvml_number(const std::string& bus_id);

/// Its reasons alone.
std::optional<unsigned long long> clock_reasons(const std::string& bus_id);

/// The power of a GPU in watts, and its source.
struct GpuPower {
  double watts = 0;
  bool counted = false;  ///< by the card's counter of energy; false: a reading of its power meter
};
/// While `load`, which keeps the GPU busy for some tens of milliseconds, is called again and again: energy between two
/// steps of the counter at least 0.2 s apart over the time between them. Cards move that counter every 20 to 100 ms;
/// where it does not move within that, the power that the card reads after 0.6 s. Absent, and nothing called,
/// where NVML tells neither.
std::optional<GpuPower> power_under(const std::function<void()>& load, const std::string& bus_id);

/// The reasons for a lowered clock, in words: "heat (hardware slowdown)", "power cap". Idling and chosen clocks are not
/// among them.
std::vector<std::string> brakes(unsigned long long reasons);

/// Which rows met which brakes, as one line for each brake.
class Brakes {
 public:
  void saw(const std::string& row, unsigned long long reasons);
  std::vector<std::string> lines() const;

 private:
  std::map<std::string, std::vector<std::string>> rows_of_;
};

}  // namespace roofline
