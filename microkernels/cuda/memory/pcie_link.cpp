#include "microkernels/cuda/memory/pcie_link.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace roofline {

std::optional<double> pcie_rate(std::string_view speed, std::string_view width) {
  const double transfers = std::atof(std::string(speed).c_str()) * 1e9;
  const int lanes = std::atoi(std::string(width).c_str());
  if (speed.find("GT/s") == speed.npos || !(transfers > 0) || lanes < 1 || lanes > 32) return std::nullopt;
  const double used = transfers < 6e9 ? 8.0 / 10 : transfers < 33e9 ? 128.0 / 130 : 236.0 / 256;
  return transfers * lanes * used / 8;
}

std::optional<double> pcie_rate_of(std::string address, const std::string& root) {
  std::transform(address.begin(), address.end(), address.begin(), [](unsigned char c) { return std::tolower(c); });
  std::error_code none;
  auto place = std::filesystem::canonical(root + "/" + address, none);
  const auto line = [&](const char* name) {
    std::ifstream file(place / name);
    std::string text;
    std::getline(file, text);
    return text;
  };
  // Above a device are the ports that it hangs at: bridges, and the slot's.
  auto rate = pcie_rate(line("max_link_speed"), line("current_link_width"));
  for (place = place.parent_path(); rate; place = place.parent_path()) {
    const auto above = pcie_rate(line("max_link_speed"), line("current_link_width"));
    if (!above) break;
    rate = std::min(*rate, *above);
  }
  return rate;
}

}  // namespace roofline
