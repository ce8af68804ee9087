#include "bench/virtual_gpu/stream/host_memory.hpp"

#include <fstream>
#include <limits>
#include <string>

namespace roofline::runtime {

const HostRange* host_range(const Process& process, const void* address) {
  auto found = process.host_ranges.upper_bound(const_cast<void*>(address));
  if (found == process.host_ranges.begin()) return nullptr;
  --found;
  const auto offset = static_cast<const std::byte*>(address) - static_cast<const std::byte*>(found->first);
  return static_cast<std::size_t>(offset) < found->second.bytes ? &found->second : nullptr;
}

std::size_t host_memory_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::size_t kibibytes = 0;
  while (file >> key >> kibibytes && std::getline(file, unit))
    if (key == "MemAvailable:") return kibibytes / 8 * 7 * 1024;
  return std::numeric_limits<std::size_t>::max();
}

}  // namespace roofline::runtime
