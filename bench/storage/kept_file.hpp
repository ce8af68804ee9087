#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "bench/machine/machine.hpp"

namespace roofline {

/// A file of the cache folder that keeps something of a host and a number of threads; absent where there is no folder.
std::optional<std::filesystem::path> kept_file(const std::string& prefix, const Machine& machine, int threads);

/// Distinguishes this program from others, and from an earlier build of it: path, size and time of the file.
std::string this_program();

}  // namespace roofline
