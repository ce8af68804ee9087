#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "apps/lbm/collide.hpp"
#include "apps/lbm/expected.hpp"
#include "apps/lbm/propagate.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/openmp.hpp"
#include "tools/mpi/halo.hpp"

namespace roofline::mpi {
namespace {

using lbm::Grid;
using lbm::populations;
using lbm::reach;

const lbm::Version& collision_version() {
  for (const auto& version : lbm::versions())
    if (version.name == std::string_view("v5")) return version;
  std::abort();  // there is one: tests/apps
}

/// Sites of a whole that begin at (x, y) of it, in two lattices, all of the bulk.
struct Sites {
  Grid grid;
  Index x = 0, y = 0;
  Buffer bulk, from, to;

  Sites(const Grid& own, Index first_x, Index first_y)
      : grid(own), x(first_x), y(first_y), bulk(own.ly), from(populations * own.plane()), to(from.size()) {
    std::fill(bulk.begin(), bulk.end(), 1.0);
    const lbm::InitialState initial;
    for (int p = 0; p < populations; ++p)
      for (Index ix = 0; ix < grid.lx; ++ix)
        for (Index iy = 0; iy < grid.ly; ++iy) from[at(p, ix, iy)] = initial(p, x + ix, y + iy);
  }

  Index at(Index p, Index ix, Index iy) const { return p * grid.plane() + grid.site(ix, iy); }

  /// With halos filled: propagate, collide.
  void step() {
    lbm::propagate(OpenMp<true>{}, grid, from.view(), to.view());
    collision_version().launch({grid, to.view(), from.view(), bulk.view(), lbm::fluid, {}});
  }

  /// visit(element) for the populations that move out over a side in a step: from column or row k next to it those that
  /// go k + 1 sites or farther. `outer`: the halo that takes them up beyond the opposite side. Columns bring the rows
  /// of the halo along, which the neighbours above and below have filled before.
  template <class Visit>
  void for_face(bool x_axis, int side, bool outer, Visit visit) const {
    const Index n = x_axis ? grid.lx : grid.ly;
    for (Index p = 0; p < populations; ++p) {
      const auto c = lbm::velocities[static_cast<std::size_t>(p)];
      const Index out = (side == 0 ? -1 : 1) * (x_axis ? c.x : c.y);
      for (Index k = 0; k < out; ++k) {
        const Index layer = outer ? (side == 0 ? n + k : -1 - k) : side == 0 ? k : n - 1 - k;
        if (x_axis)
          for (Index iy = -reach; iy < grid.ly + reach; ++iy) visit(at(p, layer, iy));
        else
          for (Index ix = 0; ix < grid.lx; ++ix) visit(at(p, ix, layer));
      }
    }
  }
};

Face face_of(const std::shared_ptr<Sites>& sites, bool x_axis, int side, int neighbour) {
  Face face{.neighbour = neighbour};
  sites->for_face(x_axis, side, false, [&](Index) { ++face.count; });
  face.pack = [=](double* to) { sites->for_face(x_axis, side, false, [&](Index at) { *to++ = sites->from[at]; }); };
  // Data that come in over a side left the neighbour by its opposite side.
  face.unpack = [=](const double* from) {
    sites->for_face(x_axis, 1 - side, true, [&](Index at) { sites->from[at] = *from++; });
  };
  return face;
}

/// p first, then x, then y.
template <class Visit>
void for_populations(const Sites& sites, Visit visit) {
  for (Index p = 0; p < populations; ++p)
    for (Index ix = 0; ix < sites.grid.lx; ++ix)
      for (Index iy = 0; iy < sites.grid.ly; ++iy) visit(p, ix, iy);
}

std::vector<double> values_of(const Sites& sites) {
  std::vector<double> values;
  for_populations(sites, [&](Index p, Index ix, Index iy) { values.push_back(sites.from[sites.at(p, ix, iy)]); });
  return values;
}

HaloBlock make_sites(const std::vector<Index>& size, int axes, MPI_Comm comm) {
  int rank = 0, dims[2] = {1, 1}, periods[2], coordinates[2] = {0, 0};
  MPI_Comm_rank(comm, &rank);
  MPI_Cart_get(comm, axes, dims, periods, coordinates);
  const auto [x_begin, x_end] = share_of(size[0], coordinates[0], dims[0]);
  const auto [y_begin, y_end] = share_of(size[1], coordinates[1], dims[1], lbm::block);
  const auto sites = std::make_shared<Sites>(Grid{x_end - x_begin, y_end - y_begin}, x_begin, y_begin);
  HaloBlock block;
  for (const bool x_axis : {false, true}) {
    const bool cut = x_axis || axes == 2;
    const auto [below, above] = cut ? neighbours(comm, x_axis ? 0 : 1) : std::pair{rank, rank};
    block.stages.push_back({face_of(sites, x_axis, 0, below), face_of(sites, x_axis, 1, above)});
  }
  block.compute = [sites] { sites->step(); };
  block.values = [sites] { return values_of(*sites); };
  block.places = [sites, lx = size[0], ly = size[1]] {
    std::vector<Index> places;
    for_populations(
        *sites, [&](Index p, Index ix, Index iy) { places.push_back((p * lx + sites->x + ix) * ly + sites->y + iy); });
    return places;
  };
  return block;
}

/// The whole in one piece, its halos filled as the kernels' own step fills them.
std::vector<double> whole_lattice(const std::vector<Index>& size, int steps) {
  Sites sites({size[0], size[1]}, 0, 0);
  for (int step = 0; step < steps; ++step) {
    lbm::fill_halos(OpenMp<true>{}, sites.grid, sites.from.view(), lbm::Edge::periodic);
    sites.step();
  }
  return values_of(sites);
}

}  // namespace

HaloProblem lattice(Index lx, Index ly, int axes, int ranks) {
  const auto most_y = axes == 2 ? static_cast<Index>(std::sqrt(ranks)) : 1;  // MPI_Dims_create's first axis is longest
  if (lx < Index{reach} * ranks || ly % lbm::block != 0 || ly < lbm::block * most_y)
    throw std::invalid_argument(
        fmt::format("--lbm={},{}: for {} ranks LX must be {} or more, LY a multiple of {}, {} or more", lx, ly, ranks,
                    reach * ranks, lbm::block, lbm::block * most_y));
  HaloProblem problem{.name = fmt::format("lbm/D2Q37, {}D", axes),
                      .size = {lx, ly},
                      .axes = axes,
                      .verified_sizes = {{std::max<Index>(29, 4 * ranks + 1), lbm::block * (most_y + 1)},
                                         {Index{reach} * ranks, lbm::block * most_y}}};
  problem.make = [axes](const std::vector<Index>& size, MPI_Comm comm) { return make_sites(size, axes, comm); };
  problem.by_one_rank = whole_lattice;
  return problem;
}

}  // namespace roofline::mpi
