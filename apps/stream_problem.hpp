#pragma once
#include "apps/stream.hpp"

/// The data of STREAM's kernels and what a launch must leave, on any platform.
namespace roofline::stream {

inline constexpr double s = 0.4;  ///< BabelStream's scalar

// Position-dependent, exactly representable, in [0.5, 2): an index error or a stale line changes the result.
inline double a_at(Index i) { return 0.5 + static_cast<double>(i % 1021) / 1024; }
inline double b_at(Index i) { return 1.5 - static_cast<double>(i % 509) / 1024; }
inline double c_at(Index i) { return 0.75 + static_cast<double>(i % 769) / 1024; }

inline double expected_copy(Index i) { return a_at(i); }                 ///< of c
inline double expected_scale(Index i) { return s * c_at(i); }            ///< of b
inline double expected_add(Index i) { return a_at(i) + b_at(i); }        ///< of c
inline double expected_triad(Index i) { return b_at(i) + s * c_at(i); }  ///< of a
inline double expected_dot(Index n) {
  long double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += static_cast<long double>(a_at(i)) * b_at(i);
  return static_cast<double>(sum);
}

}  // namespace roofline::stream
