#pragma once
#include <filesystem>

namespace roofline {

/// Where this program lies as a user knows it. In a package bin/NAME starts lib/roofline/LEVEL/NAME for the vector
/// instructions of the CPU (tools/release/start.c): that path is bin/NAME.
std::filesystem::path own_program();

}  // namespace roofline
