#pragma once
#include "bench/space/real.hpp"

namespace roofline {

/// A complex number of a kernel's arithmetic type: the operations one would write by hand.
template <class real>
struct Complex {
  real re, im;

  Complex& operator=(const Complex&) & = default;  // view[at] is a load and takes no assignment

  /// 4 mul, 2 add; with FMA 2 mul, 2 fma.
  friend ROOFLINE_BODY Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  /// 2 mul.
  friend ROOFLINE_BODY Complex operator*(Complex a, real b) { return {a.re * b, a.im * b}; }
  /// A change of sign, not counted.
  friend ROOFLINE_BODY Complex conj(Complex a) { return {a.re, -a.im}; }
};

/// Loads as many complex numbers as V has lanes, real parts into one V, imaginary parts into another. Packs and
/// CUDA lanes have their own; this is for one lane with loads of one double.
template <class V>
struct Deinterleave {
  static_assert(V::lanes == 1, "include the header with this lane type's Deinterleave");
  static ROOFLINE_BODY Complex<V> contiguous(const double* p) { return {V::load(p), V::load(p + 1)}; }
  /// `stride` in complex numbers.
  static ROOFLINE_BODY Complex<V> strided(const double* p, Index) { return contiguous(p); }
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
