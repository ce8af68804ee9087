#pragma once
#include "apps/stencil/stencil.hpp"
#include "bench/space/cuda.hpp"
#include "bench/space/real.hpp"

/// The 7-point stencil on a GPU: cubes of edge n, boundary included.
///
/// Limiter on an H200: if every neighbour comes from L1 or L2, 16 B of HBM traffic per point remain (4.8 TB/s: 300 G
/// points/s). But L1 delivers some 128 B per clock and SM, 29 TB/s: at 64 B per point 450 G points/s, not far above.
/// The tuned mapping keeps a column's planes in registers: 5.25 of 7 loads remain (flops:7), or 6 (flops:8).
namespace roofline::stencil {

/// A body as every GPU tutorial maps it: blocks of 32 x 8, one point per thread, i fastest.
template <class Body>
struct PointPerThread {
  static constexpr int max_threads = 256, min_blocks = 4;
  static constexpr unsigned across = 32, along = 8;
  Body body;
  Index n, first;  ///< element of point (1, 1, 1)

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index i = Index{at.block.x} * across + at.thread.x, j = Index{at.block.y} * along + at.thread.y;
    if (i >= n - 2 || j >= n - 2) return;
    body(At<CudaLane<>, true>{first + at.block.z * body.plane + j * body.row + i});
  }
};

template <class Body>
CudaLaunch<PointPerThread<Body>> point_per_thread(const Body& body, Index n, Index first) {
  using Kernel = PointPerThread<Body>;
  return {.grid = {blocks_for(n - 2, Kernel::across), blocks_for(n - 2, Kernel::along), static_cast<unsigned>(n - 2)},
          .block = {Kernel::across, Kernel::along},
          .kernel = {body, n, first}};
}

/// A thread walks 8 points along k. Unrolled, `above` of one point is `centre` of the next and `below` of the one
/// after: the compiler loads it once, since loads of read-only memory may be shared.
template <class Body>
struct ColumnPerThread {
  static constexpr int max_threads = 256, min_blocks = 4;
  static constexpr unsigned across = 64, along = 4, deep = 8;
  Body body;
  Index n, first;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index i = Index{at.block.x} * across + at.thread.x, j = Index{at.block.y} * along + at.thread.y;
    const Index k = Index{at.block.z} * deep;
    if (i >= n - 2 || j >= n - 2) return;
    At<CudaLane<>, true> place{first + k * body.plane + j * body.row + i};
    ROOFLINE_UNROLL(8)
    for (unsigned step = 0; step < deep; ++step) {
      if (k + step >= n - 2) break;
      body(place);
      place = place + body.plane;
    }
  }
};

template <class Body>
CudaLaunch<ColumnPerThread<Body>> column_per_thread(const Body& body, Index n, Index first) {
  using Kernel = ColumnPerThread<Body>;
  return {
      .grid = {blocks_for(n - 2, Kernel::across), blocks_for(n - 2, Kernel::along), blocks_for(n - 2, Kernel::deep)},
      .block = {Kernel::across, Kernel::along},
      .kernel = {body, n, first}};
}

}  // namespace roofline::stencil
