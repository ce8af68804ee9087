#pragma once
#include <cmath>
#include <cstddef>
#include <utility>

#include "bench/space/complex.hpp"
#include "bench/space/real.hpp"

// The GPU space. Everything here is also plain C++, which the host's half of a .cu is.

namespace roofline {

/// The operations of one CUDA thread, each rounded once and never contracted or split by the compiler.
namespace cuda_math {

#if defined(__CUDA_ARCH__)
ROOFLINE_BODY double add(double a, double b) { return __dadd_rn(a, b); }
ROOFLINE_BODY double sub(double a, double b) { return __dsub_rn(a, b); }
ROOFLINE_BODY double mul(double a, double b) { return __dmul_rn(a, b); }
ROOFLINE_BODY double div(double a, double b) { return __ddiv_rn(a, b); }
ROOFLINE_BODY double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
ROOFLINE_BODY double sqrt(double a) { return __dsqrt_rn(a); }
/// By the sign bit: the compiler's negation is an addition to -0, which counters count.
ROOFLINE_BODY double negate(double a) {
  double b;
  asm("xor.b64 %0, %1, 0x8000000000000000;" : "=d"(b) : "d"(a));
  return b;
}
ROOFLINE_BODY double load_read_only(const double* p) { return __ldg(p); }
ROOFLINE_BODY void load_pair(const double* p, double& a, double& b) {
  const double2 both = __ldg(reinterpret_cast<const double2*>(p));
  a = both.x, b = both.y;
}
ROOFLINE_BODY void store_pair(double* p, double a, double b) { *reinterpret_cast<double2*>(p) = make_double2(a, b); }
ROOFLINE_BODY void store_streaming(double* p, double a) { __stcs(p, a); }
/// A load that is executed wherever it is written: it is neither hoisted out of a loop nor shared.
ROOFLINE_BODY double load_again(const double* p) {
  double x;
  asm volatile("ld.global.f64 %0, [%1];" : "=d"(x) : "l"(p));
  return x;
}
ROOFLINE_BODY void load_again(const double* p, double& a, double& b) {
  asm volatile("ld.global.v2.f64 {%0, %1}, [%2];" : "=d"(a), "=d"(b) : "l"(p));
}
ROOFLINE_BODY int load_again(const int* p) {
  int x;
  asm volatile("ld.global.s32 %0, [%1];" : "=r"(x) : "l"(p));
  return x;
}
ROOFLINE_BODY Index load_again(const Index* p) {
  Index x;
  asm volatile("ld.global.s64 %0, [%1];" : "=l"(x) : "l"(p));
  return x;
}
ROOFLINE_BODY double* load_again(double* const* p) {
  double* x;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(x) : "l"(p));
  return x;
}
/// The compiler must assume that memory at `p` and behind it is read here, and that it may have changed afterwards.
ROOFLINE_BODY void touch(const void* p) { asm volatile("" : : "l"(p) : "memory"); }
#else
ROOFLINE_BODY double add(double a, double b) { return a + b; }
ROOFLINE_BODY double sub(double a, double b) { return a - b; }
ROOFLINE_BODY double mul(double a, double b) { return a * b; }
ROOFLINE_BODY double div(double a, double b) { return a / b; }
ROOFLINE_BODY double fma(double a, double b, double c) { return std::fma(a, b, c); }
ROOFLINE_BODY double sqrt(double a) { return std::sqrt(a); }
ROOFLINE_BODY double negate(double a) { return -a; }
ROOFLINE_BODY double load_read_only(const double* p) { return *p; }
ROOFLINE_BODY void load_pair(const double* p, double& a, double& b) { a = p[0], b = p[1]; }
ROOFLINE_BODY void store_pair(double* p, double a, double b) { p[0] = a, p[1] = b; }
ROOFLINE_BODY void store_streaming(double* p, double a) { *p = a; }
ROOFLINE_BODY double load_again(const double* p) { return *p; }
ROOFLINE_BODY void load_again(const double* p, double& a, double& b) { a = p[0], b = p[1]; }
ROOFLINE_BODY int load_again(const int* p) { return *p; }
ROOFLINE_BODY Index load_again(const Index* p) { return *p; }
ROOFLINE_BODY double* load_again(double* const* p) { return *p; }
ROOFLINE_BODY void touch(const void*) {}
#endif

}  // namespace cuda_math

/// The assumptions that a kernel's loads may make.
enum class Loads {
  read_only,  ///< of memory that the kernel does not write: they may pass its stores (ld.global.nc)
  plain,      ///< of memory that the same thread writes as well
};

/// One thread's double: the lane type of a GPU. The hardware puts 32 of them side by side.
template <Loads kind = Loads::read_only>
struct CudaLane {
  using Mask = bool;
  static constexpr int lanes = 1;
  double v;

