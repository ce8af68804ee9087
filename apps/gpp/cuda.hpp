#pragma once
#include <array>

#include "apps/gpp/gpp.hpp"
#include "bench/space/cuda.hpp"

/// GPP on a GPU: the published mapping and our own.
///
/// Limiter on an H200 (67 TFLOP/s FP64 with FMA, 4.8 TB/s HBM): an inner iteration at nw 6 issues 56 fused and 58 other
/// FP64 operations and 6 reciprocals of some 7 each: 160 instructions for 176 canonical FLOP, at 64 per clock and SM
/// 0.29 s for the published size. At nw 1 it is a fifth of that, and the bytes decide.
namespace roofline::gpp {

/// The arrays of a problem, and where the sums go.
struct CudaArrays {
  const double *aqsm, *aqsn, *i_eps, *wtilde, *vcoul;
  const double* wx;  ///< max_nw frequencies
  const int *inv_igp_index, *indinv;
  double* totals;  ///< re and im of each frequency; zero before a launch
  Index number_bands, ncouls, ngpown;
};

template <int Nw, class real>
ROOFLINE_BODY std::array<double, 2 * Nw> parts(const Sums<Nw, real>& sums) {
  std::array<double, 2 * Nw> result;
  ROOFLINE_UNROLL(6)
  for (int iw = 0; iw < Nw; ++iw)
    result[2 * iw] = sums[iw].re.value.sum(), result[2 * iw + 1] = sums[iw].im.value.sum();
  return result;
}

template <int Nw, class real>
ROOFLINE_BODY void set_to_zero(Sums<Nw, real>& sums) {
  ROOFLINE_UNROLL(6)
  for (int iw = 0; iw < Nw; ++iw) sums[iw].re = 0.0, sums[iw].im = 0.0;
}

/// The mapping of the roofline experiment: grid (number_bands, ngpown), blocks of one warp that walk ig.
///
/// Values that are constant in a row are loaded again in every iteration, as in the published compiled code: indinv,
/// vcoul, aqsm and each wx, which are 3 + nw broadcasts of one sector next to the three loads of 16 B per lane. This
/// makes 51 + nw bytes per iteration at L1. aqsn is streamed anew for each p: 16 B of the 17.4 that come from HBM, 0.1
/// s of an H200 at any nw.
template <int Nw, bool Fma, bool Divide>
struct OneWarpPerRow {
  static constexpr int max_threads = 32, min_blocks = 1;
  CudaArrays a;
  double* totals;
  Index stride;  ///< for igs in [0, stride): ig = igs, igs + stride, ...

  ROOFLINE_BODY std::array<double, 2 * Nw> operator()(const ThreadPlace& at) const {
    const Index n = at.block.x, p = at.block.y;
    const int* const indinv = a.indinv + a.inv_igp_index[p];
    Sums<Nw, Real<CudaLane<>, Fma>> sums;
    set_to_zero<Nw>(sums);
    Row<Nw, Divide, ComplexView<true>> row;
    for (Index igs = 0; igs < stride; ++igs) {
      row.aqsn = {a.aqsn + 2 * (n * a.ncouls + igs), stride};
      row.i_eps = {a.i_eps + 2 * (p * a.ncouls + igs), stride};
      row.wtilde = {a.wtilde + 2 * (p * a.ncouls + igs), stride};
      for (Index x = at.thread.x; x * stride + igs < a.ncouls; x += max_threads) {
        const Index igp = cuda_math::load_again(indinv);
        row.vcoul = cuda_math::load_again(a.vcoul + igp);
        cuda_math::load_again(a.aqsm + 2 * (n * a.ncouls + igp), row.aqsm.re, row.aqsm.im);
        ROOFLINE_UNROLL(6)
        for (int iw = 0; iw < Nw; ++iw) row.wx[iw] = cuda_math::load_again(a.wx + iw);
        row(At<CudaLane<>, Fma>{x}, sums);
      }
    }
    return parts<Nw>(sums);
  }
};

template <int Nw, bool Fma, bool Divide>
CudaLaunch<OneWarpPerRow<Nw, Fma, Divide>> one_warp_per_row(const CudaArrays& a, Index stride) {
  return {.grid = {static_cast<unsigned>(a.number_bands), static_cast<unsigned>(a.ngpown)},
          .block = {32},
          .kernel = {a, a.totals, stride}};
}

/// Tuned: a block is 8 bands x 4 rows, a warp one band. An element of aqsn serves 4 rows from a register, an element of
/// I_eps and wtilde 8 bands from L1: 36 B per iteration at L1, about 8 at L2, 4 at HBM instead of 48, 20 to 44, 17.
/// Values that are constant in a row stay in registers. The products of a row do not depend on the other rows, so every
/// operation of the account is still executed (with several bands in a thread the compiler would share the divisions).
/// 128 registers, 16 warps per SM: a quarter of the occupancy, but 6 independent chains in each thread.
template <int Nw, bool Fma>
struct BandsByRows {
  static constexpr int max_threads = 256, min_blocks = 2;
  static constexpr int bands = 8, rows = 4;
  CudaArrays a;
  double* totals;
  std::array<double, max_nw> wx;

  ROOFLINE_BODY std::array<double, 2 * Nw> operator()(const ThreadPlace& at) const {
    const Index n = Index{at.block.x} * bands + at.thread.y, p = Index{at.block.y} * rows;
    Sums<Nw, Real<CudaLane<>, Fma>> sums;
    set_to_zero<Nw>(sums);
    if (n < a.number_bands) {
      if (p + rows <= a.ngpown)
        walk<rows>(n, p, at.thread.x, sums);
      else
        for (Index last = p; last < a.ngpown; ++last) walk<1>(n, last, at.thread.x, sums);
    }
    return parts<Nw>(sums);
  }

 private:
  template <int count>
  ROOFLINE_BODY void walk(Index n, Index p, Index lane, Sums<Nw, Real<CudaLane<>, Fma>>& sums) const {
    Row<Nw, true, ComplexView<false>> row[count];
    ROOFLINE_UNROLL(4)
    for (int r = 0; r < count; ++r) {
      const Index igp = a.indinv[a.inv_igp_index[p + r]];
      const double* const aqsm = a.aqsm + 2 * (n * a.ncouls + igp);
      row[r] = {.aqsn = {a.aqsn + 2 * n * a.ncouls},
                .i_eps = {a.i_eps + 2 * (p + r) * a.ncouls},
                .wtilde = {a.wtilde + 2 * (p + r) * a.ncouls},
                .aqsm = {aqsm[0], aqsm[1]},
                .vcoul = a.vcoul[igp],
                .wx = wx};
    }
    for (Index x = lane; x < a.ncouls; x += 32) {
      ROOFLINE_UNROLL(4)
      for (int r = 0; r < count; ++r) row[r](At<CudaLane<>, Fma>{x}, sums);
    }
  }
};

template <int Nw, bool Fma>
CudaLaunch<BandsByRows<Nw, Fma>> bands_by_rows(const CudaArrays& a) {
  using Kernel = BandsByRows<Nw, Fma>;
  return {.grid = {blocks_for(a.number_bands, Kernel::bands), blocks_for(a.ngpown, Kernel::rows)},
          .block = {32, Kernel::bands},
          .kernel = {a, a.totals, frequencies()}};
}

}  // namespace roofline::gpp
