// SPDX-License-Identifier: MIT
#include "bench/any_program/plugin/options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace roofline::any_program {
namespace {

/// "L1:49152:12:64+L2:...": a thread's own bytes, ways, bytes of a line. Throws std::invalid_argument.
std::vector<CacheLevel> levels_of(const std::string& text) {
  std::vector<CacheLevel> levels;
  std::size_t at = 0;
  while (at < text.size()) {
    auto end = std::min(text.find('+', at), text.size());
    unsigned long long size = 0;
    CacheLevel level;
    char label[8] = "";
    if (std::sscanf(text.substr(at, end - at).c_str(), "%7[^:]:%llu:%u:%u", label, &size, &level.ways, &level.line) !=
        4)
      throw std::invalid_argument("no caches: " + text);
    const auto found = level_of(label);
    if (!found) throw std::invalid_argument("no level: " + std::string(label));
    level.level = *found, level.size = size;
    levels.push_back(level);
    at = end + 1;
  }
  return levels;
}

}  // namespace

Options options_of(const qemu_info_t& info, int argc, char** argv) {
  Options options;
  options.arm = std::strcmp(info.target_name, "aarch64") == 0;
  for (int i = 0; i < argc; ++i) {
    const std::string option = argv[i], value = option.substr(option.find('=') + 1);
    if (option.starts_with("folder=")) options.folder = value;
    if (option.starts_with("caches=")) options.levels = levels_of(value);
    if (option.starts_with("only=")) options.only = value;
    if (option.starts_with("libraries=")) options.libraries = value == "1";
    if (option.starts_with("by="))
      options.by = value == "inlined" ? By::inlined : value == "loop" ? By::loop : By::function;
  }
  return options;
}

}  // namespace roofline::any_program
