#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// Bytes per second and direction of a PCI Express link, packet headers not subtracted. `speed` and `width` as Linux
/// writes max_link_speed ("32.0 GT/s PCIe") and current_link_width ("16"); absent when they make no sense.
///
/// PCI Express Base Specification: one bit per transfer and lane, of which the coding takes 2 in 10 up to 5 GT/s, 2 in
/// 130 up to 32 GT/s, and beyond, in FLITs of 256 B, 20 B.
std::optional<double> pcie_rate(std::string_view speed, std::string_view width);

/// The slowest link between a device, by its address ("0000:3b:00.0"), and the processor, from `root`: its own, its
/// slot's, those of bridges. A link slows down while nothing uses it, so this is the highest speed at the present
/// width; absent where the system does not say, and of the device alone in a virtual machine, which has no slots.
std::optional<double> pcie_rate_of(std::string address, const std::string& root = "/sys/bus/pci/devices");

}  // namespace roofline
