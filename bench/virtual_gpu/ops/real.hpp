// Scalar floating-point functions as PTX defines them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace roofline::ptx {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T>
constexpr Bits<T> sign_bit = Bits<T>{1} << (8 * sizeof(T) - 1);
template <class T>
constexpr Bits<T> exponent_bits = sizeof(T) == 8 ? Bits<T>{0x7ff} << (sizeof(T) == 8 ? 52 : 0) : Bits<T>{0xff} << 23;

/// Subnormal numbers become zero of the same sign (.ftz).
template <class T>
inline T flush(T x) {
  const auto bits = std::bit_cast<Bits<T>>(x);
  return std::bit_cast<T>((bits & exponent_bits<T>) == 0 ? bits & sign_bit<T> : bits);
}
/// To [0, 1]; NaN becomes 0 (.sat).
template <class T>
inline T saturate(T x) {
  return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
}

/// One NaN gives the other operand; -0 is less than +0.
template <class T>
inline T minimum_number(T a, T b) {
  const T equal = std::bit_cast<T>(std::bit_cast<Bits<T>>(a) | std::bit_cast<Bits<T>>(b));
  const T less = a < b ? a : b < a ? b : equal;
  return a != a ? b : b != b ? a : less;
}
template <class T>
inline T maximum_number(T a, T b) {
  const T equal = std::bit_cast<T>(std::bit_cast<Bits<T>>(a) & std::bit_cast<Bits<T>>(b));
  const T more = a > b ? a : b > a ? b : equal;
  return a != a ? b : b != b ? a : more;
}
/// A NaN gives NaN (.NaN).
template <class T>
inline T minimum_nan(T a, T b) {
  return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : minimum_number(a, b);
}
template <class T>
inline T maximum_nan(T a, T b) {
  return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : maximum_number(a, b);
}
template <class T>
inline T negated(T x) {
  return std::bit_cast<T>(std::bit_cast<Bits<T>>(x) ^ sign_bit<T>);
}
template <class T>
inline T magnitude(T x) {
  return std::bit_cast<T>(std::bit_cast<Bits<T>>(x) & ~sign_bit<T>);
}
/// The magnitude of b with the sign of a (PTX has the sign first).
template <class T>
inline T signed_like(T a, T b) {
  return std::bit_cast<T>((std::bit_cast<Bits<T>>(a) & sign_bit<T>) | (std::bit_cast<Bits<T>>(b) & ~sign_bit<T>));
}

}  // namespace roofline::ptx
