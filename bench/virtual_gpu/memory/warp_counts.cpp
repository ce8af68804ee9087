#include "bench/virtual_gpu/memory/warp_counts.hpp"

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

WarpCounts repeated(const WarpCounts& part, std::uint64_t times) {
  WarpCounts result = part;
  auto& operations = result.operations;
  for (auto* const field : {&operations.add, &operations.mul, &operations.fma, &operations.div, &operations.sqrt,
                            &operations.logic, &result.reciprocals, &result.instructions, &result.lanes})
    *field *= times;
  for (auto& of : result.requests) of.requests *= times, of.sectors *= times, of.lanes *= times;
  return result;
}

}  // namespace roofline
