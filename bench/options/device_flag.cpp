#include "bench/options/device_flag.hpp"

#include <string_view>

#include "bench/virtual_gpu/runtime/settings.hpp"

namespace roofline {
namespace {

constexpr std::string_view prefix = "virtual";

}  // namespace

bool is_virtual(const std::string& device) {
  return device == prefix || device.compare(0, prefix.size() + 1, std::string(prefix) + ":") == 0;
}

bool on_virtual_clock(const std::string& device) {
  return is_virtual(device) && runtime::settings_from_environment().clocked;
}

std::string virtual_device_name(const std::string& device) {
  return device.size() > prefix.size() ? device.substr(prefix.size() + 1) : runtime::Settings().device;
}

}  // namespace roofline
