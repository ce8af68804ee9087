#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace roofline {

/// What one side of a comparison waits for.
struct Waiting {
  std::vector<std::string> plan = {};  ///< its rows, in the order in which it comes to them
  std::string row = {};                ///< of which it would take a sample
  bool ended = true;
};

/// The sides, by number, that are to sample now, in turns: those at a row that no other side is still on its way to.
/// Where every row is still ahead of another side, which then has them in another order, the first side alone. Empty
/// when all have ended.
std::vector<std::size_t> together(const std::vector<Waiting>& sides);

}  // namespace roofline
