#pragma once
#include "bench/space/vector_extensions.hpp"

// The files of the ceilings are compiled once per instruction set and linked into one program. An inline function that
// one of them emits could be the copy that the linker keeps for all, so everything here is always inlined, nothing of
// the standard library is included, and the kernels on top live in unnamed namespaces.
#define ROOFLINE_LANES [[gnu::always_inline]] static inline

namespace roofline {

/// A vector register of W elements of type T; W = 1 is the scalar register.
template <class T, int W>
struct LaneRegister {
  typedef T Type __attribute__((vector_size(W * sizeof(T))));
  typedef T Unaligned __attribute__((vector_size(W * sizeof(T)), aligned(alignof(T)), may_alias));
};
template <class T>
struct LaneRegister<T, 1> {
  typedef T Type;
  typedef T Unaligned;
};

/// W elements of type T (float, double) that go through one instruction, for ceilings and ERT.
template <class T, int W>
struct Lanes {
  using Element = T;
  using Register = typename LaneRegister<T, W>::Type;
  using Unaligned = typename LaneRegister<T, W>::Unaligned;
  static constexpr int lanes = W;
  static constexpr int bytes = W * static_cast<int>(sizeof(T));
  Register v;

  ROOFLINE_LANES Lanes broadcast(double x) { return {static_cast<T>(x) - Register{}}; }
  ROOFLINE_LANES Lanes load(const T* p) { return {*reinterpret_cast<const Unaligned*>(p)}; }
  ROOFLINE_LANES void store(T* p, Lanes x) { *reinterpret_cast<Unaligned*>(p) = x.v; }
  ROOFLINE_LANES Lanes add(Lanes a, Lanes b) { return {a.v + b.v}; }
  ROOFLINE_LANES Lanes sub(Lanes a, Lanes b) { return {a.v - b.v}; }
  ROOFLINE_LANES Lanes mul(Lanes a, Lanes b) { return {a.v * b.v}; }
  ROOFLINE_LANES Lanes div(Lanes a, Lanes b) { return {a.v / b.v}; }
  ROOFLINE_LANES Lanes negate(Lanes a) { return {-a.v}; }

  /// a * b + c, rounded once.
  ROOFLINE_LANES Lanes fma(Lanes a, Lanes b, Lanes c) {
    [[maybe_unused]] constexpr bool wide = sizeof(T) == 8;
#if defined(__AVX512F__)
    if constexpr (bytes == 64 && wide) return {_mm512_fmadd_pd(a.v, b.v, c.v)};
    if constexpr (bytes == 64 && !wide) return {_mm512_fmadd_ps(a.v, b.v, c.v)};
#endif
#if defined(__FMA__)
    if constexpr (bytes == 32 && wide) return {_mm256_fmadd_pd(a.v, b.v, c.v)};
    if constexpr (bytes == 32 && !wide) return {_mm256_fmadd_ps(a.v, b.v, c.v)};
    if constexpr (bytes == 16 && wide) return {_mm_fmadd_pd(a.v, b.v, c.v)};
    if constexpr (bytes == 16 && !wide) return {_mm_fmadd_ps(a.v, b.v, c.v)};
#endif
#if ROOFLINE_SVE_BITS > 0
    if constexpr (8 * bytes == ROOFLINE_SVE_BITS && wide) return {svmad_f64_x(svptrue_b64(), a.v, b.v, c.v)};
    if constexpr (8 * bytes == ROOFLINE_SVE_BITS && !wide) return {svmad_f32_x(svptrue_b32(), a.v, b.v, c.v)};
#endif
#if defined(__aarch64__)
    if constexpr (bytes == 16 && wide) return {vfmaq_f64(c.v, a.v, b.v)};
    if constexpr (bytes == 16 && !wide) return {vfmaq_f32(c.v, a.v, b.v)};
#endif
    if constexpr (W == 1 && wide) {
      return {__builtin_fma(a.v, b.v, c.v)};
    } else if constexpr (W == 1) {
      return {__builtin_fmaf(a.v, b.v, c.v)};
    } else {
      Lanes result;
      for (int lane = 0; lane < W; ++lane)
        result.v[lane] =
            wide ? __builtin_fma(a.v[lane], b.v[lane], c.v[lane]) : __builtin_fmaf(a.v[lane], b.v[lane], c.v[lane]);
      return result;
    }
  }
  ROOFLINE_LANES Lanes fms(Lanes a, Lanes b, Lanes c) { return fma(a, b, negate(c)); }
  ROOFLINE_LANES Lanes fnma(Lanes a, Lanes b, Lanes c) { return fma(negate(a), b, c); }

  /// a * b + c: fused where the instruction set can, else two operations.
  ROOFLINE_LANES Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
#if defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA)
    return fma(a, b, c);
#else
    return add(mul(a, b), c);
#endif
  }

  /// Past the caches; p aligned to the register. Doubles only.
  ROOFLINE_LANES void store_streaming(double* p, Lanes x) {
#if defined(__AVX512F__)
    if constexpr (bytes == 64) return _mm512_stream_pd(p, x.v);
#endif
#if defined(__AVX__)
    if constexpr (bytes == 32) return _mm256_stream_pd(p, x.v);
#endif
#if defined(__SSE2__)
    if constexpr (bytes == 16) return _mm_stream_pd(p, x.v);
#endif
    store(p, x);
  }

  /// Orders streaming stores before everything that follows.
  ROOFLINE_LANES void fence_streaming() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }

  /// Keeps the value in its register: the compiler can neither fold, nor reorder into, nor vectorise across this point.
  ROOFLINE_LANES void hold(Lanes& x) {
#if defined(__AVX512F__)
    asm("" : "+v"(x.v));
#elif defined(__x86_64__)
    asm("" : "+x"(x.v));
#elif defined(__aarch64__)
    asm("" : "+w"(x.v));
#else
    asm("" : "+m"(x.v));
#endif
  }

  ROOFLINE_LANES double sum(Lanes x) {
    if constexpr (W == 1) {
      return x.v;
    } else {
      double total = 0;
      for (int lane = 0; lane < W; ++lane) total += x.v[lane];
      return total;
    }
  }
};

}  // namespace roofline
