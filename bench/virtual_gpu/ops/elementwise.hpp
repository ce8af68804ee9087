// Instructions that act on each lane alone: a function of the lane's values, applied to 32 lanes in a loop that the
// compiler turns into vector instructions.
#pragma once

#include <bit>
#include <type_traits>
#include <utility>

#include "bench/virtual_gpu/execute/warp.hpp"
#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {

/// The content of one lane's register: 8- and 16-bit values are stored in 32 bits.
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

/// How a function is applied to the lanes of the mask.
enum class Way {
  vector,  ///< idle lanes are written too, which costs less than skipping them; has variants for scalar operands
  costly,  ///< to idle ones not
  rare,    ///< one lane at a time, because vector code for rare instructions would dominate the compilation time
};

/// Writes f(lane) to the lanes of the mask.
template <class D, Way way = Way::vector, class F>
inline void write_lanes(Warp& w, uint32_t offset, F f) {
  Lane<D>* const d = w.lanes<Lane<D>>(offset);
  const uint32_t mask = w.m;
  if (way != Way::rare && mask == ~0u) {
#pragma GCC ivdep
    for (int l = 0; l < 32; ++l) d[l] = to_lane<D>(f(l));
  } else if constexpr (way == Way::vector) {
#pragma GCC ivdep
    for (int l = 0; l < 32; ++l) {
      const Lane<D> x = to_lane<D>(f(l));
      d[l] = mask >> l & 1 ? x : d[l];
    }
  } else {
    for (const uint32_t l : Lanes{mask}) {
      d[l] = to_lane<D>(f(l));
    }
  }
}

template <class T>
constexpr Bank bank_for = sizeof(T) == 8 ? Bank::wide : Bank::narrow;

/// d = f(a), f(a, b) or f(a, b, c) with the types of f, a lambda.
template <Way way, auto f, class Call = decltype(&decltype(f)::operator())>
struct Elementwise;
template <Way way, auto f, class F, class D, class... A>
struct Elementwise<way, f, D (F::*)(A...) const> {
  /// Bit n of `scalars`: source n is one value for all lanes.
  template <unsigned scalars, class Use>
  [[gnu::always_inline]] static auto with_sources(const Warp& w, const Instruction& i, Use use) {
    const uint32_t at[] = {i.a, i.b, i.c};
    return [&]<std::size_t... n>(std::index_sequence<n...>) __attribute__((always_inline)) {
      return use(Source<A, (scalars >> n & 1) != 0>(w, at[n])...);
    }
    (std::index_sequence_for<A...>{});
  }
  template <unsigned scalars>
  static void lanes(Warp& w, const Instruction& i) {
    with_sources<scalars>(
        w, i, [&](auto... s) __attribute__((always_inline)) {
          write_lanes<D, way>(w, i.d, [=](int l) { return f(s(l)...); });
        });
  }
  static void uniform(Warp& w, const Instruction& i) {
    w.scalar<Lane<D>>(i.d) = with_sources<~0u>(w, i, [](auto... s) { return to_lane<D>(f(s(0)...)); });
  }
  /// Two scalars of a and b with c in lanes are rare: without a variant of their own.
  template <unsigned scalars>
  static constexpr Execute variant() {
    if constexpr (scalars == 0 || (way == Way::vector && (scalars & 3) != 3))
      return lanes<scalars>;
    else
      return nullptr;
  }
  static Operation operation(Class kind) {
    Operation o;
    [&]<unsigned... v>(std::integer_sequence<unsigned, v...>) { ((o.execute[v] = variant<v>()), ...); }
    (std::make_integer_sequence<unsigned, 1u << sizeof...(A)>{});
    o.uniform = uniform;
    constexpr Bank banks[] = {bank_for<A>...};
    for (std::size_t n = 0; n < o.banks.size(); ++n) o.banks[n] = banks[n < sizeof...(A) ? n : 0];
    o.kind = kind;
    return o;
  }
};

template <auto f>
Operation lanewise(Class kind) {
  return Elementwise<Way::vector, f>::operation(kind);
}
template <auto f>
Operation costly(Class kind) {
  return Elementwise<Way::costly, f>::operation(kind);
}
template <auto f>
Operation rare(Class kind) {
  return Elementwise<Way::rare, f>::operation(kind);
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