  static ROOFLINE_BODY CudaLane broadcast(double x) { return {x}; }
  static ROOFLINE_BODY CudaLane load(const double* p) {
    if constexpr (kind == Loads::read_only)
      return {cuda_math::load_read_only(p)};
    else
      return {*p};
  }
  /// One number for all lanes of a warp: each thread loads it.
  static ROOFLINE_BODY CudaLane load_everywhere(const double* p) { return load(p); }
  static ROOFLINE_BODY void store(double* p, CudaLane x) { *p = x.v; }
  static ROOFLINE_BODY void store_streaming(double* p, CudaLane x) { cuda_math::store_streaming(p, x.v); }
  static ROOFLINE_BODY CudaLane add(CudaLane a, CudaLane b) { return {cuda_math::add(a.v, b.v)}; }
  static ROOFLINE_BODY CudaLane sub(CudaLane a, CudaLane b) { return {cuda_math::sub(a.v, b.v)}; }
  static ROOFLINE_BODY CudaLane mul(CudaLane a, CudaLane b) { return {cuda_math::mul(a.v, b.v)}; }
  static ROOFLINE_BODY CudaLane div(CudaLane a, CudaLane b) { return {cuda_math::div(a.v, b.v)}; }
  static ROOFLINE_BODY CudaLane negate(CudaLane a) { return {cuda_math::negate(a.v)}; }
  static ROOFLINE_BODY CudaLane fma(CudaLane a, CudaLane b, CudaLane c) { return {cuda_math::fma(a.v, b.v, c.v)}; }
  static ROOFLINE_BODY CudaLane fms(CudaLane a, CudaLane b, CudaLane c) { return {cuda_math::fma(a.v, b.v, -c.v)}; }
  static ROOFLINE_BODY CudaLane fnma(CudaLane a, CudaLane b, CudaLane c) { return {cuda_math::fma(-a.v, b.v, c.v)}; }
  static ROOFLINE_BODY CudaLane sqrt(CudaLane a) { return {cuda_math::sqrt(a.v)}; }
  static ROOFLINE_BODY CudaLane abs(CudaLane a) { return {std::fabs(a.v)}; }
  static ROOFLINE_BODY CudaLane min(CudaLane a, CudaLane b) { return {a.v < b.v ? a.v : b.v}; }
  static ROOFLINE_BODY CudaLane max(CudaLane a, CudaLane b) { return {a.v > b.v ? a.v : b.v}; }
  static ROOFLINE_BODY Mask less(CudaLane a, CudaLane b) { return a.v < b.v; }
  static ROOFLINE_BODY Mask less_equal(CudaLane a, CudaLane b) { return a.v <= b.v; }
  static ROOFLINE_BODY CudaLane select(Mask mask, CudaLane a, CudaLane b) { return {mask ? a.v : b.v}; }
  ROOFLINE_BODY double sum() const { return v; }
};

/// Two neighbouring elements per thread, loaded and stored by one instruction of 16 B; even elements of aligned arrays.
struct CudaPair {
  static constexpr int lanes = 2;
  using Lane = CudaLane<>;
  Lane low, high;

  static ROOFLINE_BODY CudaPair broadcast(double x) { return {{x}, {x}}; }
  static ROOFLINE_BODY CudaPair load(const double* p) {
    CudaPair x;
    cuda_math::load_pair(p, x.low.v, x.high.v);
    return x;
  }
  static ROOFLINE_BODY void store(double* p, CudaPair x) { cuda_math::store_pair(p, x.low.v, x.high.v); }
  static ROOFLINE_BODY CudaPair add(CudaPair a, CudaPair b) {
    return {Lane::add(a.low, b.low), Lane::add(a.high, b.high)};
  }
  static ROOFLINE_BODY CudaPair sub(CudaPair a, CudaPair b) {
    return {Lane::sub(a.low, b.low), Lane::sub(a.high, b.high)};
  }
  static ROOFLINE_BODY CudaPair mul(CudaPair a, CudaPair b) {
    return {Lane::mul(a.low, b.low), Lane::mul(a.high, b.high)};
  }
  static ROOFLINE_BODY CudaPair fma(CudaPair a, CudaPair b, CudaPair c) {
    return {Lane::fma(a.low, b.low, c.low), Lane::fma(a.high, b.high, c.high)};
  }
  static ROOFLINE_BODY CudaPair sqrt(CudaPair a) { return {Lane::sqrt(a.low), Lane::sqrt(a.high)}; }
  static ROOFLINE_BODY CudaPair abs(CudaPair a) { return {Lane::abs(a.low), Lane::abs(a.high)}; }
  static ROOFLINE_BODY CudaPair min(CudaPair a, CudaPair b) {
    return {Lane::min(a.low, b.low), Lane::min(a.high, b.high)};
  }
  static ROOFLINE_BODY CudaPair max(CudaPair a, CudaPair b) {
    return {Lane::max(a.low, b.low), Lane::max(a.high, b.high)};
  }
  ROOFLINE_BODY double sum() const { return low.v + high.v; }
};

/// A complex number is one load of 16 B.
template <>
struct Deinterleave<CudaLane<>> {
  static ROOFLINE_BODY Complex<CudaLane<>> contiguous(const double* p) {
    Complex<CudaLane<>> z;
    cuda_math::load_pair(p, z.re.v, z.im.v);
    return z;
  }
  static ROOFLINE_BODY Complex<CudaLane<>> strided(const double* p, Index) { return contiguous(p); }
};

/// Numbers of blocks in a grid, or of threads in a block.
struct Extent {
  unsigned x = 1, y = 1, z = 1;
  constexpr unsigned count() const { return x * y * z; }
};

/// Which thread of a launch a kernel runs as.
struct ThreadPlace {
  Extent block, thread;
  double* shared = nullptr;  ///< dynamic shared memory of its block
};

/// A kernel and how it is launched. A kernel is a functor with
///   void operator()(const ThreadPlace&) const          what one thread does, or
///   std::array<double, N> operator()(...) const        its part of N sums, which are added to `double* totals`
///   static constexpr int max_threads, min_blocks       launch bounds: threads of a block, blocks per SM
/// It holds pointers to device memory and is copied to the device.
template <class Kernel>
struct CudaLaunch {
  Extent grid, block;
  std::size_t shared_bytes = 0;
  Kernel kernel;
};

constexpr unsigned blocks_for(Index items, Index per_block) {
  return static_cast<unsigned>((items + per_block - 1) / per_block);
}

/// The result type of the kernel: void, or its sums.
template <class Kernel>
using KernelResult = decltype(std::declval<const Kernel&>()(ThreadPlace{}));

}  // namespace roofline
