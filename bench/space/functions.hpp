#pragma once
#include <type_traits>

#include "bench/space/real.hpp"

// Functions for kernel bodies besides + - * / and a change of sign: sqrt, abs, min, max, comparisons, and select in the
// place of a branch. They are counted by kind: a square root is one FLOP, the others are instructions
// (Operations::logic) and not FLOPs. Every function takes products and numbers too: max(a * b, 0.0).

namespace roofline {

namespace detail {

template <class T>
struct RealOf {};
template <class V, bool Fma>
struct RealOf<Real<V, Fma>> {
  using type = Real<V, Fma>;
};
template <class V>
struct RealOf<Product<V>> {
  using type = Real<V, true>;
};

template <class T>
concept Value = requires {
  typename RealOf<T>::type;
};
template <class T>
concept Operand = Value<T> || std::is_arithmetic_v<T>;

template <class A, class B>
struct Common : RealOf<A> {};
template <class A, class B>
requires std::is_arithmetic_v<A>
struct Common<A, B> : RealOf<B> {
};
/// The arithmetic type of two operands, at least one of which has one.
template <class A, class B>
using CommonReal = typename Common<A, B>::type;

template <class A, class B>
concept Operands = Operand<A> && Operand<B> &&(Value<A> || Value<B>);

}  // namespace detail

/// The outcome of a comparison in every lane. Lanes differ, so it cannot be a bool, and a body has no `if` on data;
/// choose with select(condition, a, b).
template <class R>
struct Condition;
template <class V, bool Fma>
struct Condition<Real<V, Fma>> {
  typename V::Mask mask;
  explicit operator bool() const = delete;  // lanes differ: write select(condition, a, b) instead of an if
};

template <class A, class B>
requires detail::Operands<A, B> ROOFLINE_BODY auto operator<(const A& a, const B& b) {
  using R = detail::CommonReal<A, B>;
  return Condition<R>{decltype(R::value)::less(R(a).value, R(b).value)};
}
template <class A, class B>
requires detail::Operands<A, B> ROOFLINE_BODY auto operator>(const A& a, const B& b) { return b < a; }
template <class A, class B>
requires detail::Operands<A, B> ROOFLINE_BODY auto operator<=(const A& a, const B& b) {
  using R = detail::CommonReal<A, B>;
  return Condition<R>{decltype(R::value)::less_equal(R(a).value, R(b).value)};
}
template <class A, class B>
requires detail::Operands<A, B> ROOFLINE_BODY auto operator>=(const A& a, const B& b) { return b <= a; }

/// `a` in the lanes where the condition holds, `b` in the others; both are computed.
template <class R>
ROOFLINE_BODY R select(const Condition<R>& condition, const std::type_identity_t<R>& a,
                       const std::type_identity_t<R>& b) {
  return R(decltype(R::value)::select(condition.mask, a.value, b.value));
}

/// Correctly rounded; 1 FLOP.
template <detail::Value A>
ROOFLINE_BODY auto sqrt(const A& a) {
  using R = detail::CommonReal<A, A>;
  return R(decltype(R::value)::sqrt(R(a).value));
}
/// By the sign bit.
template <detail::Value A>
ROOFLINE_BODY auto abs(const A& a) {
  using R = detail::CommonReal<A, A>;
  return R(decltype(R::value)::abs(R(a).value));
}
/// a < b ? a : b, so b where one of them is not a number.
template <class A, class B>
requires detail::Operands<A, B> ROOFLINE_BODY auto min(const A& a, const B& b) {
  using R = detail::CommonReal<A, B>;
  return R(decltype(R::value)::min(R(a).value, R(b).value));
}
/// a > b ? a : b, so b where one of them is not a number.
template <class A, class B>
requires detail::Operands<A, B> ROOFLINE_BODY auto max(const A& a, const B& b) {
  using R = detail::CommonReal<A, B>;
  return R(decltype(R::value)::max(R(a).value, R(b).value));
}

}  // namespace roofline
