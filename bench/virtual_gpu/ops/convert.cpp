// Conversions between integers, and between integers and fp32 and fp64.
#include <cfenv>
#include <limits>

#include "bench/virtual_gpu/ops/elementwise.hpp"

namespace roofline::ptx {
namespace {

// The value of type D in a register that may be wider than D: extended as D's sign says.
template <class R, class D, class A, bool saturates>
constexpr auto integer_to_integer = [](A a) {
  if constexpr (saturates) {
    using Limits = std::numeric_limits<D>;
    const bool below = std::is_signed_v<A> && a < 0 &&
                       (std::is_unsigned_v<D> || static_cast<int64_t>(a) < static_cast<int64_t>(Limits::min()));
    const bool above = a > 0 && static_cast<uint64_t>(a) > static_cast<uint64_t>(Limits::max());
    return static_cast<R>(below ? Limits::min() : above ? Limits::max() : static_cast<D>(a));
  }
  return static_cast<R>(static_cast<D>(a));
};

/// Calls f(R{}) with the type of a register that holds a D: one of 8 bytes or one of 4.
template <class D, class F>
Found in_register(bool wide, F f) {
  if (wide) return f(std::conditional_t<std::is_signed_v<D>, int64_t, uint64_t>{});
  if constexpr (sizeof(D) < 8) return f(std::conditional_t<std::is_signed_v<D>, int32_t, uint32_t>{});
  return {};
}

template <class D, class A>
Found make_integer(bool wide, bool saturates) {
  return in_register<D>(wide, [&](auto r) {
    constexpr auto k = Class::convert;
    using R = decltype(r);
    if (saturates) return rare<integer_to_integer<R, D, A, true>>(k);
    if constexpr (sizeof(D) >= 4 && sizeof(A) >= 4) return lanewise<integer_to_integer<R, D, A, false>>(k);
    return rare<integer_to_integer<R, D, A, false>>(k);
  });
}

template <class F>
Found for_any_integer(std::string_view type, F f) {
  if (type == "u8" || type == "b8") return f(uint8_t{});
  if (type == "s8") return f(int8_t{});
  return for_integer(type, f);
}

// Float to integer. NaN gives 0, or where 64 bits take part the highest bit.
template <class D, class A, int rounding>
constexpr auto real_to_integer = [](A a) {
  using Limits = std::numeric_limits<D>;
  const A x = rounding == 0   ? std::nearbyint(a)
              : rounding == 1 ? std::trunc(a)
              : rounding == 2 ? std::floor(a)
                              : std::ceil(a);
  constexpr bool wide = sizeof(A) == 8 || sizeof(D) == 8;
  constexpr A above = static_cast<A>(static_cast<A>(Limits::max() / 2 + 1) * 2);
  const D nan = wide ? static_cast<D>(static_cast<std::make_unsigned_t<D>>(1) << (8 * sizeof(D) - 1)) : D{0};
  const bool inside = x >= static_cast<A>(Limits::min()) && x < above;
  const D converted = static_cast<D>(inside ? x : A{0});
  return a != a ? nan : inside ? converted : x < 0 ? Limits::min() : Limits::max();
};

template <class D, class A>
Found make_real_to_integer(const Statement& s) {
  constexpr auto k = Class::convert;
  if (s.has("rni")) return lanewise<real_to_integer<D, A, 0>>(k);
  if (s.has("rmi")) return rare<real_to_integer<D, A, 2>>(k);
  if (s.has("rpi")) return rare<real_to_integer<D, A, 3>>(k);
  return lanewise<real_to_integer<D, A, 1>>(k);
}

template <class D, class A, int mode>
constexpr auto rounded_conversion = [](A a) {
  const int before = std::fegetround();
  std::fesetround(mode);
  const volatile A x = a;
  const volatile D result = static_cast<D>(x);
  std::fesetround(before);
  return static_cast<D>(result);
};
template <class D, class A>
constexpr auto conversion = [](A a) { return static_cast<D>(a); };

template <class D, class A>
Found make_to_real(const Statement& s) {
  constexpr auto k = Class::convert;
  if (s.has("rz")) return rare<rounded_conversion<D, A, FE_TOWARDZERO>>(k);
  if (s.has("rm")) return rare<rounded_conversion<D, A, FE_DOWNWARD>>(k);
  if (s.has("rp")) return rare<rounded_conversion<D, A, FE_UPWARD>>(k);
  return s.has("ftz") || s.has("sat") ? find_float_convert(s) : lanewise<conversion<D, A>>(k);
}

template <class A>
Found from_real(const Statement& s, std::string_view to) {
  return for_any_integer(to, [&](auto t) { return make_real_to_integer<decltype(t), A>(s); });
}

// A source register may be wider than the source type: its low bits are what is converted.
template <class R, class D, class A>
constexpr auto low_bits_to_integer = [](uint64_t a) { return static_cast<R>(static_cast<D>(static_cast<A>(a))); };
template <class D, class A>
constexpr auto low_bits_to_real = [](uint64_t a) { return static_cast<D>(static_cast<A>(a)); };

Found find_of_low_bits(const Statement& s, std::string_view to, bool wide) {
  constexpr auto k = Class::convert;
  return for_any_integer(s.type(), [&](auto a) -> Found {
    using A = decltype(a);
    if (s.has("sat") || s.has("rz") || s.has("rm") || s.has("rp")) return {};
    if constexpr (sizeof(A) < 8) {
      if (to == "f32") return rare<low_bits_to_real<float, A>>(k);
      if (to == "f64") return rare<low_bits_to_real<double, A>>(k);
      return for_any_integer(to, [&](auto d) {
        return in_register<decltype(d)>(
            wide, [&](auto r) -> Found { return rare<low_bits_to_integer<decltype(r), decltype(d), A>>(k); });
      });
    }
    return {};
  });
}

bool is_wide(const Operand& o) { return o.kind == OperandKind::reg && o.bank == Bank::wide; }

}  // namespace

Found find_convert(const Statement& s) {
  if (s.parts.size() < 3 || s.operands.size() != 2) return find_float_convert(s);
  const auto to = s.parts[s.parts.size() - 2], from = s.type();
  const bool wide = is_wide(s.operands[0]);
  if (is_wide(s.operands[1]) && bytes_of_type(from) < 8) return find_of_low_bits(s, to, wide);
  if (to == from && to[0] == 'f') return find_float_convert(s);
  if (to == "f32" && from == "f64") return make_to_real<float, double>(s);
  if (to == "f64" && from == "f32") return make_to_real<double, float>(s);
  if (from == "f32" && (to[0] == 's' || to[0] == 'u')) return from_real<float>(s, to);
  if (from == "f64" && (to[0] == 's' || to[0] == 'u')) return from_real<double>(s, to);
  Found found;
  if (to == "f32") {
    found = for_any_integer(from, [&](auto t) { return make_to_real<float, decltype(t)>(s); });
  } else if (to == "f64") {
    found = for_any_integer(from, [&](auto t) { return make_to_real<double, decltype(t)>(s); });
  } else {
    found = for_any_integer(to, [&](auto d) {
      return for_any_integer(from, [&](auto a) { return make_integer<decltype(d), decltype(a)>(wide, s.has("sat")); });
    });
  }
  return found ? found : find_float_convert(s);
}

}  // namespace roofline::ptx
