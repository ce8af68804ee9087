#include "bench/library/counted_kernels.hpp"

#include <deque>
#include <utility>

namespace roofline {
namespace {

std::deque<CountedKernel>& kernels() {
  static std::deque<CountedKernel> all;
  return all;
}

}  // namespace

std::size_t keep_count(CountedKernel kernel) {
  kernels().push_back(std::move(kernel));
  return kernels().size() - 1;
}

const CountedKernel& counted_kernel(std::size_t number) { return kernels().at(number); }

}  // namespace roofline
