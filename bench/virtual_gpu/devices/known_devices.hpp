#pragma once
#include <map>
#include <string>
#include <string_view>

namespace roofline {

/// The device files of the source tree by name ("v100"), built into the program: it needs none of them at run time.
const std::map<std::string, std::string_view>& known_devices();

}  // namespace roofline
