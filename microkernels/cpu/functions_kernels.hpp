#pragma once
#include "microkernels/cpu/functions_isa.hpp"
#include "microkernels/lanes.hpp"

namespace roofline {
namespace {  // each instruction set has its own copy, see lanes.hpp

// The series are written for any V with the operations of Lanes, so that another one can count them. Integer operations
// on the bits of a number are outside every FLOP account.

template <class V>
using Bits = typename LaneRegister<unsigned long, V::lanes>::Type;
template <class V>
[[gnu::always_inline]] inline Bits<V> bits_of(V x) {
  return __builtin_bit_cast(Bits<V>, x.v);
}
template <class V>
[[gnu::always_inline]] inline V from_bits(Bits<V> bits) {
  V x;
  x.v = __builtin_bit_cast(typename V::Register, bits);
  return x;
}

inline constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;  // n ln2_high is exact
inline constexpr double to_integer = 0x1.8p52;  // added to a number, it leaves the nearest integer in the low bits

/// coefficients[0] z^(n-1) + ... + coefficients[n-1].
template <class V, int n>
[[gnu::always_inline]] inline V polynomial(V z, const double (&coefficients)[n]) {
  V sum = V::broadcast(coefficients[0]);
#pragma GCC unroll 16
  for (int i = 1; i < n; ++i) sum = V::multiply_add(sum, z, V::broadcast(coefficients[i]));
  return sum;
}

/// 2^n e^r with |r| <= ln 2 / 2: Taylor's series to r^13.
template <class V>
[[gnu::always_inline]] inline V exponential(V x) {
  constexpr double series[] = {
      1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040,
      1. / 720,        1. / 120,       1. / 24,       1. / 6,       1. / 2,      1.,         1.};
  const V shifted = V::multiply_add(x, V::broadcast(1.4426950408889634), V::broadcast(to_integer));
  const V n = V::sub(shifted, V::broadcast(to_integer));
  V r = V::multiply_add(n, V::broadcast(-ln2_high), x);
  r = V::multiply_add(n, V::broadcast(-ln2_low), r);
  return from_bits<V>(bits_of(polynomial(r, series)) + (bits_of(shifted) << 52));
}

/// k ln 2 + ln m with m between the roots of 1/2 and 2: ln m = 2 artanh(s), s = (m - 1) / (m + 1), to s^21.
template <class V>
[[gnu::always_inline]] inline V logarithm(V x) {
  constexpr double series[] = {2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5, 2. / 3};
  constexpr unsigned long root_half = 0x3fe6a09e667f3bcd, bias = 1023;
  const Bits<V> exponent = (bits_of(x) - root_half + (bias << 52)) >> 52;  // k + bias
  const V k = V::sub(from_bits<V>(exponent + 0x4330000000000000), V::broadcast(0x1p52 + bias));
  const V m = from_bits<V>(bits_of(x) - ((exponent - bias) << 52));
  const V f = V::sub(m, V::broadcast(1));
  const V s = V::div(f, V::add(f, V::broadcast(2)));
  const V z = V::mul(s, s);
  const V rest = V::multiply_add(V::mul(s, z), polynomial(z, series), V::mul(k, V::broadcast(ln2_low)));
  return V::multiply_add(k, V::broadcast(ln2_high), V::multiply_add(s, V::broadcast(2), rest));
}

/// (-1)^n sin r with r = x - n pi: Taylor's series to r^21. pi comes in three parts, of which two are short.
template <class V>
[[gnu::always_inline]] inline V sine(V x) {
  constexpr double series[] = {1. / 51090942171709440000.,
                               -1. / 121645100408832000.,
                               1. / 355687428096000.,
                               -1. / 1307674368000.,
                               1. / 6227020800.,
                               -1. / 39916800,
                               1. / 362880,
                               -1. / 5040,
                               1. / 120,
                               -1. / 6};
  const V shifted = V::multiply_add(x, V::broadcast(0.31830988618379067), V::broadcast(to_integer));
  const V n = V::sub(shifted, V::broadcast(to_integer));
  V r = V::multiply_add(n, V::broadcast(-0x1.921fb544p+1), x);
  r = V::multiply_add(n, V::broadcast(-0x1.0b4611a6p-33), r);
  r = V::multiply_add(n, V::broadcast(-0x1.3198a2e037073p-68), r);
  const V z = V::mul(r, r);
  const V value = V::multiply_add(V::mul(r, z), polynomial(z, series), r);
  return from_bits<V>(bits_of(value) ^ (bits_of(shifted) << 63));
}

template <class V>
[[gnu::always_inline]] inline V square_root(V x) {
#if defined(__AVX512F__)
  // Not _mm512_sqrt_pd: g++ 12 takes its unused operand for a mistake (GCC bug 105593).
  if constexpr (V::bytes == 64) return {_mm512_maskz_sqrt_pd(0xff, x.v)};
#endif
#if defined(__AVX__)
  if constexpr (V::bytes == 32) return {_mm256_sqrt_pd(x.v)};
#endif
#if defined(__SSE2__)
  if constexpr (V::bytes == 16) return {_mm_sqrt_pd(x.v)};
#endif
#if ROOFLINE_SVE_BITS > 0
  if constexpr (8 * V::bytes == ROOFLINE_SVE_BITS) return {svsqrt_f64_x(svptrue_b64(), x.v)};
#endif
#if defined(__aarch64__)
  if constexpr (V::bytes == 16) return {vsqrtq_f64(x.v)};
#endif
  V root;
  for (int lane = 0; lane < V::lanes; ++lane) root.v[lane] = __builtin_sqrt(x.v[lane]);
  return root;
}

template <Function function, class V>
[[gnu::always_inline]] inline V value_of(V x) {
  if constexpr (function == Function::sqrt) return square_root(x);
  if constexpr (function == Function::exp) return exponential(x);
  if constexpr (function == Function::log) return logarithm(x);
  if constexpr (function == Function::sin) return sine(x);
}

template <Function function, class V>
void run_function(const double* x, double* y, long steps) {
  for (long step = 0; step < steps; ++step) {
#pragma GCC unroll 4
    for (int i = 0; i < function_arguments; i += V::lanes) V::store(y + i, value_of<function>(V::load(x + i)));
    asm volatile("" ::: "memory");  // every step loads and stores again
  }
}

template <class V>
inline constexpr FunctionKernel function_rows[function_count] = {
    {Function::sqrt, V::lanes, run_function<Function::sqrt, V>},
    {Function::exp, V::lanes, run_function<Function::exp, V>},
    {Function::log, V::lanes, run_function<Function::log, V>},
    {Function::sin, V::lanes, run_function<Function::sin, V>}};

}  // namespace
}  // namespace roofline
