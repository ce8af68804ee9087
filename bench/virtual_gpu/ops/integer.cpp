// Integer arithmetic.
#include "bench/virtual_gpu/ops/elementwise.hpp"

namespace roofline::ptx {
namespace {

// Sums and products in which nothing is undefined: 16-bit values would be promoted to int.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T>
using Double = std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 2, int32_t, int64_t>,
                                  std::conditional_t<sizeof(T) == 2, uint32_t, uint64_t>>;

template <class T>
constexpr auto add = [](T a, T b) { return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b)); };
template <class T>
constexpr auto sub = [](T a, T b) { return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b)); };
template <class T>
constexpr auto mul = [](T a, T b) { return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b)); };
template <class T>
constexpr auto mad = [](T a, T b, T c) { return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b) + Wrapping<T>(c)); };
template <class T>
constexpr auto mul_hi = [](T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<Wide>(a) * b) >> 64);
  } else {
    return static_cast<T>((static_cast<Double<T>>(a) * b) >> (8 * sizeof(T)));
  }
};
template <class T>
constexpr auto mad_hi = [](T a, T b, T c) { return add<T>(mul_hi<T>(a, b), c); };
template <class T>
constexpr auto minimum = [](T a, T b) { return a < b ? a : b; };
template <class T>
constexpr auto maximum = [](T a, T b) { return a > b ? a : b; };
// Division by zero gives all ones and the dividend on the devices; the lowest number by -1 wraps.
template <class T>
constexpr auto quotient = [](T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(Wrapping<T>(0) - Wrapping<T>(a));
  return static_cast<T>(a / b);
};
template <class T>
constexpr auto remainder = [](T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0);
  return static_cast<T>(a % b);
};
template <class T>
constexpr auto negate = [](T a) { return static_cast<T>(Wrapping<T>(0) - Wrapping<T>(a)); };
template <class T>
constexpr auto absolute = [](T a) { return a < 0 ? static_cast<T>(Wrapping<T>(0) - Wrapping<T>(a)) : a; };
template <class T>
constexpr auto sad = [](T a, T b, T c) {
  return static_cast<T>(Wrapping<T>(c) + (a < b ? Wrapping<T>(b) - Wrapping<T>(a) : Wrapping<T>(a) - Wrapping<T>(b)));
};
template <class T>
constexpr int64_t extend24(T a) {
  return std::is_signed_v<T> ? static_cast<int32_t>(static_cast<uint32_t>(a) << 8) >> 8
                             : static_cast<int64_t>(a & 0xffffff);
}
template <class T>
constexpr auto mul24_lo = [](T a, T b) { return static_cast<T>(extend24(a) * extend24(b)); };
template <class T>
constexpr auto mul24_hi = [](T a, T b) { return static_cast<T>((extend24(a) * extend24(b)) >> 16); };
template <class T>
constexpr auto mad24_lo = [](T a, T b, T c) { return static_cast<T>(extend24(a) * extend24(b) + c); };
template <class T>
constexpr auto mad24_hi = [](T a, T b, T c) { return static_cast<T>(((extend24(a) * extend24(b)) >> 16) + c); };

