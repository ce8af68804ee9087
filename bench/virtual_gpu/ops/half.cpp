// Arithmetic on fp16 and bf16, single and in pairs; conversions of 8-bit floating point.
#include "bench/virtual_gpu/ops/half.hpp"

#include <cmath>

#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/real.hpp"

namespace roofline::ptx {
namespace {

struct Fp16 {
  [[gnu::always_inline]] static float get(uint32_t x) { return half_to_float(x); }
  [[gnu::always_inline]] static uint32_t put(float x) { return float_to_half(x); }
  static constexpr uint32_t exponent = 0x7c00, nan = 0x7fff;
  static constexpr auto precision = Precision::fp16;
  // The product is exact in fp32, 22 bits from 2^-48 to 2^32, and so is what its sum with c lacks. Rounded to odd the
  // sum has 13 bits more than the result, which is enough for one rounding more.
  [[gnu::always_inline]] static uint32_t fma(uint32_t a, uint32_t b, uint32_t c) {
    const float product = get(a) * get(b), addend = get(c);
    const float sum = product + addend, part = sum - product;
    const float error = (product - (sum - part)) + (addend - part);
    return put(odd(sum, error));
  }
  /// x with a last bit that says whether it lacks something: `error`, of which only the sign matters.
  [[gnu::always_inline]] static float odd(float x, float error) {
    const auto bits = std::bit_cast<uint32_t>(x);
    const uint32_t change = uint32_t{error != 0.0f} & uint32_t{error == error} & ~bits & 1u;
    const uint32_t towards_zero = (bits ^ std::bit_cast<uint32_t>(error)) >> 31;  // zeros have a sign, too
    return std::bit_cast<float>(bits + (change ? 1u - 2u * towards_zero : 0u));
  }
};
struct Bf16 {
  [[gnu::always_inline]] static float get(uint32_t x) { return bfloat_to_float(x & 0xffffu); }
  [[gnu::always_inline]] static uint32_t put(float x) { return float_to_bfloat(x); }
  static constexpr uint32_t exponent = 0x7f80, nan = 0x7fff;
  static constexpr auto precision = Precision::bf16;
  [[gnu::always_inline]] static uint32_t fma(uint32_t a, uint32_t b, uint32_t c) {
    const double product = double{get(a)} * double{get(b)}, addend = get(c);  // exact: 16 bits
    const double sum = product + addend, part = sum - product;
    const double error = (product - (sum - part)) + (addend - part);
    const double whole = to_odd(sum, error);
    const auto narrow = static_cast<float>(whole);
    constexpr double visible = 0x1p200;  // what is lost may be too small for fp32
    return put(Fp16::odd(narrow, static_cast<float>((whole - double{narrow}) * visible)));
  }
};

enum Mode : int { plain = 0, ftz = 1, sat = 2, relu = 4 };

template <class H, int mode>
[[gnu::always_inline]] inline uint32_t adjust(uint32_t x) {
  if constexpr (mode & ftz) x = (x & H::exponent) == 0 ? x & 0x8000u : x;
  return x;
}
template <class H, int mode>
[[gnu::always_inline]] inline uint32_t finish(uint32_t x) {
  x = adjust<H, mode>(x);
  const bool is_nan = (x & 0x7fffu) > H::exponent;
  constexpr uint32_t one = H::exponent == 0x7c00 ? 0x3c00 : 0x3f80;
  if constexpr (mode & sat) x = is_nan || x & 0x8000u ? 0u : x > one ? one : x;
  if constexpr (mode & relu) x = is_nan ? H::nan : x & 0x8000u ? 0u : x;
  return x;
}

template <class H>
constexpr auto add = [](uint32_t a, uint32_t b) { return H::put(H::get(a) + H::get(b)); };
template <class H>
constexpr auto sub = [](uint32_t a, uint32_t b) { return H::put(H::get(a) - H::get(b)); };
template <class H>
constexpr auto mul = [](uint32_t a, uint32_t b) { return H::put(H::get(a) * H::get(b)); };
template <class H>
constexpr auto fma = [](uint32_t a, uint32_t b, uint32_t c) __attribute__((always_inline)) {
  return H::fma(a, b, c);
};
template <class H>
constexpr auto lesser = [](uint32_t a, uint32_t b) { return H::put(minimum_number(H::get(a), H::get(b))); };
template <class H>
constexpr auto greater = [](uint32_t a, uint32_t b) { return H::put(maximum_number(H::get(a), H::get(b))); };
template <class H>
constexpr auto lesser_nan = [](uint32_t a, uint32_t b) { return H::put(minimum_nan(H::get(a), H::get(b))); };
template <class H>
constexpr auto greater_nan = [](uint32_t a, uint32_t b) { return H::put(maximum_nan(H::get(a), H::get(b))); };
template <class H>
constexpr auto exponential = [](uint32_t a) { return H::put(std::exp2(H::get(a))); };
template <class H>
constexpr auto tangent = [](uint32_t a) { return H::put(std::tanh(H::get(a))); };
constexpr auto negate = [](uint32_t a) { return a ^ 0x8000u; };
constexpr auto absolute = [](uint32_t a) { return a & 0x7fffu; };
constexpr auto copysign = [](uint32_t a, uint32_t b) { return (a & 0x8000u) | (b & 0x7fffu); };

/// f of the numbers in the low half of each operand, and of those in the high half where there are `two`.
template <class H, auto f, int mode, bool two, class Call = decltype(&decltype(f)::operator())>
struct Halves;
template <class H, auto f, int mode, bool two, class F, class... U>
struct Halves<H, f, mode, two, uint32_t (F::*)(U...) const> {
  [[gnu::always_inline]] static uint32_t one(U... x) { return finish<H, mode>(f(adjust<H, mode>(x & 0xffffu)...)); }
  static constexpr auto apply = [](U... x) __attribute__((always_inline)) {
    const uint32_t low = one(x...);
    if constexpr (two) return low | one((x >> 16)...) << 16;
    return low;
  };
};

/// `way` in the plain mode.
template <class H, auto f, int mode, bool two, Way way = Way::rare>
Operation make(FlopKind flop = FlopKind::none) {
  Operation o = Elementwise < mode == plain ? way : Way::rare,
            Halves<H, f, mode, two>::apply > ::operation(Class::floating);
  o.flop = flop;
  o.precision = H::precision;
  o.weight = two ? 2 : 1;
  return o;
}

template <class H, int mode, bool two>
Found find_kind(const Statement& s) {
  const auto op = s.op();
  const bool nan = s.has("NaN");
  if (op == "add") return make<H, add<H>, mode, two, Way::vector>(FlopKind::add);
  if (op == "sub") return make<H, sub<H>, mode, two, Way::vector>(FlopKind::add);
  if (op == "mul") return make<H, mul<H>, mode, two, Way::vector>(FlopKind::mul);
  if (op == "fma") return make < H, fma<H>, mode, two, two ? Way::vector : Way::costly > (FlopKind::fma);
  if constexpr (mode <= ftz) {
    if (op == "min") return nan ? make<H, lesser_nan<H>, mode, two>() : make<H, lesser<H>, mode, two>();
    if (op == "max") return nan ? make<H, greater_nan<H>, mode, two>() : make<H, greater<H>, mode, two>();
    if (op == "neg") return make<H, negate, mode, two>();
    if (op == "abs") return make<H, absolute, mode, two>();
    if (op == "copysign") return make<H, copysign, mode, two>();
    if (op == "ex2") return make<H, exponential<H>, mode, two>(FlopKind::special);
    if (op == "tanh") return make<H, tangent<H>, mode, two>(FlopKind::special);
  }
  return {};
}

template <class H, bool two>
Found find_mode(const Statement& s) {
  if (s.has("xorsign") || s.has("oob")) return {};
  if (s.has("relu")) return s.has("ftz") ? find_kind<H, ftz | relu, two>(s) : find_kind<H, relu, two>(s);
  if (s.has("sat")) return s.has("ftz") ? find_kind<H, ftz | sat, two>(s) : find_kind<H, sat, two>(s);
  return s.has("ftz") ? find_kind<H, ftz, two>(s) : find_kind<H, plain, two>(s);
}

// To a format with `mantissa` bits, least normal exponent `least`, largest finite `most`; the sign aside.
uint8_t to_small(float x, int mantissa, int least, float most, uint8_t largest) {
  if (x >= most) return largest;
  if (x == 0) return 0;
  int exponent = 0;
  std::frexp(x, &exponent);  // x = f * 2^exponent, f in [0.5, 1)
  const int e = std::max(exponent - 1, least);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(x, mantissa - e)));
  // A carry out of the mantissa raises the exponent by itself.
  const int code = ((e - least) << mantissa) + units;
  return static_cast<uint8_t>(std::min<int>(code, largest));
}

