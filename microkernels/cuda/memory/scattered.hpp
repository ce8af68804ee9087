#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/cuda/gpu.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// Reads of 8 B from DRAM that use a part of what moves; rates are of the sectors of 32 B that move.
struct CudaScattered {
  Mix mix;  ///< stride:N (in doubles), random, chase (one thread in all, every load waits for the one before)
  double set_bytes;
  std::function<CeilingWork()> make;
};
std::vector<CudaScattered> cuda_scattered(const Gpu& gpu);

}  // namespace roofline
