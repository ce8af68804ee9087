#pragma once
#include "bench/model/counts.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// One step of ERT's chain: b = b * A + a, or b = A / b + a.
enum class ErtStep { multiply_add, divide };

/// A micro-kernel of the Empirical Roofline Toolkit: F floating-point operations between the load and the store of each
/// element, one after the other.
struct ErtKernel {
  int flops = 2;  ///< F, per element: 1..2047; even for divisions
  bool fma = true;
  ErtStep step = ErtStep::multiply_add;
};

/// Throws std::invalid_argument for an F outside 1..2047 or an odd F with divisions (it leaves the fixed point).
void require_valid(const ErtKernel& kernel);

/// The constants of ERT since June 2019: A = -1 everywhere, b starts at 1, a = 2. b stays 1, so every element is still
/// exactly -1 after any number of operations, in every precision.
struct ErtConstants {
  double initial = -1, start = 1, addend = 2;
};

/// `trials` sweeps over the n elements of `a` on the calling thread. `flops` is the kernel's F.
template <class T>
using ErtFunction = void (*)(T* a, Index n, Index trials, int flops, ErtConstants constants);

/// The compiled form of a kernel for T = double or float: F a compile-time constant for 1, 2, 4, ..., 1024. Throws as
/// require_valid() does.
template <class T>
ErtFunction<T> ert_function(const ErtKernel& kernel);

/// Doubles in the vectors that these functions use: those of the kernels (ROOFLINE_ARCH), not of the ceilings.
int ert_lanes();

/// Operations per element. Their flops() are F: a division counts one, a fused multiply-add two.
Operations ert_operations(const ErtKernel& kernel);

/// Bytes per element as ERT charges them: one read, one write.
constexpr std::uint64_t ert_bytes(std::uint64_t element_bytes) { return 2 * element_bytes; }

}  // namespace roofline
