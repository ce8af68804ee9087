// Integer arithmetic.
#include "bench/virtual_gpu/ops/elementwise.hpp"

namespace roofline::ptx {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
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

// Dot products of bytes or half words. flags: 1 a signed, 2 b signed.
template <int flags, bool words, bool high>
constexpr auto dot = [](uint32_t a, uint32_t b, uint32_t c) {
  const auto byte = [](uint32_t x, int n, bool is_signed) {
    return is_signed ? int32_t{static_cast<int8_t>(x >> 8 * n)} : static_cast<int32_t>(x >> 8 * n & 255);
  };
  const auto word = [](uint32_t x, int n, bool is_signed) {
    return is_signed ? int32_t{static_cast<int16_t>(x >> 16 * n)} : static_cast<int32_t>(x >> 16 * n & 65535);
  };
  uint32_t sum = c;
  for (int n = 0; n < (words ? 2 : 4); ++n) {
    const int32_t x = words ? word(a, n, flags & 1) : byte(a, n, flags & 1);
    sum += static_cast<uint32_t>(x) * static_cast<uint32_t>(byte(b, words && high ? n + 2 : n, flags & 2));
  }
  return sum;
};
template <bool words, bool high>
Found make_dot(bool a, bool b) {
  constexpr auto k = Class::integer;
  using U = uint32_t;
  if (a && b) return make_rare_ternary<U, U, U, U, dot<3, words, high>>(k);
  if (a) return make_rare_ternary<U, U, U, U, dot<1, words, high>>(k);
  if (b) return make_rare_ternary<U, U, U, U, dot<2, words, high>>(k);
  return make_rare_ternary<U, U, U, U, dot<0, words, high>>(k);
}

template <class T, class W>
constexpr auto mul_wide = [](T a, T b) { return static_cast<W>(static_cast<W>(a) * static_cast<W>(b)); };
template <class T, class W>
constexpr auto mad_wide = [](T a, T b, W c) {
  return static_cast<W>(Wrapping<W>(static_cast<W>(a)) * Wrapping<W>(static_cast<W>(b)) + Wrapping<W>(c));
};
template <class T, class W>
Found make_wide(bool with_sum) {
  if (with_sum) return make_ternary<W, T, T, W, mad_wide<T, W>>(Class::integer);
  return make_binary<W, T, T, mul_wide<T, W>>(Class::integer);
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
  using U = uint32_t;
  const bool is_signed = s.type() == "s16x2";
  if (s.has("relu") || s.has("sat")) return {};
  if (s.op() == "add") return make_rare_binary<U, U, U, both<uint16_t, add<uint16_t>>>(k);
  if (s.op() == "min" && is_signed) return make_rare_binary<U, U, U, both<int16_t, minimum<int16_t>>>(k);
  if (s.op() == "max" && is_signed) return make_rare_binary<U, U, U, both<int16_t, maximum<int16_t>>>(k);
  if (s.op() == "min") return make_rare_binary<U, U, U, both<uint16_t, minimum<uint16_t>>>(k);
  if (s.op() == "max") return make_rare_binary<U, U, U, both<uint16_t, maximum<uint16_t>>>(k);
  return {};
}

Found find_saturated(const Statement& s) {
  using I = int32_t;
  if (s.type() != "s32") return {};
  if (s.op() == "add") return make_rare_binary<I, I, I, add_saturated>(Class::integer);
  if (s.op() == "sub") return make_rare_binary<I, I, I, sub_saturated>(Class::integer);
  if (s.op() == "mad" && s.has("hi")) return make_rare_ternary<I, I, I, I, mad_hi_saturated>(Class::integer);
  return {};
}

template <class T>
Found find_for(const Statement& s) {
  constexpr auto k = Class::integer;
  const auto op = s.op();
  const bool hi = s.has("hi");
  if (op == "add") return make_binary<T, T, T, add<T>>(k);
  if (op == "sub") return make_binary<T, T, T, sub<T>>(k);
  if (op == "mul" && hi) return make_binary<T, T, T, mul_hi<T>>(k);
  if (op == "mul") return make_binary<T, T, T, mul<T>>(k);
  if (op == "mad" && hi) return make_rare_ternary<T, T, T, T, mad_hi<T>>(k);
  if (op == "mad") return make_ternary<T, T, T, T, mad<T>>(k);
  if (op == "min") return make_binary<T, T, T, minimum<T>>(k);
  if (op == "max") return make_binary<T, T, T, maximum<T>>(k);
  if (op == "div") return make_rare_binary<T, T, T, quotient<T>>(k);
  if (op == "rem") return make_rare_binary<T, T, T, remainder<T>>(k);
  if (op == "neg") return make_unary<T, T, negate<T>>(k);
  if (op == "abs") return make_unary<T, T, absolute<T>>(k);
  if (op == "sad") return make_rare_ternary<T, T, T, T, sad<T>>(k);
  if constexpr (sizeof(T) == 4) {
    if (op == "mul24" && hi) return make_rare_binary<T, T, T, mul24_hi<T>>(k);
    if (op == "mul24") return make_rare_binary<T, T, T, mul24_lo<T>>(k);
    if (op == "mad24" && hi && !s.has("sat")) return make_rare_ternary<T, T, T, T, mad24_hi<T>>(k);
    if (op == "mad24" && !s.has("sat")) return make_rare_ternary<T, T, T, T, mad24_lo<T>>(k);
  }
  return {};
}

}  // namespace

Found find_integer(const Statement& s) {
  if (s.has("cc")) return {};
  if (s.op() == "dp4a" && s.parts.size() == 3) return make_dot<false, false>(s.parts[1] == "s32", s.type() == "s32");
  if (s.op() == "dp2a" && s.parts.size() == 4)
    return s.has("hi") ? make_dot<true, true>(s.parts[2] == "s32", s.type() == "s32")
                       : make_dot<true, false>(s.parts[2] == "s32", s.type() == "s32");
  if (s.has("wide")) return find_wide(s);
  if (s.type() == "u16x2" || s.type() == "s16x2") return find_packed(s);
  if (s.has("sat") && s.op() != "mad24") return find_saturated(s);
  return for_integer(s.type(), [&](auto t) { return find_for<decltype(t)>(s); });
}

}  // namespace roofline::ptx
