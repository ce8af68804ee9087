#pragma once
#include "bench/space/complex.hpp"
#include "bench/space/real.hpp"

namespace roofline::fft {

inline constexpr Index lanes = 8;  ///< transforms whose elements lie side by side: lane 0..7 of an element's real part,
                                   ///< then those of its imaginary part, a cache line each
inline constexpr Index element = 2 * lanes;  ///< doubles from one element of eight transforms to the next

/// z exp(-2 pi i eighths / 8), eighths 0..3: 0 FLOP, or 4 where it is odd.
template <class real>
ROOFLINE_BODY Complex<real> turned(Complex<real> z, int eighths) {
  constexpr double half = 0.70710678118654752440;  // square root of 1/2
  const real sum = eighths % 2 ? z.re + z.im : z.re, difference = eighths % 2 ? z.im - z.re : z.im;
  if (eighths == 1) return {sum * half, difference * half};
  if (eighths == 2) return {z.im, -z.re};
  if (eighths == 3) return {difference * half, sum * -half};
  return z;
}

/// The discrete Fourier transform of R numbers, 2, 4 or 8, in place: 4, 16 or 56 FLOP. The even numbers and the odd
/// ones are transformed and put together (Cooley and Tukey 1965).
template <int R, class real>
ROOFLINE_BODY void transform(Complex<real> (&z)[R]) {
  Complex<real> even[R / 2], odd[R / 2];
  ROOFLINE_UNROLL(4)
  for (int k = 0; k < R / 2; ++k) {
    even[k] = z[2 * k];
    odd[k] = z[2 * k + 1];
  }
  if constexpr (R > 2) {
    transform<R / 2>(even);
    transform<R / 2>(odd);
  }
  ROOFLINE_UNROLL(4)
  for (int k = 0; k < R / 2; ++k) {
    const Complex<real> other = turned(odd[k], 8 / R * k);
    z[k] = {even[k].re + other.re, even[k].im + other.im};
    z[k + R / 2] = {even[k].re - other.re, even[k].im - other.im};
  }
}

/// FLOPs of one butterfly: its transform, and R - 1 products with a twiddle factor, 6 each.
constexpr std::uint64_t butterfly_flops(int radix) {
  return (radix == 2 ? 4u : radix == 4 ? 16u : 56u) + 6u * (static_cast<unsigned>(radix) - 1);
}

/// One pass of Stockham's transform, which sorts by itself: with s the product of the radices so far and m = n / (s R)
///   y[q + s (R p + k)] = w^(p k s) DFT_R(x[q + s p], x[q + s (p + m)], ...)[k],  w = exp(-2 pi i / n)
/// for p < m, q < s. Radix 2 has 10 FLOP for two elements, so n log2 n / 2 butterflies the well-known 5 n log2 n. All
/// factors are multiplied, those that are 1, too.
template <int R>
struct Butterfly {
  View x, y;               ///< eight transforms
  const double* twiddles;  ///< re and im of w^0, w^1, ...
  Index s, m;

  template <class V, bool Fma>
  ROOFLINE_BODY void operator()(At<V, Fma> lane, Index p, Index q) const {
    using real = Real<V, Fma>;
    Complex<real> z[R];
    ROOFLINE_UNROLL(8)
    for (Index k = 0; k < R; ++k) {
      const At<V, Fma> from = lane + element * (q + s * (p + m * k));
      z[k].re = x[from];
      z[k].im = x[from + lanes];
    }
    transform<R>(z);
    ROOFLINE_UNROLL(8)
    for (Index k = 0; k < R; ++k) {
      const double* const factor = twiddles + 2 * (p * k * s);
      if (k > 0) {
        const Complex<real> w = {real(V::load_everywhere(factor)), real(V::load_everywhere(factor + 1))};
        z[k] = z[k] * w;
      }
      const At<V, Fma> to = lane + element * (q + s * (R * p + k));
      y.set(to, z[k].re);
      y.set(to + lanes, z[k].im);
    }
  }
};

}  // namespace roofline::fft
