#pragma once

#include "bench/space/real.hpp"
#include "bench/space/vector_extensions.hpp"

namespace roofline {

/// Vector registers of 2, 4 and 8 doubles. The unaligned twins are for loads and stores at any element.
template <int W>
struct Register;
template <>
struct Register<2> {
  typedef double Vector __attribute__((vector_size(16)));
  typedef double Unaligned __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct Register<4> {
  typedef double Vector __attribute__((vector_size(32)));
  typedef double Unaligned __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct Register<8> {
  typedef double Vector __attribute__((vector_size(64)));
  typedef double Unaligned __attribute__((vector_size(64), aligned(8), may_alias));
};

/// W doubles that go through one instruction: the CPU's lane type.
template <int W>
struct Pack {
  using Vector = typename Register<W>::Vector;
  using Unaligned = typename Register<W>::Unaligned;
  using Mask = decltype(Vector{} < Vector{});
  static constexpr int lanes = W;
  Vector v;

  static ROOFLINE_BODY Pack broadcast(double x) { return {x - Vector{}}; }
  static ROOFLINE_BODY Pack load(const double* p) { return {*reinterpret_cast<const Unaligned*>(p)}; }
  /// One number for all lanes.
  static ROOFLINE_BODY Pack load_everywhere(const double* p) { return broadcast(*p); }
  static ROOFLINE_BODY void store(double* p, Pack x) { *reinterpret_cast<Unaligned*>(p) = x.v; }

  /// Past the caches; p aligned to the pack.
  static ROOFLINE_BODY void store_streaming(double* p, Pack x) {
#if defined(__AVX512F__)
    if constexpr (W == 8) return _mm512_stream_pd(p, x.v);
#endif
#if defined(__AVX__)
    if constexpr (W == 4) return _mm256_stream_pd(p, x.v);
#endif
#if defined(__SSE2__)
    if constexpr (W == 2) return _mm_stream_pd(p, x.v);
#endif
    store(p, x);
  }

  /// W lanes from lane `first` on of `low` and, behind it, `high`.
  template <int first>
  static ROOFLINE_BODY Pack joined(Pack low, Pack high) {
#if defined(__AVX512F__)
    if constexpr (W == 8)  // masked for the same reason as sqrt
      return {_mm512_castsi512_pd(
          _mm512_maskz_alignr_epi64(0xff, _mm512_castpd_si512(high.v), _mm512_castpd_si512(low.v), first))};
#endif
    Mask pick{};
    for (int lane = 0; lane < W; ++lane) pick[lane] = first + lane;
    return {__builtin_shuffle(low.v, high.v, pick)};
  }

  static ROOFLINE_BODY Pack add(Pack a, Pack b) { return {a.v + b.v}; }
  static ROOFLINE_BODY Pack sub(Pack a, Pack b) { return {a.v - b.v}; }
  static ROOFLINE_BODY Pack mul(Pack a, Pack b) { return {a.v * b.v}; }
  static ROOFLINE_BODY Pack div(Pack a, Pack b) { return {a.v / b.v}; }
  static ROOFLINE_BODY Pack negate(Pack a) { return {-a.v}; }

  /// a * b + c, rounded once.
  static ROOFLINE_BODY Pack fma(Pack a, Pack b, Pack c) {
#if defined(__AVX512F__)
    if constexpr (W == 8) return {_mm512_fmadd_pd(a.v, b.v, c.v)};
#endif
#if defined(__FMA__)
    if constexpr (W == 4) return {_mm256_fmadd_pd(a.v, b.v, c.v)};
    if constexpr (W == 2) return {_mm_fmadd_pd(a.v, b.v, c.v)};
#endif
#if ROOFLINE_SVE_BITS > 0
    if constexpr (64 * W == ROOFLINE_SVE_BITS) return {svmad_f64_x(svptrue_b64(), a.v, b.v, c.v)};
#endif
#if defined(__aarch64__)
    if constexpr (W == 2) return {vfmaq_f64(c.v, a.v, b.v)};
#endif
    Pack result;
    for (int lane = 0; lane < W; ++lane) result.v[lane] = __builtin_fma(a.v[lane], b.v[lane], c.v[lane]);
    return result;
  }
  static ROOFLINE_BODY Pack fms(Pack a, Pack b, Pack c) { return fma(a, b, negate(c)); }
  static ROOFLINE_BODY Pack fnma(Pack a, Pack b, Pack c) { return fma(negate(a), b, c); }

  static ROOFLINE_BODY Pack sqrt(Pack a) {
#if defined(__AVX512F__)
    // Not _mm512_sqrt_pd: g++ 12 takes its unused operand for a mistake (GCC bug 105593).
    if constexpr (W == 8) return {_mm512_maskz_sqrt_pd(0xff, a.v)};
#endif
#if defined(__AVX__)
    if constexpr (W == 4) return {_mm256_sqrt_pd(a.v)};
#endif
#if defined(__SSE2__)
    if constexpr (W == 2) return {_mm_sqrt_pd(a.v)};
#endif
#if ROOFLINE_SVE_BITS > 0
    if constexpr (64 * W == ROOFLINE_SVE_BITS) return {svsqrt_f64_x(svptrue_b64(), a.v)};
#endif
#if defined(__aarch64__)
    if constexpr (W == 2) return {vsqrtq_f64(a.v)};
#endif
    Pack result;
    for (int lane = 0; lane < W; ++lane) result.v[lane] = __builtin_sqrt(a.v[lane]);
    return result;
  }
  static ROOFLINE_BODY Pack abs(Pack a) {
    return {reinterpret_cast<Vector>(reinterpret_cast<Mask>(a.v) & ~reinterpret_cast<Mask>(-Vector{}))};
  }
  static ROOFLINE_BODY Pack min(Pack a, Pack b) { return select(a.v < b.v, a, b); }
  static ROOFLINE_BODY Pack max(Pack a, Pack b) { return select(a.v > b.v, a, b); }
  static ROOFLINE_BODY Mask less(Pack a, Pack b) { return a.v < b.v; }
  static ROOFLINE_BODY Mask less_equal(Pack a, Pack b) { return a.v <= b.v; }
  static ROOFLINE_BODY Pack select(Mask mask, Pack a, Pack b) { return {mask ? a.v : b.v}; }

  ROOFLINE_BODY double sum() const {
    double total = 0;
    for (int lane = 0; lane < W; ++lane) total += v[lane];
    return total;
  }
};

/// One double: the rest of a row whose length is not a multiple of the vector width.
template <>
struct Pack<1> {
  using Mask = bool;
  static constexpr int lanes = 1;
  double v;

  static ROOFLINE_BODY Pack broadcast(double x) { return {x}; }
  static ROOFLINE_BODY Pack load(const double* p) { return {*p}; }
  static ROOFLINE_BODY Pack load_everywhere(const double* p) { return {*p}; }
  static ROOFLINE_BODY void store(double* p, Pack x) { *p = x.v; }
  static ROOFLINE_BODY void store_streaming(double* p, Pack x) { *p = x.v; }
  static ROOFLINE_BODY Pack add(Pack a, Pack b) { return {a.v + b.v}; }
  static ROOFLINE_BODY Pack sub(Pack a, Pack b) { return {a.v - b.v}; }
  static ROOFLINE_BODY Pack mul(Pack a, Pack b) { return {a.v * b.v}; }
  static ROOFLINE_BODY Pack div(Pack a, Pack b) { return {a.v / b.v}; }
  static ROOFLINE_BODY Pack negate(Pack a) { return {-a.v}; }
  static ROOFLINE_BODY Pack fma(Pack a, Pack b, Pack c) { return {__builtin_fma(a.v, b.v, c.v)}; }
  static ROOFLINE_BODY Pack fms(Pack a, Pack b, Pack c) { return {__builtin_fma(a.v, b.v, -c.v)}; }
  static ROOFLINE_BODY Pack fnma(Pack a, Pack b, Pack c) { return {__builtin_fma(-a.v, b.v, c.v)}; }
  static ROOFLINE_BODY Pack sqrt(Pack a) { return {__builtin_sqrt(a.v)}; }
  static ROOFLINE_BODY Pack abs(Pack a) { return {__builtin_fabs(a.v)}; }
  static ROOFLINE_BODY Pack min(Pack a, Pack b) { return {a.v < b.v ? a.v : b.v}; }
  static ROOFLINE_BODY Pack max(Pack a, Pack b) { return {a.v > b.v ? a.v : b.v}; }
  static ROOFLINE_BODY Mask less(Pack a, Pack b) { return a.v < b.v; }
  static ROOFLINE_BODY Mask less_equal(Pack a, Pack b) { return a.v <= b.v; }
  static ROOFLINE_BODY Pack select(Mask mask, Pack a, Pack b) { return {mask ? a.v : b.v}; }
  ROOFLINE_BODY double sum() const { return v; }
};

/// Lanes of the widest vector register this file is compiled for.
#if defined(__AVX512F__) || ROOFLINE_SVE_BITS == 512
inline constexpr int native_lanes = 8;
#elif defined(__AVX__) || ROOFLINE_SVE_BITS == 256
inline constexpr int native_lanes = 4;
#else
inline constexpr int native_lanes = 2;
#endif

}  // namespace roofline
