#pragma once
#include <mpi.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/space/real.hpp"
#include "tools/mpi/link.hpp"
#include "tools/mpi/world.hpp"

namespace roofline::mpi {

/// One side of a rank's part of a problem. Sides come in pairs, 2 i and 2 i + 1, opposite to each other: data that
/// leave by one arrive at the neighbour's other.
struct Face {
  int neighbour = MPI_PROC_NULL;  ///< in the communicator; may be the rank itself
  Index count = 0;                ///< doubles
  std::function<void(double*)> pack = {};
  std::function<void(const double*)> unpack = {};
};

/// A rank's part of a problem. The faces of a stage are exchanged together, stages one after the other: corners travel
/// in two stages.
struct HaloBlock {
  std::vector<std::vector<Face>> stages;
  std::function<void()> compute = {};                ///< a step, once all faces are there
  std::function<std::vector<double>()> values = {};  ///< the result in the part, in the order of `places`
  std::function<std::vector<Index>()> places = {};   ///< where these values are in the result of one rank
};

/// A problem that can be cut into parts.
struct HaloProblem {
  std::string name;         ///< "stencil/7pt, 3D"
  std::vector<Index> size;  ///< points of the whole
  int axes = 1;             ///< along which it is cut
  std::function<HaloBlock(const std::vector<Index>& size, MPI_Comm cartesian)> make = {};
  std::function<std::vector<double>(const std::vector<Index>& size, int steps)> by_one_rank = {};
  /// Small: one size that is not a multiple of any number of ranks where that is possible, one whose parts are the
  /// thinnest. A run of few points is verified itself, too.
  std::vector<std::vector<Index>> verified_sizes;
};

/// Seconds of a step on the mean rank. They add up to the whole, because they do not overlap.
struct HaloParts {
  double compute = 0, pack = 0, exchange = 0, waiting = 0;
  double total() const { return compute + pack + exchange + waiting; }
};

struct HaloRun {
  std::string problem;
  bool weak = false;
  int ranks = 1;
  std::vector<int> grid;
  std::vector<Index> size;  ///< of the whole
  std::string wrong;        ///< where the result differs from that of one rank; empty: nowhere, in any bit
  double seconds = 0;       ///< of a step
  double efficiency = 1;    ///< T1 / (N TN), weak: T1 / TN
  HaloParts parts;
  double messages = 0, bytes = 0;   ///< that a rank sends in a step, of the one that sends most bytes
  std::optional<double> predicted;  ///< of the exchange: latency x messages + bytes / bandwidth
};

struct HaloOptions {
  std::vector<HaloProblem> problems;
  double seconds = 1;           ///< of the steps of a run
  std::optional<LinkFit> link;  ///< the median one
};

/// Strong and weak scaling of each problem on 1, 2, 4, ... ranks and all of them. First the result of a few steps is
/// compared with that of one rank, bit for bit; a run that differs has no times. All ranks call it.
std::vector<HaloRun> scale_halos(World& world, const HaloOptions& options);

/// Part `number` of `parts` of `n` in units: begin and end. The first ones get what is left over.
std::pair<Index, Index> share_of(Index n, int number, int parts, Index unit = 1);

/// The neighbours of a rank along an axis, below and above.
std::pair<int, int> neighbours(MPI_Comm cartesian, int axis);

/// The 7-point stencil in the form with coefficients on a cube of edge^3 interior points, cut in three dimensions for
/// up to so many ranks; the layer around the cube stays as it is. Throws std::invalid_argument on an edge below
/// `ranks`.
HaloProblem box_stencil(Index edge, int ranks);
/// D2Q37 (propagate, and the collision of lbm/collide/v5), periodic, cut along x or along both axes. Three layers are
/// exchanged, of each only the populations that move out of the part. LY is a multiple of 32. Throws
/// std::invalid_argument where a part would be thinner than three layers.
HaloProblem lattice(Index lx, Index ly, int axes, int ranks);

}  // namespace roofline::mpi
