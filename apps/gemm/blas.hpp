#pragma once
#include <functional>
#include <span>
#include <string>

#include "bench/space/real.hpp"

namespace roofline::gemm {

/// The names under which the loader knows libraries of BLAS, fast ones first.
std::span<const char* const> blas_names();

/// A library of BLAS that is installed.
struct Blas {
  std::string name;  ///< of its file
  /// c = a b of n x n matrices, by rows `pitch` apart, with 32-bit integers; threads are the library's.
  std::function<void(Index n, const double* a, const double* b, double* c, Index pitch)> multiply;
};

/// The first of these that the loader finds and that has dgemm_; empty `multiply` where there is none.
Blas find_blas(std::span<const char* const> names);

}  // namespace roofline::gemm
