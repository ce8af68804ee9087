#pragma once
#include <cstdint>
#include <string>

#include "apps/stream/stream.hpp"
#include "bench/space/noise.hpp"

/// The data of STREAM's kernels and what a launch must leave, on any platform.
namespace roofline::stream {

/// stream/KERNEL/n:N
inline std::string row_name(const char* kernel, Index n) {
  return std::string("stream/") + kernel + "/n:" + std::to_string(n);
}

/// FLOPs of each kernel per element.
inline constexpr std::uint64_t scale_flops = 1, add_flops = 1, triad_flops = 2, dot_flops = 2;

inline constexpr double s = 0.4;  ///< BabelStream's scalar

/// The elements of the arrays before a launch, and after it. Position-dependent, exactly representable, in [0.5, 2): an
/// index error or a stale line changes the result.
struct Inputs {
  std::uint64_t seed = 0;

  double a(Index i) const { return seed ? Noise(seed, 0).positive(i) : 0.5 + static_cast<double>(i % 1021) / 1024; }
  double b(Index i) const {
    return seed ? Noise(seed, 1ull << 60).positive(i) : 1.5 - static_cast<double>(i % 509) / 1024;
  }
  double c(Index i) const {
    return seed ? Noise(seed, 2ull << 60).positive(i) : 0.75 + static_cast<double>(i % 769) / 1024;
  }

  double copied(Index i) const { return a(i); }            ///< c
  double scaled(Index i) const { return s * c(i); }        ///< b
  double added(Index i) const { return a(i) + b(i); }      ///< c
  double triad(Index i) const { return b(i) + s * c(i); }  ///< a
  double dot(Index n) const {
    long double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (Index i = 0; i < n; ++i) sum += static_cast<long double>(a(i)) * b(i);
    return static_cast<double>(sum);
  }
};
using Expected = double (Inputs::*)(Index) const;

}  // namespace roofline::stream
