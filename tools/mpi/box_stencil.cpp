#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "apps/stencil/stencil.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/noise.hpp"
#include "bench/space/openmp.hpp"
#include "tools/mpi/halo.hpp"

namespace roofline::mpi {
namespace {

// Weights of a mean: values stay between the smallest and the largest one, however many steps are made.
constexpr double center_weight = 0.25, neighbour_weight = 0.125;

using Triple = std::array<Index, 3>;
/// Sizes are given as z, y, x: the first cut is along the axis whose layers lie in one piece.
Triple triple(const std::vector<Index>& size) { return {size[2], size[1], size[0]}; }

/// The initial value of a box with n interior points along each axis, and the layer around them.
double initial(const Triple& n, Index i, Index j, Index k) {
  return Noise(1, 0).positive(((k + 1) * (n[1] + 2) + j + 1) * (n[0] + 2) + i + 1);
}

/// A rank's points and one layer around them. Rows begin at a cache line, as in apps/stencil.
struct Box {
  Triple n;        ///< points of the whole
  Triple first{};  ///< of its points in the whole
  Triple size{};
  Index pitch = 0, plane = 0;
  Buffer u, v;

  Box(const Triple& whole, MPI_Comm comm) : n(whole) {
    int rank = 0, dims[3], periods[3], coordinates[3];
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_get(comm, 3, dims, periods, coordinates);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [begin, end] = share_of(n[axis], coordinates[2 - axis], dims[2 - axis]);
      first[axis] = begin, size[axis] = end - begin;
    }
    pitch = (size[0] + 2 + 7) / 8 * 8, plane = pitch * (size[1] + 2);
    const Index elements = before_first + plane * (size[2] + 2);
    u = Buffer(elements), v = Buffer(elements);
    for (Index k = -1; k <= size[2]; ++k)
      for (Index j = -1; j <= size[1]; ++j)
        for (Index i = -1; i <= size[0]; ++i)
          u[at(i, j, k)] = v[at(i, j, k)] = initial(n, first[0] + i, first[1] + j, first[2] + k);
  }

  Index at(Index i, Index j, Index k) const { return before_first + (k + 1) * plane + (j + 1) * pitch + i + 1; }

  void step() {
    const stencil::EightFlops body{u.view(), v.view(), pitch, plane, center_weight, neighbour_weight};
    const OpenMp<true> space;
    space.parallel(size[2], [&, body](Index k) {
      for (Index j = 0; j < size[1]; ++j) space.lanes(at(0, j, k), at(size[0], j, k), body);
    });
    std::swap(u, v);
  }

  /// visit(element) for the points whose coordinate on an axis is `layer`.
  template <class Visit>
  void for_face(std::size_t axis, Index layer, Visit visit) const {
    Triple begin{}, end = size;
    begin[axis] = layer, end[axis] = layer + 1;
    for (Index k = begin[2]; k < end[2]; ++k)
      for (Index j = begin[1]; j < end[1]; ++j)
        for (Index i = begin[0]; i < end[0]; ++i) visit(at(i, j, k));
  }

  static constexpr Index before_first = 7;
};

/// The side of a box towards lower (0) or higher (1) coordinates of an axis.
Face face_of(const std::shared_ptr<Box>& box, std::size_t axis, int side, int neighbour) {
  const bool outermost = side == 0 ? box->first[axis] == 0 : box->first[axis] + box->size[axis] == box->n[axis];
  Face face;
  if (outermost) return face;
  face.neighbour = neighbour;
  face.count = box->size[0] * box->size[1] * box->size[2] / box->size[axis];
  const Index last = box->size[axis] - 1, inner = side == 0 ? 0 : last, outer = side == 0 ? -1 : last + 1;
  face.pack = [=](double* to) { box->for_face(axis, inner, [&](Index at) { *to++ = box->u[at]; }); };
  face.unpack = [=](const double* from) { box->for_face(axis, outer, [&](Index at) { box->u[at] = *from++; }); };
  return face;
}

HaloBlock make_box(const std::vector<Index>& size, MPI_Comm comm) {
  const auto box = std::make_shared<Box>(triple(size), comm);
  HaloBlock block;
  auto& faces = block.stages.emplace_back();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [below, above] = neighbours(comm, 2 - static_cast<int>(axis));
    faces.push_back(face_of(box, axis, 0, below)), faces.push_back(face_of(box, axis, 1, above));
  }
  block.compute = [box] { box->step(); };
  const auto for_points = [box](auto visit) {
    for (Index k = 0; k < box->size[2]; ++k)
      for (Index j = 0; j < box->size[1]; ++j)
        for (Index i = 0; i < box->size[0]; ++i) visit(i, j, k);
  };
  block.values = [box, for_points] {
    std::vector<double> values;
    for_points([&](Index i, Index j, Index k) { values.push_back(box->u[box->at(i, j, k)]); });
    return values;
  };
  block.places = [box, for_points] {
    std::vector<Index> places;
    const auto& n = box->n;
    const auto& first = box->first;
    for_points([&](Index i, Index j, Index k) {
      places.push_back(((first[2] + k) * n[1] + first[1] + j) * n[0] + first[0] + i);
    });
    return places;
  };
  return block;
}

/// Written out once more, without packs, parts or padding: operation by operation what the kernel's formula says.
std::vector<double> plain_stencil(const std::vector<Index>& size, int steps) {
  const auto n = triple(size);
  const auto at = [=](Index i, Index j, Index k) {
    return static_cast<std::size_t>(((k + 1) * (n[1] + 2) + j + 1) * (n[0] + 2) + i + 1);
  };
  std::vector<double> u(at(n[0], n[1], n[2]) + 1);
  for (Index k = -1; k <= n[2]; ++k)
    for (Index j = -1; j <= n[1]; ++j)
      for (Index i = -1; i <= n[0]; ++i) u[at(i, j, k)] = initial(n, i, j, k);
  auto v = u;
  const auto for_points = [n](auto visit) {
    for (Index k = 0; k < n[2]; ++k)
      for (Index j = 0; j < n[1]; ++j)
        for (Index i = 0; i < n[0]; ++i) visit(i, j, k);
  };
  for (int step = 0; step < steps; ++step) {
    for_points([&](Index i, Index j, Index k) {
      const double neighbours =
          ((u[at(i - 1, j, k)] + u[at(i + 1, j, k)]) + (u[at(i, j - 1, k)] + u[at(i, j + 1, k)])) +
          (u[at(i, j, k - 1)] + u[at(i, j, k + 1)]);
      v[at(i, j, k)] = std::fma(neighbour_weight, neighbours, center_weight * u[at(i, j, k)]);
    });
    std::swap(u, v);
  }
  std::vector<double> result;
  for_points([&](Index i, Index j, Index k) { result.push_back(u[at(i, j, k)]); });
  return result;
}

}  // namespace

HaloProblem box_stencil(Index edge, int ranks) {
  if (edge < ranks)
    throw std::invalid_argument(fmt::format("--stencil={}: {} ranks need an edge of as many points", edge, ranks));
  HaloProblem problem{.name = "stencil/7pt, 3D", .size = {edge, edge, edge}, .axes = 3, .verified_sizes = {}};
  const Index small = std::max<Index>(19, ranks + 2);
  problem.verified_sizes = {{small, small + 1, small + 4}, {ranks, ranks, ranks}};
  problem.make = make_box, problem.by_one_rank = plain_stencil;
  return problem;
}

}  // namespace roofline::mpi