float from_small(uint32_t code, int mantissa, int least) {
  const uint32_t fraction = code & ((1u << mantissa) - 1), field = code >> mantissa;
  if (field == 0) return std::ldexp(static_cast<float>(fraction), least - mantissa);
  return std::ldexp(static_cast<float>(fraction | 1u << mantissa), static_cast<int>(field) - 1 + least - mantissa);
}

}  // namespace

float narrow_to_odd(double x) {
  const auto y = static_cast<float>(x);
  if (static_cast<double>(y) == x || y != y || std::isinf(y)) return y;
  const auto bits = std::bit_cast<uint32_t>(y);
  if (bits & 1) return y;
  const bool grow = std::fabs(x) > std::fabs(static_cast<double>(y));
  return std::bit_cast<float>(grow ? bits + 1 : bits - 1);
}

uint8_t float_to_e4m3(float x) {
  const uint8_t sign = std::signbit(x) ? 0x80 : 0;
  if (x != x) return 0x7f;
  return sign | to_small(std::fabs(x), 3, -6, 448.0f, 0x7e);
}
uint8_t float_to_e5m2(float x) {
  const uint8_t sign = std::signbit(x) ? 0x80 : 0;
  if (x != x) return 0x7f;
  return sign | to_small(std::fabs(x), 2, -14, 57344.0f, 0x7b);
}
float e4m3_to_float(uint8_t x) {
  const uint32_t code = x & 0x7fu;
  const float a = code == 0x7f ? NAN : from_small(code, 3, -6);
  return x & 0x80 ? -a : a;
}
float e5m2_to_float(uint8_t x) {
  const uint32_t code = x & 0x7fu;
  const float a = code > 0x7c ? NAN : code == 0x7c ? INFINITY : from_small(code, 2, -14);
  return x & 0x80 ? -a : a;
}

Found find_half(const Statement& s) {
  const auto type = s.type();
  if (type == "f16") return find_mode<Fp16, false>(s);
  if (type == "f16x2") return find_mode<Fp16, true>(s);
  if (type == "bf16") return find_mode<Bf16, false>(s);
  if (type == "bf16x2") return find_mode<Bf16, true>(s);
  return {};
}

}  // namespace roofline::ptx
