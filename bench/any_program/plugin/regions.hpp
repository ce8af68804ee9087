// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

namespace roofline::any_program {

/// The regions that a program marks. Regions may nest and overlap: what a thread does belongs to the set of those that
/// are open, which is a number. Set 0 is empty.
class Regions {
 public:
  /// The set with one region more, or less. -1: it was open already, or was not.
  int open(int set, const std::string& region);
  int close(int set, const std::string& region);

  const std::vector<std::string>& names() const { return names_; }
  bool contains(int set, int region) const;

 private:
  using Set = std::vector<int>;  // sorted
  int number_of(const std::string& region);
  int number_of(const Set& set);

  std::vector<std::string> names_;
  std::vector<Set> sets_{{}};
  std::map<Set, int> known_{{{}, 0}};
};

}  // namespace roofline::any_program
