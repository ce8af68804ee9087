#pragma once

#include "apps/gsrb/box.hpp"
#include "apps/gsrb/window.hpp"
#include "bench/space/cuda.hpp"
#include "bench/space/real.hpp"

/// HPGMG's smoothers on a GPU: the published mapping and our own.
///
/// Limiter on an H200: 58 B of HBM traffic per cell (fv4, level 8), 12 ps at 4.8 TB/s; 114 FLOP are 4 ps of the 34
/// TFLOP/s without FMA. But the published mapping asks L1 for 58 loads of 8 B, 16 ps at 128 B per clock and SM, and
/// rows that begin between sectors make it more: L1 binds, HBM is next.
namespace roofline::gsrb {

/// A level in device memory: where cell (0, 0, 0) of box 0 is in every vector. Boxes follow each other at `volume`.
struct CudaLevel {
  double *x, *rhs, *beta_i, *beta_j, *beta_k, *dinv, *out, *mask;
  Index n, j_stride, k_stride, volume;
  double h, b;   ///< A = -b/h^2 ...
  Index colour;  ///< of the sweep: cells with i ^ j ^ k ^ colour even are updated

  double minus_b_h2inv() const { return -b / (h * h); }
  /// `move` takes addresses of the level's memory to those of the device's copy of it.
  template <class Move>
  static CudaLevel of(const Level& level, Index colour, Move move) {
    const BoxShape& shape = level.shape();
    const auto at = [&](Vector vector) { return move(level.box(vector, 0) + shape.at(0, 0, 0)); };
    return {.x = at(Vector::x),
            .rhs = at(Vector::rhs),
            .beta_i = at(Vector::beta_i),
            .beta_j = at(Vector::beta_j),
            .beta_k = at(Vector::beta_k),
            .dinv = at(Vector::dinv),
            .out = at(Vector::temp),
            .mask = move(level.mask(0) + shape.at(0, 0, -shape.ghosts)),
            .n = shape.n,
            .j_stride = shape.j_stride,
            .k_stride = shape.k_stride,
            .volume = shape.volume,
            .h = 1.0 / static_cast<double>(level.edge()),
            .b = 1.0,
            .colour = colour};
  }
};
constexpr std::size_t level_words = sizeof(CudaLevel) / sizeof(double);

/// As HPGMG-CUDA finds its level: in device memory, word by word, in every thread; b/h^2 is computed, 12 FLOP of a
/// V100.
struct LevelInMemory {
  const CudaLevel* level;

  ROOFLINE_BODY CudaLevel load() const {
    using cuda_math::load_again;
    return {.x = load_again(&level->x),
            .rhs = load_again(&level->rhs),
            .beta_i = load_again(&level->beta_i),
            .beta_j = load_again(&level->beta_j),
            .beta_k = load_again(&level->beta_k),
            .dinv = load_again(&level->dinv),
            .out = load_again(&level->out),
            .mask = load_again(&level->mask),
            .n = load_again(&level->n),
            .j_stride = load_again(&level->j_stride),
            .k_stride = load_again(&level->k_stride),
            .volume = load_again(&level->volume),
            .h = load_again(&level->h),
            .b = load_again(&level->b),
            .colour = load_again(&level->colour)};
  }
  static ROOFLINE_BODY double minus_b_h2inv(const CudaLevel& level) {
    const double inverse = cuda_math::div(1.0, cuda_math::mul(level.h, level.h));
    return cuda_math::negate(cuda_math::mul(level.b, inverse));
  }
};

/// The box and first cell of a block of `across` x `along` x `deep` cells.
struct CudaTile {
  Index box, i, j, k;

  ROOFLINE_BODY CudaTile(unsigned block, unsigned n, unsigned across, unsigned along, unsigned deep) {
    const unsigned tiles_i = n / across, tiles_j = n / along, tiles_k = n / deep;
    i = block % tiles_i * across, block /= tiles_i;
    j = block % tiles_j * along, block /= tiles_j;
    k = block % tiles_k * deep, box = block / tiles_k;
  }
};

inline unsigned tiles(const CudaLevel& level, unsigned across, unsigned along, unsigned deep) {
  const auto n = static_cast<unsigned>(level.n);
  return static_cast<unsigned>(boxes) * (n / across) * (n / along) * (n / deep);
}

/// The published mapping: each thread reads the level first; tiles of 32 x 4 x 8 cells, 16 x 4 x 8 in boxes of 16; a
/// thread walks the 8 planes and keeps nothing from one to the next. STRIDE2 has a thread for every two cells of a row.
/// HPGMG's bounds: 128 threads, 4 blocks per SM.
template <class Operator, class Method, bool Fma>
struct TileSweep {
  static constexpr int max_threads = 128, min_blocks = 4;
  static constexpr unsigned along = 4, deep = 8;
  LevelInMemory in_memory;
  unsigned across;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const CudaLevel level = in_memory.load();
    const double minus_b_h2inv = LevelInMemory::minus_b_h2inv(level);
    const CudaTile tile(at.block.x, static_cast<unsigned>(level.n), across, along, deep);
    const Index j = tile.j + at.thread.y;
    const Index item = (tile.i + j * level.j_stride) / Method::cells_per_item + at.thread.x;
    ROOFLINE_UNROLL(1)
    for (Index k = tile.k; k < tile.k + deep; ++k) {
      using Array = typename Method::Array;
      const Index first = tile.box * level.volume + k * level.k_stride;
      const Cells<Array> cells{.x = {level.x + first},
                               .rhs = {level.rhs + first},
                               .beta_i = {level.beta_i + first},
                               .beta_j = {level.beta_j + first},
                               .beta_k = {level.beta_k + first},
                               .dinv = {level.dinv + first},
                               .out = {level.out + first},
                               .mask = {level.mask + ((k ^ level.colour) & 1) * level.k_stride},
                               .j = level.j_stride,
                               .k = level.k_stride,
                               .parity = (j ^ k ^ level.colour) & 1,
                               .minus_b_h2inv = minus_b_h2inv};
      Method::template update<Operator>(cells, At<CudaLane<>, Fma>{item});
    }
  }
};

