#include "bench/space/warp.hpp"

namespace roofline {

WarpCounts& WarpCounts::operator+=(const WarpCounts& other) {
  operations += other.operations;
  reciprocals += other.reciprocals;
  instructions += other.instructions;
  lanes += other.lanes;
  for (std::size_t kind = 0; kind < requests.size(); ++kind) {
    requests[kind].requests += other.requests[kind].requests;
    requests[kind].sectors += other.requests[kind].sectors;
    requests[kind].lanes += other.requests[kind].lanes;
  }
  return *this;
}

}  // namespace roofline
