#pragma once
#include <array>

#include "apps/stream/stream.hpp"
#include "bench/space/cuda.hpp"
#include "bench/space/real.hpp"

/// STREAM's kernels on a GPU.
///
/// Limiter on an H200: HBM, 4.8 TB/s against 67 TFLOP/s. The number of bytes in flight matters: 4.8 TB/s x 0.8 us are
/// 29 KB per SM. A thread has two loads of 16 B per input array under way, an SM with all of its 2048 threads 64 KB;
/// two 16 B accesses also halve the instructions of a plain one-element mapping. With few registers it has full
/// occupancy.
namespace roofline::stream {

inline constexpr int block_threads = 256, pairs_per_thread = 2;
/// Elements of a block, as `pairs_per_thread` rows of one pair per thread: every access of a warp is contiguous.
inline constexpr Index block_elements = Index{2} * block_threads * pairs_per_thread;

/// Runs `body` on pairs where a whole pair is inside n, on one element otherwise.
template <class Each>
ROOFLINE_BODY void for_pairs(Index first, Index step, Index n, int pairs, Each each) {
  ROOFLINE_UNROLL(2)
  for (int k = 0; k < pairs; ++k) {
    const Index i = first + k * step;
    if (i + 1 < n)
      each(At<CudaPair, true>{i});
    else if (i < n)
      each(At<CudaLane<>, true>{i});
  }
}

/// Copy, Scale, Add, Triad.
template <class Body>
struct EachElement {
  static constexpr int max_threads = block_threads, min_blocks = 4;
  Body body;
  Index n;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index first = at.block.x * block_elements + Index{2} * at.thread.x;
    for_pairs(first, 2 * block_threads, n, pairs_per_thread, [this](auto place) { body(place); });
  }
};

template <class Body>
CudaLaunch<EachElement<Body>> each_element(const Body& body, Index n) {
  return {.grid = {blocks_for(n, block_elements)}, .block = {block_threads}, .kernel = {body, n}};
}

/// Dot with as many blocks as fit on the device at once; each thread walks the arrays with the stride of the grid, two
/// pairs per step and in sums of their own. The sum of the blocks is one atomic addition each.
struct DotProduct {
  static constexpr int max_threads = block_threads, min_blocks = 4;
  Dot body;
  Index n;
  unsigned blocks;
  double* totals;  ///< one, zero before the launch

  ROOFLINE_BODY std::array<double, 1> operator()(const ThreadPlace& at) const {
    Real<CudaPair, true> sums[pairs_per_thread];
    Real<CudaLane<>, true> rest = 0.0;
    for (auto& sum : sums) sum = 0.0;
    const Index begin = at.block.x * block_elements + Index{2} * at.thread.x;
    for (Index first = begin; first < n; first += blocks * block_elements) ROOFLINE_UNROLL(2)
    for (int k = 0; k < pairs_per_thread; ++k) {
      const Index i = first + Index{2} * k * block_threads;
      if (i + 1 < n)
        body(At<CudaPair, true>{i}, sums[k]);
      else if (i < n)
        body(At<CudaLane<>, true>{i}, rest);
    }
    double total = rest.value.sum();
    for (const auto& sum : sums) total += sum.value.sum();
    return {total};
  }
};

inline CudaLaunch<DotProduct> dot_product(const Dot& body, Index n, int multiprocessors, double* total) {
  const unsigned blocks =
      std::min(blocks_for(n, block_elements), static_cast<unsigned>(multiprocessors * 2048 / block_threads));
  return {.grid = {blocks}, .block = {block_threads}, .kernel = {body, n, blocks, total}};
}

}  // namespace roofline::stream
