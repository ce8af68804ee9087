#pragma once
#include <cstddef>
#include <utility>

#include "bench/space/pack.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// A complex number of a kernel's arithmetic type: the operations one would write by hand.
template <class real>
struct Complex {
  real re, im;

  /// 4 mul, 2 add; with FMA 2 mul, 2 fma.
  friend ROOFLINE_BODY Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  /// 2 mul.
  friend ROOFLINE_BODY Complex operator*(Complex a, real b) { return {a.re * b, a.im * b}; }
  /// A change of sign, not counted.
  friend ROOFLINE_BODY Complex conj(Complex a) { return {a.re, -a.im}; }
};

/// Loads as many complex numbers as V has lanes, real parts into one V, imaginary parts into another.
///
/// Two registers are unpacked inside 128-bit lanes: one cheap shuffle for each part and no index registers. The lanes
/// are therefore in the order 0, W/2, 1, W/2 + 1, ...: the same for every complex load, and sums do not mind.
template <class V>
class Deinterleave {
 public:
  static ROOFLINE_BODY Complex<V> contiguous(const double* p) {
    if constexpr (W == 1)
      return {V::load(p), V::load(p + 1)};
    else
      return unpack(V::load(p), V::load(p + W), std::make_index_sequence<W>());
  }
  /// `stride` in complex numbers.
  static ROOFLINE_BODY Complex<V> strided(const double* p, [[maybe_unused]] Index stride) {
    if constexpr (W == 1)
      return contiguous(p);
    else
      return unpack(gather<W>(p, stride), gather<W>(p + W * stride, stride), std::make_index_sequence<W>());
  }

 private:
  static constexpr int W = V::lanes;

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

/// Complex numbers as re, im, re, im, ...: `view[at]` loads number `at`, 16 B per lane. With Strided it loads number
/// `stride * at`, so that lanes are 16 * stride bytes apart.
template <bool Strided>
struct ComplexView {
  const double* data = nullptr;
  Index stride = 1;

  template <class V, bool Fma>
  ROOFLINE_BODY Complex<Real<V, Fma>> operator[](At<V, Fma> at) const {
    Complex<V> z;
    if constexpr (Strided)
      z = Deinterleave<V>::strided(data + 2 * stride * at.i, stride);
    else
      z = Deinterleave<V>::contiguous(data + 2 * at.i);
    return {z.re, z.im};
  }
};

}  // namespace roofline
