#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "bench/space/buffer.hpp"
#include "bench/space/complex.hpp"
#include "bench/space/real.hpp"

namespace roofline {
struct Workload;
}

/// GPP: the self-energy kernel of BerkeleyGW's general plasmon pole model, without conditionals, as the roofline
/// experiments of NERSC measure it (Yang, Gayatri, Kurth et al., P3HPC 2018).
namespace roofline::gpp {

inline constexpr int max_nw = 6;

/// achtemp of Nw frequencies, summed up by one lane type.
template <int Nw, class real>
using Sums = std::array<Complex<real>, Nw>;

/// One row of the sum, band n and my_igp = p:
///   achtemp[iw] += conj(aqsm[n][igp]) aqsn[n][ig] delw I_eps[p][ig] 0.5 vcoul[igp]
///   delw = wtilde conj(wdiff) / |wdiff|^2,  wdiff = wx[iw] - wtilde[p][ig]
/// 8 + 28 Nw FLOP per ig, Nw of them divisions, and 48 B; values that are constant in a row do not count as loaded.
///
/// 1 / |wdiff|^2 is multiplied in last, so that the products need not wait for the divider. Without Divide a
/// multiplication stands in for the division: other values, the same number of operations.
/// `View` says how the numbers lie and how they are loaded.
template <int Nw, bool Divide, class View>
struct Row {
  View aqsn, i_eps, wtilde;
  Complex<double> aqsm;
  double vcoul;
  std::array<double, max_nw> wx;

  template <class At>
  ROOFLINE_BODY void operator()(At at, Sums<Nw, typename At::real>& achtemp) const {
    using real = typename At::real;
    using complex = Complex<real>;
    const complex left = {aqsm.re, aqsm.im};
    const complex right = aqsn[at];
    const complex eps = i_eps[at];
    const complex pole = wtilde[at];

    const complex matrix_element = conj(left) * right;  // 6 FLOP
    const real im_im = pole.im * pole.im;               // 1
    const real re_im = pole.re * pole.im;               // 1
    ROOFLINE_UNROLL(6)
    for (int iw = 0; iw < Nw; ++iw) {
      const real wdiff = wx[iw] - pole.re;                                            // 1; the imaginary part: -pole.im
      const real norm = wdiff * wdiff + im_im;                                        // 2
      const real inverse = Divide ? real(1.0) / norm : real(norm * stand_in);         // 1
      const complex pole_wdiff = {pole.re * wdiff - im_im, pole.im * wdiff + re_im};  // 4: wtilde conj(wdiff)
      const complex sch = matrix_element * pole_wdiff * eps * inverse * real(0.5);    // 6 + 6 + 2 + 2
      achtemp[iw].re += sch.re * vcoul;                                               // 2
      achtemp[iw].im += sch.im * vcoul;                                               // 2
    }
  }

  static constexpr double stand_in = 1.0 / 64;  ///< keeps the values near those of a division
};

/// The index arrays of the published source: [ngpown], [ncouls + 1].
std::vector<int> inv_igp_index(Index ncouls, Index ngpown);
std::vector<int> indinv(Index ncouls);
/// indinv[inv_igp_index[p]]: the plane wave of row p.
inline Index igp(Index p, Index ncouls, Index ngpown) { return std::min((p + 1) * ncouls / ngpown, ncouls - 1); }

/// The arrays of one problem: complex numbers as re, im, row-major, ig fastest.
struct Problem {
  Index number_bands, ncouls, ngpown;
  Buffer aqsm, aqsn;                              ///< [number_bands][ncouls] complex
  Buffer i_eps, wtilde;                           ///< [ngpown][ncouls] complex
  Buffer vcoul;                                   ///< [ncouls] real
  Buffer partial;                                 ///< achtemp of every band, each in cache lines of its own
  std::array<Complex<double>, max_nw> achtemp{};  ///< the result of the last launch

  /// Position-dependent values (an index error changes the result). `sizes`: number_bands, nvband, ncouls,
  /// nodes_per_group, each 1 or more; nvband belongs to the valence part, which the experiment leaves out. With a
  /// `seed` they are random.
  explicit Problem(const std::vector<Index>& sizes, std::uint64_t seed = 0);

  /// Another row may have left the right results: they are to be those of the next launch.
  void forget_results();
  std::vector<int> inv_igp_index() const { return gpp::inv_igp_index(ncouls, ngpown); }
  std::vector<int> indinv() const { return gpp::indinv(ncouls); }
  Index igp(Index p) const { return gpp::igp(p, ncouls, ngpown); }
  Index iterations() const { return number_bands * ngpown * ncouls; }
  /// Rows of i_eps, wtilde and aqsn.
  double chunk_bytes() const { return 3 * 16.0 * static_cast<double>(ncouls); }
};

/// wx[iw] = e_lk - e_n1kq + dw ((iw + 1) - 2): 3, 4, 5, ...
std::array<double, max_nw> frequencies();

/// "number_bands:512/nvband:2/ncouls:32768/nodes_per_group:20": names leave it out.
std::string problem_text(const std::vector<Index>& sizes);

/// One point of the experiment.
struct Axes {
  int nw = max_nw;
  bool fma = true;
  Index stride = 1;  ///< for igs in [0, stride): for ig = igs, igs + stride, ...
  bool divide = true;
};

/// The workload of one variant on a problem that several may share.
Workload make(std::shared_ptr<Problem> problem, const Axes& axes);

}  // namespace roofline::gpp
