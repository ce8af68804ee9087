// Instructions that act on each lane alone: a function of the lane's values, applied to 32 lanes in a loop that the
// compiler turns into vector instructions.
#pragma once

#include <bit>
#include <type_traits>

#include "bench/virtual_gpu/execute/warp.hpp"
#include "bench/virtual_gpu/parse/operation.hpp"

namespace roofline::ptx {

/// What a register of one lane holds: 8- and 16-bit values in 32 bits.
template <class T>
using Lane = std::conditional_t<(sizeof(T) >= 4), T, uint32_t>;

template <class T>
inline T from_lane(Lane<T> x) {
  return static_cast<T>(x);
}
template <class T>
inline Lane<T> to_lane(T x) {
  if constexpr (sizeof(T) >= 4)
    return x;
  else
    return static_cast<std::make_unsigned_t<T>>(x);
}

/// A source operand: a register of the lanes, or one value for all of them.
template <class T, bool scalar>
struct Source {
  const Lane<T>* lanes;
  T value{};
  Source(const Warp& w, uint32_t offset) : lanes(w.lanes<Lane<T>>(offset)) {
    if constexpr (scalar) value = from_lane<T>(lanes[0]);
  }
  T operator()(int lane) const {
    if constexpr (scalar)
      return value;
    else
      return from_lane<T>(lanes[lane]);
  }
};

/// Writes f(lane) to the lanes of the mask. `cheap`: computing lanes in vain costs less than skipping them.
template <class D, bool cheap = true, class F>
inline void write_lanes(Warp& w, uint32_t offset, F f) {
  Lane<D>* const d = w.lanes<Lane<D>>(offset);
  const uint32_t mask = w.m;
  if (mask == ~0u) {
#pragma GCC ivdep
    for (int l = 0; l < 32; ++l) d[l] = to_lane<D>(f(l));
  } else if constexpr (cheap) {
#pragma GCC ivdep
    for (int l = 0; l < 32; ++l) {
      const Lane<D> x = to_lane<D>(f(l));
      d[l] = mask >> l & 1 ? x : d[l];
    }
  } else {
    for (uint32_t m = mask; m; m &= m - 1) {
      const int l = std::countr_zero(m);
      d[l] = to_lane<D>(f(l));
    }
  }
}

template <class D, class A, auto f, bool cheap, bool sa>
void unary(Warp& w, const Instruction& i) {
  const Source<A, sa> a(w, i.a);
  write_lanes<D, cheap>(w, i.d, [=](int l) { return static_cast<D>(f(a(l))); });
}
template <class D, class A, class B, auto f, bool cheap, bool sa, bool sb>
void binary(Warp& w, const Instruction& i) {
  const Source<A, sa> a(w, i.a);
  const Source<B, sb> b(w, i.b);
  write_lanes<D, cheap>(w, i.d, [=](int l) { return static_cast<D>(f(a(l), b(l))); });
}
template <class D, class A, class B, class C, auto f, bool cheap, bool sa, bool sb, bool sc>
void ternary(Warp& w, const Instruction& i) {
  const Source<A, sa> a(w, i.a);
  const Source<B, sb> b(w, i.b);
  const Source<C, sc> c(w, i.c);
  write_lanes<D, cheap>(w, i.d, [=](int l) { return static_cast<D>(f(a(l), b(l), c(l))); });
}

/// A lane at a time: of variants that programs hardly use, vectors would be most of the time of compilation.
template <class D, class F>
inline void write_each_lane(Warp& w, uint32_t offset, F f) {
  Lane<D>* const d = w.lanes<Lane<D>>(offset);
  for (uint32_t m = w.m; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    d[l] = to_lane<D>(static_cast<D>(f(l)));
  }
}
template <class D, class A, auto f>
void rare_unary(Warp& w, const Instruction& i) {
  const Source<A, false> a(w, i.a);
  write_each_lane<D>(w, i.d, [=](int l) { return f(a(l)); });
}
template <class D, class A, class B, auto f>
void rare_binary(Warp& w, const Instruction& i) {
  const Source<A, false> a(w, i.a);
  const Source<B, false> b(w, i.b);
  write_each_lane<D>(w, i.d, [=](int l) { return f(a(l), b(l)); });
}
template <class D, class A, class B, class C, auto f>
void rare_ternary(Warp& w, const Instruction& i) {
  const Source<A, false> a(w, i.a);
  const Source<B, false> b(w, i.b);
  const Source<C, false> c(w, i.c);
  write_each_lane<D>(w, i.d, [=](int l) { return f(a(l), b(l), c(l)); });
}

template <class D, class A, auto f>
void uniform_unary(Warp& w, const Instruction& i) {
  w.scalar<Lane<D>>(i.d) = to_lane<D>(static_cast<D>(f(Source<A, true>(w, i.a)(0))));
}
template <class D, class A, class B, auto f>
void uniform_binary(Warp& w, const Instruction& i) {
  w.scalar<Lane<D>>(i.d) = to_lane<D>(static_cast<D>(f(Source<A, true>(w, i.a)(0), Source<B, true>(w, i.b)(0))));
}
template <class D, class A, class B, class C, auto f>
void uniform_ternary(Warp& w, const Instruction& i) {
  w.scalar<Lane<D>>(i.d) =
      to_lane<D>(static_cast<D>(f(Source<A, true>(w, i.a)(0), Source<B, true>(w, i.b)(0), Source<C, true>(w, i.c)(0))));
}

template <class T>
constexpr Bank bank_for = sizeof(T) == 8 ? Bank::wide : Bank::narrow;

template <class D, class A, auto f, bool cheap = true>
Operation make_unary(Class kind) {
  Operation o;
  o.execute = {unary<D, A, f, cheap, false>, unary<D, A, f, cheap, true>};
  o.uniform = uniform_unary<D, A, f>;
  o.banks = {bank_for<A>, bank_for<A>, bank_for<A>, bank_for<A>};
  o.kind = kind;
  return o;
}
template <class D, class A, class B, auto f, bool cheap = true>
Operation make_binary(Class kind) {
  Operation o;
  o.execute = {binary<D, A, B, f, cheap, false, false>, nullptr, binary<D, A, B, f, cheap, false, true>};
  if constexpr (cheap) o.execute[1] = binary<D, A, B, f, cheap, true, false>;
  o.uniform = uniform_binary<D, A, B, f>;
  o.banks = {bank_for<A>, bank_for<B>, bank_for<A>, bank_for<A>};
  o.kind = kind;
  return o;
}
/// `hot`: with variants for scalar operands.
template <class D, class A, class B, class C, auto f, bool hot = true>
Operation make_ternary(Class kind) {
  Operation o;
  o.execute[0] = ternary<D, A, B, C, f, hot, false, false, false>;
  if constexpr (hot) {
    o.execute[1] = ternary<D, A, B, C, f, true, true, false, false>;
    o.execute[2] = ternary<D, A, B, C, f, true, false, true, false>;
    o.execute[4] = ternary<D, A, B, C, f, true, false, false, true>;
    o.execute[5] = ternary<D, A, B, C, f, true, true, false, true>;
    o.execute[6] = ternary<D, A, B, C, f, true, false, true, true>;
  }
  o.uniform = uniform_ternary<D, A, B, C, f>;
  o.banks = {bank_for<A>, bank_for<B>, bank_for<C>, bank_for<A>};
  o.kind = kind;
  return o;
}

/// The same for what is hardly used.
template <class D, class A, auto f>
Operation make_rare_unary(Class kind) {
  Operation o;
  o.execute[0] = rare_unary<D, A, f>;
  o.uniform = uniform_unary<D, A, f>;
  o.banks = {bank_for<A>, bank_for<A>, bank_for<A>, bank_for<A>};
  o.kind = kind;
  return o;
}
template <class D, class A, class B, auto f>
Operation make_rare_binary(Class kind) {
  Operation o;
  o.execute[0] = rare_binary<D, A, B, f>;
  o.uniform = uniform_binary<D, A, B, f>;
  o.banks = {bank_for<A>, bank_for<B>, bank_for<A>, bank_for<A>};
  o.kind = kind;
  return o;
}
template <class D, class A, class B, class C, auto f>
Operation make_rare_ternary(Class kind) {
  Operation o;
  o.execute[0] = rare_ternary<D, A, B, C, f>;
  o.uniform = uniform_ternary<D, A, B, C, f>;
  o.banks = {bank_for<A>, bank_for<B>, bank_for<C>, bank_for<A>};
  o.kind = kind;
  return o;
}

/// The fundamental type that `type` names: f(T{}) for u8 to s64, else nothing.
template <class F>
Found for_integer(std::string_view type, F f) {
  if (type == "u32" || type == "b32") return f(uint32_t{});
  if (type == "s32") return f(int32_t{});
  if (type == "u64" || type == "b64") return f(uint64_t{});
  if (type == "s64") return f(int64_t{});
  if (type == "u16" || type == "b16") return f(uint16_t{});
  if (type == "s16") return f(int16_t{});
  return {};
}

}  // namespace roofline::ptx
