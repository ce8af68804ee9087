#include "bench/counting/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace roofline {

std::optional<Gpu> choose_device(const std::string& device, const std::function<Gpus()>& find, std::string* note,
                                 int number) {
  if (device == "cpu") return std::nullopt;
  if (device == "auto") {
    const auto gpus = find();
    if (!gpus.found.empty()) return gpus.found[static_cast<std::size_t>(number) % gpus.found.size()];
    if (note) *note = gpus.why_none;
    return std::nullopt;
  }
  const std::string prefix = "cuda:";
  int index = -1;
  const char* const end = device.data() + device.size();
  if (device.compare(0, prefix.size(), prefix) != 0 ||
      std::from_chars(device.data() + prefix.size(), end, index).ptr != end || index < 0)
    throw std::invalid_argument(fmt::format("--device={}: expected auto, cpu, cuda:N or virtual[:DEVICE]", device));
  const auto gpus = find();
  if (gpus.found.empty())
    throw DeviceUnavailable(fmt::format("--device={}: {}; {}", device, gpus.why_none, gpus.what_to_do));
  const auto found =
      std::find_if(gpus.found.begin(), gpus.found.end(), [&](const Gpu& gpu) { return gpu.index == index; });
  if (found == gpus.found.end())
    throw DeviceUnavailable(fmt::format("--device={}: there {} {} GPU{}, numbered from 0", device,
                                        gpus.found.size() == 1 ? "is" : "are", gpus.found.size(),
                                        gpus.found.size() == 1 ? "" : "s"));
  return *found;
}

}  // namespace roofline
