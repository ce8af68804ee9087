#pragma once
#include <string>

namespace roofline {

/// Whether --device names a virtual GPU: "virtual", or "virtual:" and a device.
bool is_virtual(const std::string& device);

/// Whether the run is to go all the way of one on a GPU, with samples, graphs, counters and recovery, at the pace of
/// the virtual clock: with ROOFLINE_VIRTUAL_CLOCK in the environment. That is for tests of this way; every table of
/// such a run names the virtual device, and its times mean nothing.
bool on_virtual_clock(const std::string& device);

/// What results say of their times then.
inline constexpr const char* virtual_times = "times are those of a virtual clock: nothing was measured";

/// What stands behind "virtual:"; h100 where nothing does.
std::string virtual_device_name(const std::string& device);

}  // namespace roofline
