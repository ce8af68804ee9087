#pragma once
#include <cstddef>
#include <utility>

#include "bench/space/complex.hpp"
#include "bench/space/pack.hpp"
#include "bench/space/vector_extensions.hpp"

namespace roofline {

/// Two registers are unpacked inside 128-bit lanes: one cheap shuffle for each part and no index registers. The lanes
/// are therefore in the order 0, W/2, 1, W/2 + 1, ...: the same for every complex load, and sums do not mind.
template <int W>
class Deinterleave<Pack<W>> {
  using V = Pack<W>;

 public:
  static ROOFLINE_BODY Complex<Pack<W>> contiguous(const double* p) {
    if constexpr (W == 1)
      return {V::load(p), V::load(p + 1)};
    else
      return unpack(V::load(p), V::load(p + W), std::make_index_sequence<W>());
  }
  /// `stride` in complex numbers.
  static ROOFLINE_BODY Complex<Pack<W>> strided(const double* p, [[maybe_unused]] Index stride) {
    if constexpr (W == 1)
      return contiguous(p);
    else
      return unpack(gather<W>(p, stride), gather<W>(p + W * stride, stride), std::make_index_sequence<W>());
  }

 private:
  /// N / 2 complex numbers, `stride` apart, side by side: loads of 128 bits, joined pairwise.
  template <int N>
  static ROOFLINE_BODY Pack<N> gather(const double* p, Index stride) {
    if constexpr (N == 2)
      return Pack<2>::load(p);
    else
      return join(gather<N / 2>(p, stride), gather<N / 2>(p + N / 2 * stride, stride), std::make_index_sequence<N>());
  }
  template <int N, std::size_t... lane>
  static ROOFLINE_BODY Pack<2 * N> join(Pack<N> low, Pack<N> high, std::index_sequence<lane...>) {
    return {__builtin_shufflevector(low.v, high.v, lane...)};
  }
  template <std::size_t... lane>
  static ROOFLINE_BODY Complex<V> unpack(V low, V high, std::index_sequence<lane...>) {
    return {{__builtin_shufflevector(low.v, high.v, (lane - lane % 2 + lane % 2 * W)...)},
            {__builtin_shufflevector(low.v, high.v, (lane - lane % 2 + lane % 2 * W + 1)...)}};
  }
};

/// Complex numbers `stride` apart as ComplexView<true> has them, whose packs are loaded by the gather instructions of
/// AVX2 and AVX-512: one for the real parts, one for the imaginary ones. Where there are none, as ComplexView does. The
/// lanes are in its order, so that sums over them have the same bits.
struct GatheredComplex {
  const double* data = nullptr;
  Index stride = 1;

#if defined(__AVX2__)
  static constexpr bool has_instructions = true;
#else
  static constexpr bool has_instructions = false;
#endif

  template <class V, bool Fma>
  ROOFLINE_BODY Complex<Real<V, Fma>> operator[](At<V, Fma> at) const {
    const double* const p = data + 2 * stride * at.i;
    [[maybe_unused]] const long long s = 2 * stride;
#if defined(__AVX512F__)
    if constexpr (V::lanes == 8) {
      // Masked: g++ 12 takes the unused operand of the plain ones for a mistake (GCC bug 105593).
      const __m512i at_lane = _mm512_setr_epi64(0, 4 * s, s, 5 * s, 2 * s, 6 * s, 3 * s, 7 * s);
      const auto gather = [&](const double* from) {
        return _mm512_mask_i64gather_pd(_mm512_setzero_pd(), 0xff, at_lane, from, 8);
      };
      return {V{gather(p)}, V{gather(p + 1)}};
    }
#endif
#if defined(__AVX2__)
    if constexpr (V::lanes == 4) {
      const __m256i at_lane = _mm256_setr_epi64x(0, 2 * s, s, 3 * s);
      return {V{_mm256_i64gather_pd(p, at_lane, 8)}, V{_mm256_i64gather_pd(p + 1, at_lane, 8)}};
    }
#endif
    const auto z = Deinterleave<V>::strided(p, stride);
    return {z.re, z.im};
  }
};

/// Every second complex number, from whole registers of which half is thrown away: half as many loads as numbers. The
/// same lanes again.
struct HalvedComplex {
  const double* data = nullptr;
  Index stride = 2;

  template <class V, bool Fma>
  ROOFLINE_BODY Complex<Real<V, Fma>> operator[](At<V, Fma> at) const {
    const double* const p = data + 4 * at.i;
    Complex<V> z;
    if constexpr (V::lanes < 4)
      z = Deinterleave<V>::strided(p, 2);
    else
      z = numbers<V>(p, std::make_index_sequence<V::lanes>());
    return {z.re, z.im};
  }

 private:
  /// The numbers 0, 2, 4, ... of four registers of W doubles. The last register begins a number early, so that the
  /// loads end with the last number in use.
  template <class V, std::size_t... lane>
  static ROOFLINE_BODY Complex<V> numbers(const double* p, std::index_sequence<lane...>) {
    constexpr std::size_t w = V::lanes;
    const V first = V::load(p), second = V::load(p + w), third = V::load(p + 2 * w), last = V::load(p + 3 * w - 2);
    // lane 0, 1, ... of a half: every fourth double
    const auto re_low = __builtin_shufflevector(first.v, second.v, (4 * lane % (2 * w))...);
    const auto im_low = __builtin_shufflevector(first.v, second.v, (4 * lane % (2 * w) + 1)...);
    const auto re_high = __builtin_shufflevector(third.v, last.v, high(lane, w)...);
    const auto im_high = __builtin_shufflevector(third.v, last.v, (high(lane, w) + 1)...);
    return {{__builtin_shufflevector(re_low, re_high, (lane / 2 + lane % 2 * w)...)},
            {__builtin_shufflevector(im_low, im_high, (lane / 2 + lane % 2 * w)...)}};
  }
  /// Double `lane` x 4 of the second half, whose second register begins two doubles early.
  static constexpr std::size_t high(std::size_t lane, std::size_t w) {
    const std::size_t at = 4 * lane % (2 * w);
    return at < w ? at : at + 2;
  }
};

}  // namespace roofline
