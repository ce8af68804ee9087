#pragma once
#include <algorithm>

#include "apps/stencil/problem.hpp"

namespace roofline::stencil {

inline constexpr Index warm_rows = 16;  ///< of a block whose chunks are to fit the caches of a core

/// Blocks of `rows` rows go through all planes, `planes` at a time: visit(first plane, planes, begin, end) of interior
/// planes and rows. The remaining planes come one at a time.
template <class Space, class Visit>
void for_each_block(Space space, Index n, Index rows, Index planes, Visit visit) {
  const Index interior = n - 2, rest = interior % planes;
  for (Index begin = 0; begin < interior; begin += rows) {
    const Index end = std::min(begin + rows, interior);
    if (interior >= planes)
      space.parallel(interior / planes, [=](Index chunk) mutable { visit(chunk * planes, planes, begin, end); });
    if (rest > 0)
      space.parallel(rest, [=](Index plane) mutable { visit(interior - rest + plane, Index{1}, begin, end); });
  }
}

/// Row by row, of which `body` computes the points.
template <class Space, class Body>
void sweep(Space space, const Problem& p, Index rows, Index planes, Body body) {
  const Index first = p.at(1, 1, 1), row_length = p.n - 2, row = p.pitch, plane = p.pitch * p.n;
  for_each_block(space, p.n, rows, planes, [=](Index first_plane, Index several, Index begin, Index end) mutable {
    for (Index j = begin; j < end; ++j)
      for (Index k = first_plane; k < first_plane + several; ++k) {
        const Index at = first + k * plane + j * row;
        space.lanes(at, at + row_length, body);
      }
  });
}

}  // namespace roofline::stencil
