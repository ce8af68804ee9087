#pragma once
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "apps/gpp/gpp.hpp"
#include "bench/suite/suite.hpp"

namespace roofline::gpp {

/// achtemp of all frequencies, and the sums of the magnitudes that its rounding errors are measured by.
struct Reference {
  std::array<std::complex<double>, max_nw> achtemp;
  std::array<double, max_nw> magnitude;
};

/// The sums by another route: over the bands first, since sum_n conj(aqsm[n][igp]) aqsn[n][ig] does not depend on the
/// frequency, then ig in natural order with wtilde / wdiff for delw, into long double totals.
Reference sum_bands_first(const Problem& problem, bool divide);

/// |conj(aqsm) aqsn| is about 1, so the magnitudes bound the rounding errors; any wrong index changes far more.
Check compare_with(const Reference& reference, const Problem& problem, int nw);

/// The reference of one problem size with and without division: the same for all variants, computed when first asked.
struct References {
  std::optional<Reference> of[2];
  const Reference& get(const Problem& problem, bool divide) {
    auto& reference = of[divide];
    if (!reference) reference = sum_bands_first(problem, divide);
    return *reference;
  }
};

/// Throws std::invalid_argument on sizes that make no sense or do not fit the memory.
void require_valid(const Sizes& sizes);

/// Which runs include a point of the experiment.
Selection selection_of(const Axes& axes);

/// Every variant: division or not x frequencies x contraction x stride.
std::vector<Axes> all_axes();
/// gpp/nw:6/fma:1/stride:1[/div:0]
std::string row_name(const Axes& axes);
/// Canonical FLOPs of `iterations` of the inner loop: 8 + 28 nw each (a division counts 1).
std::uint64_t declared_flops(Index iterations, int nw);

}  // namespace roofline::gpp
