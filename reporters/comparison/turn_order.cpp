#include "reporters/comparison/turn_order.hpp"

#include <algorithm>

namespace roofline {
namespace {

/// Whether a side comes to a row later than where it is.
bool is_ahead(const Waiting& side, const std::string& row) {
  const auto here = std::find(side.plan.begin(), side.plan.end(), side.row);
  return !side.ended && here != side.plan.end() && std::find(here + 1, side.plan.end(), row) != side.plan.end();
}

}  // namespace

std::vector<std::size_t> together(const std::vector<Waiting>& sides) {
  std::vector<std::size_t> first;
  for (std::size_t at = 0; at < sides.size(); ++at) {
    if (sides[at].ended) continue;
    const auto& row = sides[at].row;
    if (std::any_of(sides.begin(), sides.end(), [&](const auto& side) { return is_ahead(side, row); })) {
      if (first.empty()) first = {at};
      continue;
    }
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < sides.size(); ++i)
      if (!sides[i].ended && sides[i].row == row) there.push_back(i);
    return there;
  }
  return first;
}

}  // namespace roofline