template <class Operator, class Method, bool Fma>
CudaLaunch<TileSweep<Operator, Method, Fma>> tile_sweep(const CudaLevel& level, const CudaLevel* in_memory) {
  using Kernel = TileSweep<Operator, Method, Fma>;
  const unsigned across = level.n < 32 ? 16 : 32;
  return {.grid = {tiles(level, across, Kernel::along, Kernel::deep)},
          .block = {across / static_cast<unsigned>(Method::cells_per_item), Kernel::along},
          .kernel = {{in_memory}, across}};
}

/// Tuned: GSRB_FP with a thread that walks 16 planes and keeps the values that the next plane needs again in registers
/// (Window): 34 of 58 loads per cell remain (fv4), or 12 of 16 (7pt), so HBM binds. The compiler keeps some differences
/// as well: it executes 110.75 of 114 FLOP. Rows begin at cache lines.
template <class Operator, bool Fma>
struct ColumnSweep {
  static constexpr int max_threads = 128, min_blocks = Operator::radius == 1 ? 6 : 3;
  static constexpr unsigned along = 4, deep = 16;
  CudaLevel level;
  double minus_b_h2inv;
  unsigned across;

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    using Planes = Surroundings<Operator>;
    const CudaTile tile(at.block.x, static_cast<unsigned>(level.n), across, along, deep);
    const Index j = level.j_stride, k = level.k_stride;
    const Index row = tile.i + at.thread.x + (tile.j + at.thread.y) * j;
    Index cell = tile.box * level.volume + tile.k * k + row;
    const auto load_fresh = [&](Cells<Window, View>& cells) {
      Planes::X::fresh::load(cells.x, level.x + cell, j, k);
      Planes::BetaI::fresh::load(cells.beta_i, level.beta_i + cell, j, k);
      Planes::BetaJ::fresh::load(cells.beta_j, level.beta_j + cell, j, k);
      Planes::BetaK::fresh::load(cells.beta_k, level.beta_k + cell, j, k);
    };
    Cells<Window, View> cells;
    cells.j = Window::j, cells.k = Window::k;
    cells.minus_b_h2inv = minus_b_h2inv;
    Planes::X::kept::load(cells.x, level.x + cell, j, k);
    Planes::BetaI::kept::load(cells.beta_i, level.beta_i + cell, j, k);
    Planes::BetaJ::kept::load(cells.beta_j, level.beta_j + cell, j, k);
    Planes::BetaK::kept::load(cells.beta_k, level.beta_k + cell, j, k);
    ROOFLINE_UNROLL(4)
    for (unsigned plane = 0; plane < deep; ++plane) {
      load_fresh(cells);
      const Index mask_plane = (tile.k + plane + level.colour) & 1;
      cells.rhs.value[Window::centre] = cuda_math::load_read_only(level.rhs + cell);
      cells.dinv.value[Window::centre] = cuda_math::load_read_only(level.dinv + cell);
      cells.mask.value[Window::centre] = cuda_math::load_read_only(level.mask + mask_plane * k + row);
      cells.out = {level.out + cell - Window::centre};
      Fp::update<Operator>(cells, At<CudaLane<>, Fma>{Window::centre});
      cells.x.move_up(), cells.beta_i.move_up(), cells.beta_j.move_up(), cells.beta_k.move_up();
      cell += k;
    }
  }
};

template <class Operator, bool Fma>
CudaLaunch<ColumnSweep<Operator, Fma>> column_sweep(const CudaLevel& level) {
  using Kernel = ColumnSweep<Operator, Fma>;
  const unsigned across = level.n < 32 ? 16 : 32;
  return {.grid = {tiles(level, across, Kernel::along, Kernel::deep)},
          .block = {across, Kernel::along},
          .kernel = {level, level.minus_b_h2inv(), across}};
}

}  // namespace roofline::gsrb
