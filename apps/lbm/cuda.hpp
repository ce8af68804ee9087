#pragma once
#include "apps/lbm/collide.hpp"
#include "apps/lbm/moments.hpp"
#include "apps/lbm/propagate.hpp"
#include "bench/space/cuda.hpp"

/// D2Q37 on a GPU: the five versions of the GTC 2020 talk and two more. Blocks of 256 sites along y, grid
/// (LY / 256, LX); the bodies are those of the CPU.
///
/// Limiter on an H200: 592 B of HBM traffic per site, 123 ps at 4.8 TB/s. v2 to v4 execute 5117 FLOP in some 3000 FP64
/// instructions, 180 ps at 64 per clock and SM: the FP64 units bind, and with one block per SM (v3, v4) the latency of
/// HBM. v0 and v1 add 62 parameter loads per population: 4600 loads per site, which L1 or the constant cache must
/// serve. v0 to v3 use each population five times in local memory, 296 B of a thread, which L1 does not hold for all
/// resident ones. v5 executes 756 FLOP: HBM binds.
namespace roofline::lbm {

inline constexpr int cuda_block = 256;  ///< sites along y: LY must be a multiple

/// The site of a thread, as an element of the lattice and as a row.
struct CudaSite {
  Index element, iy;
  ROOFLINE_BODY CudaSite(const Grid& grid, const ThreadPlace& at, int block = cuda_block) {
    iy = Index{at.block.x} * block + at.thread.x;
    element = grid.site(at.block.y, iy);
  }
};

/// One thread per site of the grid.
template <class Kernel>
CudaLaunch<Kernel> thread_per_site(const Grid& grid, Kernel kernel, std::size_t shared_doubles_per_thread = 0) {
  constexpr unsigned block = Kernel::max_threads;
  return {.grid = {static_cast<unsigned>(grid.ly) / block, static_cast<unsigned>(grid.lx)},
          .block = {block},
          .shared_bytes = shared_doubles_per_thread * block * sizeof(double),
          .kernel = kernel};
}

/// The five loops on populations at `f`, which is in local, in shared memory or in registers; `between` them as said.
template <class Lattice, class At, class F, class Between>
ROOFLINE_BODY void five_loops(const Lattice& lattice, const Collision& c, At at, At row, F f, Between between) {
  using real = typename Lattice::real;
  const Index plane = c.grid.plane();
  real q[components];
  Moments<real> moments;
  take_in(
      lattice, [&](auto p) ROOFLINE_INLINED { return c.in[at + p * plane]; }, f, moments);
  between();
  find_moments(lattice, f, moments);
  between();
  relax(lattice, f, moments, c.fluid, c.bulk[row]);
  between();
  project(lattice, f, q);
  give_out(lattice, q, [&](auto p, real x) ROOFLINE_INLINED { c.out.set(at + p * plane, x); });
}

/// v0, v1 and v3_registers: a thread's populations are an array of its own. With loops that stay loops it is indexed,
/// so it lies in local memory; unrolled, it is registers and what spills of them. `Lattice` is a template of the lane's
/// arithmetic.
template <template <class> class Lattice, bool Fma, int blocks_per_sm>
struct OwnPopulations {
  static constexpr int max_threads = cuda_block, min_blocks = blocks_per_sm;
  Collision c;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    using Place = At<CudaLane<>, Fma>;
    using real = typename Place::real;
    const CudaSite site(c.grid, at);
    real f[populations];
    five_loops(Lattice<real>{c.parameters}, c, Place{site.element}, Place{site.iy}, f, [] {});
  }
};

/// v2 and v3 as the talk's profiles show them: loops unrolled, and populations in local memory all the same, 111 loads
/// and 74 stores of a site there. (A compiler may take no notice of `volatile` where no other thread can look.)
template <template <class> class Lattice, int blocks_per_sm>
struct LocalPopulations {
  static constexpr int max_threads = cuda_block, min_blocks = blocks_per_sm;
  Collision c;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    using Place = At<CudaLane<>, true>;
    using real = typename Place::real;
    const CudaSite site(c.grid, at);
    real f[populations];
    five_loops(Lattice<real>{c.parameters}, c, Place{site.element}, Place{site.iy}, f,
               [&] ROOFLINE_INLINED { cuda_math::touch(f); });
  }
};

/// Populations that are where v4 has them: each use is an access. A compiler that is free to keeps them in registers as
/// well, leaves out a third of the loads, and spills.
template <class real>
class InSharedMemory {
 public:
  explicit ROOFLINE_BODY InSharedMemory(double* first) : first_(first) {}

  class Element {
   public:
    explicit ROOFLINE_BODY Element(volatile double* at) : at_(at) {}
    ROOFLINE_BODY operator real() const { return decltype(real::value){*at_}; }
    ROOFLINE_BODY void operator=(const real& x) const { *at_ = x.value.v; }

   private:
    volatile double* at_;
  };
  ROOFLINE_BODY Element operator[](int p) const { return Element(first_ + p); }

 private:
  double* first_;
};

