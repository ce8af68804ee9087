#include "apps/gpp/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace roofline::gpp {

Reference sum_bands_first(const Problem& problem, bool divide) {
  using complex = std::complex<double>;
  const auto ncouls = static_cast<std::size_t>(problem.ncouls);
  const auto row_of = [ncouls](const Buffer& array, Index row) {
    return reinterpret_cast<const complex*>(array.data()) + static_cast<std::size_t>(row) * ncouls;
  };
  long double re[max_nw] = {}, im[max_nw] = {}, magnitude[max_nw] = {};
#pragma omp parallel for schedule(static) reduction(+ : re, im, magnitude)
  for (Index p = 0; p < problem.ngpown; ++p) {
    const Index igp = std::min((p + 1) * problem.ncouls / problem.ngpown, problem.ncouls - 1);
    std::vector<complex> matrix_element(ncouls);
    for (Index n = 0; n < problem.number_bands; ++n) {
      const complex left = std::conj(row_of(problem.aqsm, n)[igp]);
      const auto* const right = row_of(problem.aqsn, n);
      for (std::size_t ig = 0; ig < ncouls; ++ig) matrix_element[ig] += left * right[ig];
    }
    const auto *const wtilde = row_of(problem.wtilde, p), *const i_eps = row_of(problem.i_eps, p);
    for (std::size_t ig = 0; ig < ncouls; ++ig) {
      const complex factor = i_eps[ig] * (0.5 * problem.vcoul[igp]);
      for (int iw = 0; iw < max_nw; ++iw) {
        const complex wdiff = 3.0 + iw - wtilde[ig];
        const complex delw = divide ? wtilde[ig] / wdiff : wtilde[ig] * std::conj(wdiff) * (std::norm(wdiff) / 64);
        const complex sch = matrix_element[ig] * delw * factor;
        re[iw] += sch.real(), im[iw] += sch.imag();
        magnitude[iw] += std::sqrt(std::norm(delw * factor)) * static_cast<double>(problem.number_bands);
      }
    }
  }
  Reference result;
  for (int iw = 0; iw < max_nw; ++iw) {
    result.achtemp[iw] = {static_cast<double>(re[iw]), static_cast<double>(im[iw])};
    result.magnitude[iw] = static_cast<double>(magnitude[iw]);
  }
  return result;
}

Check compare_with(const Reference& reference, const Problem& problem, int nw) {
  for (int iw = 0; iw < nw; ++iw) {
    const double got[] = {problem.achtemp[iw].re, problem.achtemp[iw].im};
    const double expected[] = {reference.achtemp[iw].real(), reference.achtemp[iw].imag()};
    auto check = compare(
        got, [&](Index i) { return expected[i]; }, 2, 1e-12, reference.magnitude[iw]);
    if (!check.ok) {
      check.message = fmt::format("achtemp of frequency {} (re, im): {}", iw, check.message);
      return check;
    }
  }
  return {};
}

void require_valid(const Sizes& sizes) {
  const Index number_bands = sizes.at(0), nvband = sizes.at(1), ncouls = sizes.at(2), nodes_per_group = sizes.at(3);
  const auto what = fmt::format("--gpp={},{},{},{}", number_bands, nvband, ncouls, nodes_per_group);
  if (std::min({number_bands, nvband, ncouls, nodes_per_group}) < 1)
    throw std::invalid_argument(what + ": every size must be 1 or more");
  if (nvband > number_bands)
    throw std::invalid_argument(what + ": nvband, the valence bands, must not exceed number_bands");
  if (nodes_per_group > ncouls)
    throw std::invalid_argument(what + ": nodes_per_group must not exceed ncouls, or no row is left");
  const auto number = [](Index n) { return static_cast<double>(n); };
  require_memory(32 * number(ncouls) * (number(number_bands) + number(ncouls / nodes_per_group)), what);
}

Selection selection_of(const Axes& axes) {
  if (!axes.divide) return Selection::full;
  const bool talk_end = axes.nw == max_nw || (axes.nw == 1 && axes.fma);
  if ((axes.stride == 1 && talk_end) || (axes.stride == 8 && axes.nw == max_nw && axes.fma)) return Selection::quick;
  const bool nw = axes.nw == 1 || axes.nw == 3 || axes.nw == 6;
  const bool stride = axes.stride == 1 || axes.stride == 2 || axes.stride == 8;
  return nw && stride ? Selection::standard : Selection::full;
}

std::vector<Axes> all_axes() {
  std::vector<Axes> all;
  for (const bool divide : {true, false})
    for (int nw = 1; nw <= max_nw; ++nw)
      for (const bool fma : {true, false})
        for (const Index stride : {1, 2, 4, 8, 16})
          all.push_back({.nw = nw, .fma = fma, .stride = stride, .divide = divide});
  return all;
}

std::string row_name(const Axes& axes) {
  return fmt::format("gpp/nw:{}/fma:{:d}/stride:{}{}", axes.nw, axes.fma, axes.stride, axes.divide ? "" : "/div:0");
}

std::uint64_t declared_flops(Index iterations, int nw) {
  return static_cast<std::uint64_t>(iterations) * static_cast<std::uint64_t>(8 + 28 * nw);
}

}  // namespace roofline::gpp
