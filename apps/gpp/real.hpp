#pragma once
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "apps/gpp/gpp.hpp"
#include "bench/space/pack.hpp"
#include "bench/space/workload.hpp"

namespace roofline {
class Suite;
}

/// GPP with real in the place of complex numbers, a variant of the P3HPC paper: the bytes halve, and of the FLOPs a
/// third remains, so that the intensity falls.
namespace roofline::gpp::real {

/// Loads numbers that lie `stride` doubles apart into the lanes of V; the counting space has its own.
template <class V>
struct Spaced {
  static ROOFLINE_BODY V load(const double* p, Index stride) {
    if constexpr (V::lanes == 1) {
      return V::load(p);
    } else {
      V result;
      for (int lane = 0; lane < V::lanes; ++lane) result.v[lane] = p[lane * stride];
      return result;
    }
  }
};

/// `view[at]` loads number `stride * at`.
template <bool Strided>
struct RealView {
  const double* data = nullptr;
  Index stride = 1;

  template <class V, bool Fma>
  ROOFLINE_BODY Real<V, Fma> operator[](At<V, Fma> at) const {
    if constexpr (Strided)
      return Spaced<V>::load(data + stride * at.i, stride);
    else
      return V::load(data + at.i);
  }
};

/// achtemp of Nw frequencies, summed up by one lane type.
template <int Nw, class real>
using Sums = std::array<real, Nw>;

/// One row of the sum, as gpp::Row:
///   achtemp[iw] += aqsm[n][igp] aqsn[n][ig] delw I_eps[p][ig] 0.5 vcoul[igp]
///   delw = wtilde wdiff / wdiff^2,  wdiff = wx[iw] - wtilde[p][ig]
/// 1 + 10 Nw FLOP per ig, Nw of them divisions, and 24 B.
template <int Nw, class View>
struct Row {
  View aqsn, i_eps, wtilde;
  double aqsm, vcoul;
  std::array<double, max_nw> wx;

  template <class At>
  ROOFLINE_BODY void operator()(At at, Sums<Nw, typename At::real>& achtemp) const {
    using real = typename At::real;
    const real right = aqsn[at];
    const real eps = i_eps[at];
    const real pole = wtilde[at];
    const real matrix_element = right * aqsm;  // 1 FLOP
    ROOFLINE_UNROLL(6)
    for (int iw = 0; iw < Nw; ++iw) {
      const real wdiff = wx[iw] - pole;                                          // 1
      const real norm = wdiff * wdiff;                                           // 1
      const real inverse = real(1.0) / norm;                                     // 1
      const real pole_wdiff = pole * wdiff;                                      // 1
      const real sch = matrix_element * pole_wdiff * eps * inverse * real(0.5);  // 4
      achtemp[iw] += sch * vcoul;                                                // 2
    }
  }
};

/// Canonical FLOPs of `iterations` of the inner loop (a division counts 1).
inline std::uint64_t declared_flops(Index iterations, int nw) {
  return static_cast<std::uint64_t>(iterations) * static_cast<std::uint64_t>(1 + 10 * nw);
}
/// gpp/real/nw:6/fma:1/stride:1
std::string row_name(const Axes& axes);
/// Every frequency count, contraction and stride.
std::vector<Axes> all_axes();

/// The arrays of one problem, on the host or on a device, row-major, ig fastest.
template <class Array>
struct Arrays {
  Index number_bands, ncouls, ngpown;
  Array aqsm, aqsn;     ///< [number_bands][ncouls]
  Array i_eps, wtilde;  ///< [ngpown][ncouls]
  Array vcoul;          ///< [ncouls]

  /// `sizes` as those of the complex ones.
  explicit Arrays(const std::vector<Index>& sizes)
      : number_bands(sizes[0]),
        ncouls(sizes[2]),
        ngpown(sizes[2] / sizes[3]),
        aqsm(number_bands * ncouls),
        aqsn(number_bands * ncouls),
        i_eps(ngpown * ncouls),
        wtilde(ngpown * ncouls),
        vcoul(ncouls) {}
  Index iterations() const { return number_bands * ngpown * ncouls; }
};

/// A problem on the host; its sums by another route, for the check.
struct Problem : Arrays<Buffer> {
  Buffer partial;                        ///< achtemp of every band, each in a cache line of its own
  std::array<double, max_nw> achtemp{};  ///< the result of the last launch
  std::array<double, max_nw> expected{}, magnitude{};

  Problem(const std::vector<Index>& sizes, std::uint64_t seed);
  Index igp(Index p) const { return gpp::igp(p, ncouls, ngpown); }
  /// The sums over the bands first, then over ig in natural order with wtilde / wdiff, in long double.
  Check check(int nw) const;
};

/// The variants on a CPU; `sizes` as those of the complex ones.
void add_variants(Suite& suite, const std::vector<Index>& sizes);
/// The variants on a GPU.
void add_cuda_variants(Suite& suite, const std::vector<Index>& sizes);

}  // namespace roofline::gpp::real