/// v4: 37 doubles of dynamic shared memory per thread, 75,776 B per block; thread t owns 37 t to 37 t + 36. The stride
/// is odd, so that no two lanes meet in a bank. 111 loads and 74 stores there; no spills, 241 registers on sm_90.
template <template <class> class Lattice>
struct SharedPopulations {
  static constexpr int max_threads = cuda_block, min_blocks = 1;
  Collision c;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    using Place = At<CudaLane<>, true>;
    using real = typename Place::real;
    const CudaSite site(c.grid, at);
    const InSharedMemory<real> f(at.shared + populations * at.thread.x);
    five_loops(Lattice<real>{c.parameters}, c, Place{site.element}, Place{site.iy}, f, [] {});
  }
};

/// v5: the collision in moment space, without spills: 168 registers, 12 warps per SM in blocks of 128. Each thread has
/// its 37 loads under way at once, 113 KB per SM.
struct MomentsPerThread {
  static constexpr int max_threads = 128, min_blocks = 3;
  Collision c;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    using Place = At<CudaLane<>, true>;
    using real = Place::real;
    const CudaSite site(c.grid, at, max_threads);
    const Place place{site.element};
    const Index plane = c.grid.plane();
    real moments[components];
    analyse([&](int p) ROOFLINE_INLINED -> real { return c.in[place + p * plane]; }, moments);
    relax_moments<real>(moments, c.fluid, c.bulk[Place{site.iy}]);
    synthesise(moments, [&](int p, real x) ROOFLINE_INLINED { c.out.set(place + p * plane, x); });
  }
};

/// f'_p(x) = f_p(x - c_p): a thread moves all populations of a site. It is a copy, bound by HBM.
struct Propagate {
  static constexpr int max_threads = cuda_block, min_blocks = 4;
  Grid grid;
  View in, out;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    move(CudaSite(grid, at).element, std::make_integer_sequence<int, populations>());
  }

 private:
  template <int... p>
  ROOFLINE_BODY void move(Index site, std::integer_sequence<int, p...>) const {
    (Pull{in, out, velocities[p].x * grid.ny() + velocities[p].y}(At<CudaLane<>, true>{p * grid.plane() + site}), ...);
  }
};

// The rest moves little and is not tuned. These kernels read and write one lattice.

using InPlace = At<CudaLane<Loads::plain>, true>;

/// Halo cells below and above a column: one thread per column and population.
struct FillColumnHalos {
  static constexpr int max_threads = 128, min_blocks = 1;
  Grid grid;
  View f;
  Edge edge;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index ix = Index{at.block.x} * max_threads + at.thread.x;
    if (ix >= grid.lx) return;
    for (Index k = 0; k < reach; ++k) {
      const ColumnHalo halo(grid, edge, at.block.y, ix, k);
      CopyFrom{f, halo.below - halo.bottom}(InPlace{halo.below});
      CopyFrom{f, halo.above - halo.top}(InPlace{halo.above});
    }
  }
};

/// Columns of halo cells, their ends included: after FillColumnHalos.
struct FillRowHalos {
  static constexpr int max_threads = 128, min_blocks = 1;
  Grid grid;
  View f;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index iy = Index{at.block.x} * max_threads + at.thread.x;
    if (iy >= grid.ly + 2 * reach) return;
    const RowHalo halo(grid, at.block.y, at.block.z);
    CopyFrom{f, halo.distance}(InPlace{halo.begin + iy});
  }
};

/// The rows at both walls: one thread per column and wall.
template <class Memory>
struct RestAtWalls {
  static constexpr int max_threads = 64, min_blocks = 1;
  Grid grid;
  View f;
  Walls walls;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const Index ix = Index{at.block.x} * max_threads + at.thread.x;
    if (ix >= grid.lx) return;
    if (at.block.y == 0)
      RestAtWall<Memory>{f, grid.plane(), +1, walls.bottom}(InPlace{grid.site(ix, 0)});
    else
      RestAtWall<Memory>{f, grid.plane(), -1, walls.top}(InPlace{grid.site(ix, grid.ly - 1)});
  }
};

inline CudaLaunch<FillColumnHalos> fill_column_halos(const Grid& grid, View f, Edge edge) {
  return {.grid = {blocks_for(grid.lx, FillColumnHalos::max_threads), populations},
          .block = {FillColumnHalos::max_threads},
          .kernel = {grid, f, edge}};
}
inline CudaLaunch<FillRowHalos> fill_row_halos(const Grid& grid, View f) {
  return {.grid = {blocks_for(grid.ly + 2 * reach, FillRowHalos::max_threads), populations, 2 * reach},
          .block = {FillRowHalos::max_threads},
          .kernel = {grid, f}};
}
template <class Memory>
CudaLaunch<RestAtWalls<Memory>> rest_at_both_walls(const Grid& grid, View f, const Walls& walls) {
  using Kernel = RestAtWalls<Memory>;
  return {.grid = {blocks_for(grid.lx, Kernel::max_threads), 2},
          .block = {Kernel::max_threads},
          .kernel = {grid, f, walls}};
}

}  // namespace roofline::lbm
