// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bench/any_program/plugin/qemu_plugin.hpp"
#include "bench/machine/topology.hpp"

namespace roofline::any_program {

/// What a row of the counts is.
enum class By { function, inlined, loop };

/// What the plugin is told on QEMU's command line.
struct Options {
  std::filesystem::path folder = ".";
  std::string only;
  By by = By::function;
  std::vector<CacheLevel> levels;
  bool arm = false;
  bool libraries = false;  ///< their lines are wanted, too
};

/// Of the arguments "folder=", "caches=", "only=", "by=" and "libraries=". Throws std::invalid_argument where these are
/// no caches.
Options options_of(const qemu_info_t& info, int argc, char** argv);

}  // namespace roofline::any_program
