// SPDX-License-Identifier: MIT
#include "bench/any_program/plugin/regions.hpp"

#include <algorithm>

namespace roofline::any_program {

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

}  // namespace roofline::any_program
