#pragma once
#include <cstddef>
#include <utility>

#include "bench/space/pack.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// A complex number of a kernel's arithmetic type: operations as one writes them by hand, none hidden.
template <class real>
struct Complex {
  real re, im;

  /// 2 add.
  friend ROOFLINE_BODY Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  /// 4 mul, 2 add; with FMA 2 mul, 2 fma.
  friend ROOFLINE_BODY Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  /// 2 mul.
  friend ROOFLINE_BODY Complex operator*(Complex a, real b) { return {a.re * b, a.im * b}; }
  friend ROOFLINE_BODY Complex operator*(real a, Complex b) { return {a * b.re, a * b.im}; }
  /// A change of sign, no operation.
  friend ROOFLINE_BODY Complex conj(Complex a) { return {a.re, -a.im}; }
};

/// Loads of consecutive complex numbers into lanes, element by element: one lane.
template <class V>
struct Deinterleave {
  static_assert(V::lanes == 1);
  static ROOFLINE_BODY Complex<V> contiguous(const double* p) { return {V::load(p), V::load(p + 1)}; }
  static ROOFLINE_BODY Complex<V> strided(const double* p, Index) { return contiguous(p); }
};

/// W complex numbers in two registers become W real and W imaginary parts by unpacking inside 128-bit lanes: one cheap
/// shuffle each, no index registers. The lanes are therefore in the order 0, W/2, 1, W/2 + 1, ...: the same for every
/// complex view, and sums do not mind.
template <int W>
requires(W > 1) struct Deinterleave<Pack<W>> {
  using Vector = typename Register<W>::Vector;

  static ROOFLINE_BODY Complex<Pack<W>> contiguous(const double* p) {
    return unpack(Pack<W>::load(p).v, Pack<W>::load(p + W).v, std::make_index_sequence<W>());
  }
  /// `stride` in complex elements, at run time.
  static ROOFLINE_BODY Complex<Pack<W>> strided(const double* p, Index stride) {
    return unpack(gather<W>(p, stride), gather<W>(p + W * stride, stride), std::make_index_sequence<W>());
  }

 private:
  /// N / 2 complex numbers, `stride` apart, side by side: loads of 128 bits, joined pairwise.
  template <int N>
  static ROOFLINE_BODY typename Register<N>::Vector gather(const double* p, Index stride) {
    if constexpr (N == 2)
      return Pack<2>::load(p).v;
    else
      return join(gather<N / 2>(p, stride), gather<N / 2>(p + N / 2 * stride, stride), std::make_index_sequence<N>());
  }
  template <class Half, std::size_t... lane>
  static ROOFLINE_BODY auto join(Half low, Half high, std::index_sequence<lane...>) {
    return __builtin_shufflevector(low, high, lane...);
  }
  template <std::size_t... lane>
  static ROOFLINE_BODY Complex<Pack<W>> unpack(Vector low, Vector high, std::index_sequence<lane...>) {
    return {{__builtin_shufflevector(low, high, ((lane & ~1u) + lane % 2 * W)...)},
            {__builtin_shufflevector(low, high, ((lane & ~1u) + lane % 2 * W + 1)...)}};
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