constexpr int32_t clamp32(int64_t x) {
  return static_cast<int32_t>(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}
constexpr auto add_saturated = [](int32_t a, int32_t b) { return clamp32(int64_t{a} + b); };
constexpr auto sub_saturated = [](int32_t a, int32_t b) { return clamp32(int64_t{a} - b); };
constexpr auto mad_hi_saturated = [](int32_t a, int32_t b, int32_t c) { return clamp32(((int64_t{a} * b) >> 32) + c); };

// Two 16-bit numbers in 32 bits.
template <class T, auto f>
constexpr auto both = [](uint32_t a, uint32_t b) {
  const auto low = static_cast<uint16_t>(f(static_cast<T>(a), static_cast<T>(b)));
  const auto high = static_cast<uint16_t>(f(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return low | static_cast<uint32_t>(high) << 16;
};

// Dot products of the bytes of b with bytes or half words of a.
template <class A, class B, bool high>
constexpr auto dot = [](uint32_t a, uint32_t b, uint32_t c) {
  const auto part = [](auto type, uint32_t x, unsigned long n) {
    return static_cast<uint32_t>(int32_t{static_cast<decltype(type)>(x >> 8 * sizeof type * n)});
  };
  uint32_t sum = c;
  for (unsigned n = 0; n < 4 / sizeof(A); ++n) sum += part(A{}, a, n) * part(B{}, b, high ? n + 2 : n);
  return sum;
};
template <class Signed, class Unsigned, bool high>
Found make_dot(bool a, bool b) {
  constexpr auto k = Class::integer;
  if (a) return b ? rare<dot<Signed, int8_t, high>>(k) : rare<dot<Signed, uint8_t, high>>(k);
  return b ? rare<dot<Unsigned, int8_t, high>>(k) : rare<dot<Unsigned, uint8_t, high>>(k);
}

template <class T, class W>
constexpr auto mul_wide = [](T a, T b) { return static_cast<W>(static_cast<W>(a) * static_cast<W>(b)); };
template <class T, class W>
constexpr auto mad_wide = [](T a, T b, W c) {
  return static_cast<W>(Wrapping<W>(static_cast<W>(a)) * Wrapping<W>(static_cast<W>(b)) + Wrapping<W>(c));
};
template <class T, class W>
Found make_wide(bool with_sum) {
  if (with_sum) return lanewise<mad_wide<T, W>>(Class::integer);
  return lanewise<mul_wide<T, W>>(Class::integer);
}
Found find_wide(const Statement& s) {
  const bool with_sum = s.op() == "mad";
  if (s.type() == "u16") return make_wide<uint16_t, uint32_t>(with_sum);
  if (s.type() == "s16") return make_wide<int16_t, int32_t>(with_sum);
  if (s.type() == "u32") return make_wide<uint32_t, uint64_t>(with_sum);
  if (s.type() == "s32") return make_wide<int32_t, int64_t>(with_sum);
  return {};
}

Found find_packed(const Statement& s) {
  constexpr auto k = Class::integer;
  const bool is_signed = s.type() == "s16x2";
  if (s.has("relu") || s.has("sat")) return {};
  if (s.op() == "add") return rare<both<uint16_t, add<uint16_t>>>(k);
  if (s.op() == "min" && is_signed) return rare<both<int16_t, minimum<int16_t>>>(k);
  if (s.op() == "max" && is_signed) return rare<both<int16_t, maximum<int16_t>>>(k);
  if (s.op() == "min") return rare<both<uint16_t, minimum<uint16_t>>>(k);
  if (s.op() == "max") return rare<both<uint16_t, maximum<uint16_t>>>(k);
  return {};
}

Found find_saturated(const Statement& s) {
  if (s.type() != "s32") return {};
  if (s.op() == "add") return rare<add_saturated>(Class::integer);
  if (s.op() == "sub") return rare<sub_saturated>(Class::integer);
  if (s.op() == "mad" && s.has("hi")) return rare<mad_hi_saturated>(Class::integer);
  return {};
}

// Sums with a carry from one instruction to the next: add.cc, addc, sub.cc, subc, mad.cc, madc.
// Operands: d, a, b and for mad c. flags: 1 takes the carry, 2 makes it, 4 subtracts, 8 multiplies, 16 high half.
template <class T>
void sum_with_carry(Warp& w, const Instruction& i) {
  using Wide = unsigned __int128;
  constexpr int bits = 8 * sizeof(T);
  const bool product = i.flags & 8, high = i.flags & 16;
  uint32_t& carry = w.p[carry_predicate];
  for (const uint32_t l : Lanes{w.m}) {
    using U = std::make_unsigned_t<T>;
    Wide x = static_cast<U>(w.lanes<T>(w.list(i, 1))[l]);
    Wide y = static_cast<U>(w.lanes<T>(w.list(i, 2))[l]);
    if (product) {
      const auto full = static_cast<__int128>(w.lanes<T>(w.list(i, 1))[l]) * w.lanes<T>(w.list(i, 2))[l];
      x = static_cast<U>(high ? static_cast<Wide>(full) >> bits : static_cast<Wide>(full));
      y = static_cast<U>(w.lanes<T>(w.list(i, 3))[l]);
    }
    const Wide in = i.flags & 1 ? carry >> l & 1 : 0;
    // Subtraction borrows when the carry is set (CC.CF holds the borrow).
    const Wide result = i.flags & 4 ? x - y - in : x + y + in;
    if (i.flags & 2) carry = (carry & ~(1u << l)) | static_cast<uint32_t>(result >> bits & 1) << l;
    w.lanes<U>(w.list(i, 0))[l] = static_cast<U>(result);
  }
}

template <class T>
Found find_for(const Statement& s) {
  constexpr auto k = Class::integer;
  const auto op = s.op();
  const bool hi = s.has("hi");
  if (op == "add") return lanewise<add<T>>(k);
  if (op == "sub") return lanewise<sub<T>>(k);
  if (op == "mul" && hi) return lanewise<mul_hi<T>>(k);
  if (op == "mul") return lanewise<mul<T>>(k);
  if (op == "mad" && hi) return rare<mad_hi<T>>(k);
  if (op == "mad") return lanewise<mad<T>>(k);
  if (op == "min") return lanewise<minimum<T>>(k);
  if (op == "max") return lanewise<maximum<T>>(k);
  if (op == "div") return rare<quotient<T>>(k);
  if (op == "rem") return rare<remainder<T>>(k);
  if (op == "neg") return lanewise<negate<T>>(k);
  if (op == "abs") return lanewise<absolute<T>>(k);
  if (op == "sad") return rare<sad<T>>(k);
  if constexpr (sizeof(T) == 4) {
    if (op == "mul24" && hi) return rare<mul24_hi<T>>(k);
    if (op == "mul24") return rare<mul24_lo<T>>(k);
    if (op == "mad24" && hi && !s.has("sat")) return rare<mad24_hi<T>>(k);
    if (op == "mad24" && !s.has("sat")) return rare<mad24_lo<T>>(k);
  }
  return {};
}

}  // namespace

Found find_integer(const Statement& s) {
  if (s.has("cc")) return {};
  if (s.op() == "dp4a" && s.parts.size() == 3)
    return make_dot<int8_t, uint8_t, false>(s.parts[1] == "s32", s.type() == "s32");
  if (s.op() == "dp2a" && s.parts.size() == 4)
    return (s.has("hi") ? make_dot<int16_t, uint16_t, true> : make_dot<int16_t, uint16_t, false>)(s.parts[2] == "s32",
                                                                                                  s.type() == "s32");
  if (s.has("wide")) return find_wide(s);
  if (s.type() == "u16x2" || s.type() == "s16x2") return find_packed(s);
  if (s.has("sat") && s.op() != "mad24") return find_saturated(s);
  return for_integer(s.type(), [&](auto t) { return find_for<decltype(t)>(s); });
}

Found find_carry(const Statement& s) {
  const auto op = s.op();
  const bool in = op == "addc" || op == "subc" || op == "madc";
  if (!in && !s.has("cc")) return {};
  Operation o;
  o.form = Form::listed;
  o.kind = Class::integer;
  o.flags = static_cast<uint8_t>((in ? 1 : 0) | (s.has("cc") ? 2 : 0) | (op.substr(0, 3) == "sub" ? 4 : 0) |
                                 (op.substr(0, 3) == "mad" ? 8 : 0) | (s.has("hi") ? 16 : 0));
  const auto type = s.type();
  o.banks.fill(bytes_of_type(type) == 8 ? Bank::wide : Bank::narrow);
  o.execute[0] = type == "u32"   ? sum_with_carry<uint32_t>
                 : type == "s32" ? sum_with_carry<int32_t>
                 : type == "u64" ? sum_with_carry<uint64_t>
                 : type == "s64" ? sum_with_carry<int64_t>
                                 : nullptr;
  if (!o.execute[0]) return {};
  return o;
}

}  // namespace roofline::ptx
