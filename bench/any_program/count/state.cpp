// SPDX-License-Identifier: MIT
#include "bench/any_program/count/state.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "bench/any_program/count/symbols.hpp"

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

int Regions::open(int set, const std::string& region) {
  const int number = number_of(region);
  if (contains(set, number)) return -1;
  auto more = sets_[static_cast<std::size_t>(set)];
  more.insert(std::lower_bound(more.begin(), more.end(), number), number);
  return number_of(more);
}

int Regions::close(int set, const std::string& region) {
  const int number = number_of(region);
  if (!contains(set, number)) return -1;
  auto less = sets_[static_cast<std::size_t>(set)];
  less.erase(std::lower_bound(less.begin(), less.end(), number));
  return number_of(less);
}

bool Regions::contains(int set, int region) const {
  const auto& open = sets_[static_cast<std::size_t>(set)];
  return std::binary_search(open.begin(), open.end(), region);
}

int Regions::number_of(const std::string& region) {
  const auto found = std::find(names_.begin(), names_.end(), region);
  if (found == names_.end()) names_.push_back(region);
  return static_cast<int>(std::find(names_.begin(), names_.end(), region) - names_.begin());
}

int Regions::number_of(const Set& set) {
  const auto [at, fresh] = known_.try_emplace(set, static_cast<int>(sets_.size()));
  if (fresh) sets_.push_back(set);
  return at->second;
}

Options options_of(const std::vector<std::string>& arguments) {
  Options options;
  for (const auto& option : arguments) {
    const auto value = option.substr(option.find('=') + 1);
    if (option.starts_with("folder=")) options.folder = value;
    if (option.starts_with("program=")) options.program = value;
    if (option.starts_with("caches=")) options.levels = levels_of(value);
    if (option.starts_with("sampled=")) options.sampled = value == "1";
    if (option.starts_with("only=")) options.only = value;
    if (option.starts_with("libraries=")) options.libraries = value == "1";
    if (option.starts_with("by="))
      options.by = value == "inlined" ? By::inlined : value == "loop" ? By::loop : By::function;
  }
  return options;
}

}  // namespace roofline::any_program
