#pragma once
#include <bit>
#include <cstdint>

#include "bench/space/real.hpp"

namespace roofline::lbm {

/// A number that is part of the type: terms with a factor 0 vanish, factors 1 and -1 cost no multiplication, constants
/// fold with each other. The operations that remain are those that run, so they are those that get counted.
template <std::uint64_t Bits>
struct Constant {
  static constexpr double value = std::bit_cast<double>(Bits);
};

/// The template argument that stands for x; both zeros are the same constant.
consteval std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x + 0.0); }

template <int n>
inline constexpr Constant<bits(n)> number{};

template <std::uint64_t A, std::uint64_t B>
constexpr auto operator+(Constant<A> a, Constant<B> b) {
  return Constant<bits(a.value + b.value)>{};
}
template <std::uint64_t A, std::uint64_t B>
constexpr auto operator-(Constant<A> a, Constant<B> b) {
  return Constant<bits(a.value - b.value)>{};
}
template <std::uint64_t A, std::uint64_t B>
constexpr auto operator*(Constant<A> a, Constant<B> b) {
  return Constant<bits(a.value * b.value)>{};
}

// The same with values of a space. Tables that are read at run time are values, so one source serves both.

template <std::uint64_t A, class V, bool Fma>
ROOFLINE_BODY auto operator*(Constant<A> a, Real<V, Fma> x) {
  if constexpr (a.value == 0)
    return a;
  else if constexpr (a.value == 1)
    return x;
  else if constexpr (a.value == -1)
    return -x;
  else
    return Real<V, Fma>(a.value) * x;
}
template <std::uint64_t A, class V>
ROOFLINE_BODY auto operator*(Constant<A> a, const Product<V>& x) {
  return a * Fused<V>(x);
}
template <std::uint64_t A, class V, bool Fma>
ROOFLINE_BODY auto operator*(Real<V, Fma> x, Constant<A> a) {
  return a * x;
}
template <std::uint64_t A, class V>
ROOFLINE_BODY auto operator*(const Product<V>& x, Constant<A> a) {
  return a * x;
}

template <std::uint64_t A, class V, bool Fma>
ROOFLINE_BODY auto operator+(Real<V, Fma> x, Constant<A> a) {
  if constexpr (a.value == 0)
    return x;
  else
    return x + Real<V, Fma>(a.value);
}
template <std::uint64_t A, class V>
ROOFLINE_BODY auto operator+(const Product<V>& x, Constant<A> a) {
  if constexpr (a.value == 0)
    return x;
  else
    return x + Fused<V>(a.value);
}
template <std::uint64_t A, class V, bool Fma>
ROOFLINE_BODY auto operator+(Constant<A> a, Real<V, Fma> x) {
  return x + a;
}
template <std::uint64_t A, class V>
ROOFLINE_BODY auto operator+(Constant<A> a, const Product<V>& x) {
  return x + a;
}

template <std::uint64_t A, class V, bool Fma>
ROOFLINE_BODY auto operator-(Real<V, Fma> x, Constant<A> a) {
  return x + Constant<bits(-a.value)>{};
}
template <std::uint64_t A, class V>
ROOFLINE_BODY auto operator-(const Product<V>& x, Constant<A> a) {
  return x + Constant<bits(-a.value)>{};
}
template <std::uint64_t A, class V, bool Fma>
ROOFLINE_BODY auto operator-(Constant<A> a, Real<V, Fma> x) {
  if constexpr (a.value == 0)
    return -x;
  else
    return Real<V, Fma>(a.value) - x;
}
template <std::uint64_t A, class V>
ROOFLINE_BODY auto operator-(Constant<A> a, const Product<V>& x) {
  if constexpr (a.value == 0)
    return -x;
  else
    return Fused<V>(a.value) - x;
}

/// Executes a product that waits for an addition. `auto` needs it, because the type of a folded term is not known.
template <std::uint64_t A>
constexpr auto evaluate(Constant<A> a) {
  return a;
}
template <class V, bool Fma>
ROOFLINE_BODY auto evaluate(Real<V, Fma> x) {
  return x;
}
template <class V>
ROOFLINE_BODY auto evaluate(const Product<V>& x) {
  return Fused<V>(x);
}

}  // namespace roofline::lbm
