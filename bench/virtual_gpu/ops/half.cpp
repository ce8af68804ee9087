// Arithmetic on fp16 and bf16, single and in pairs.
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

enum class Kind : int { add, sub, mul, fma, min, max, min_nan, max_nan, neg, abs, ex2, tanh, copysign, lg2, rcp };
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

template <class H, Kind kind>
[[gnu::always_inline]] inline uint32_t compute(uint32_t a, uint32_t b, uint32_t c) {
  const float x = H::get(a), y = H::get(b);
  switch (kind) {
    case Kind::add:
      return H::put(x + y);
    case Kind::sub:
      return H::put(x - y);
    case Kind::mul:
      return H::put(x * y);
    case Kind::fma:
      return H::fma(a, b, c);
    case Kind::min:
      return H::put(minimum_number(x, y));
    case Kind::max:
      return H::put(maximum_number(x, y));
    case Kind::min_nan:
      return H::put(minimum_nan(x, y));
    case Kind::max_nan:
      return H::put(maximum_nan(x, y));
    case Kind::neg:
      return a ^ 0x8000u;
    case Kind::abs:
      return a & 0x7fffu;
    case Kind::ex2:
      return H::put(std::exp2(x));
    case Kind::lg2:
      return H::put(std::log2(x));
    case Kind::tanh:
      return H::put(std::tanh(x));
    case Kind::rcp:
      return H::put(1.0f / x);
    case Kind::copysign:
      return (a & 0x8000u) | (b & 0x7fffu);
  }
  return 0;
}
template <class H, Kind kind, int mode>
[[gnu::always_inline]] inline uint32_t one(uint32_t a, uint32_t b, uint32_t c) {
  return finish<H, mode>(
      compute<H, kind>(adjust<H, mode>(a & 0xffffu), adjust<H, mode>(b & 0xffffu), adjust<H, mode>(c & 0xffffu)));
}
template <class H, Kind kind, int mode, bool two>
constexpr auto apply3 = [](uint32_t a, uint32_t b, uint32_t c) __attribute__((always_inline)) {
  const uint32_t low = one<H, kind, mode>(a, b, c);
  if constexpr (two) return low | one<H, kind, mode>(a >> 16, b >> 16, c >> 16) << 16;
  return low;
};
template <class H, Kind kind, int mode, bool two>
constexpr auto apply2 = [](uint32_t a, uint32_t b) __attribute__((always_inline)) {
  return apply3<H, kind, mode, two>(a, b, 0);
};
template <class H, Kind kind, int mode, bool two>
constexpr auto apply1 = [](uint32_t a) { return apply3<H, kind, mode, two>(a, 0, 0); };

template <class H, Kind kind, int mode, bool two>
Operation make() {
  using U = uint32_t;
  constexpr auto k = Class::floating;
  Operation o;
  if constexpr (kind == Kind::fma) {
    if constexpr (mode == plain)
      o = make_ternary<U, U, U, U, apply3<H, kind, mode, two>, two>(k);
    else
      o = make_rare_ternary<U, U, U, U, apply3<H, kind, mode, two>>(k);
    o.flop = FlopKind::fma;
  } else if constexpr (kind <= Kind::max_nan || kind == Kind::copysign) {
    if constexpr (mode == plain && kind <= Kind::mul)
      o = make_binary<U, U, U, apply2<H, kind, mode, two>>(k);
    else
      o = make_rare_binary<U, U, U, apply2<H, kind, mode, two>>(k);
    o.flop = kind <= Kind::sub ? FlopKind::add : kind == Kind::mul ? FlopKind::mul : FlopKind::none;
  } else {
    constexpr bool bitwise = kind == Kind::neg || kind == Kind::abs;
    o = make_rare_unary<U, U, apply1<H, kind, mode, two>>(k);
    o.flop = bitwise ? FlopKind::none : FlopKind::special;
  }
  o.precision = H::precision;
  o.weight = two ? 2 : 1;
  return o;
}

template <class H, int mode, bool two>
Found find_kind(const Statement& s) {
  const auto op = s.op();
  const bool nan = s.has("NaN");
  if (op == "add") return make<H, Kind::add, mode, two>();
  if (op == "sub") return make<H, Kind::sub, mode, two>();
  if (op == "mul") return make<H, Kind::mul, mode, two>();
  if (op == "fma") return make<H, Kind::fma, mode, two>();
  if constexpr (mode <= ftz) {
    if (op == "min") return nan ? make<H, Kind::min_nan, mode, two>() : make<H, Kind::min, mode, two>();
    if (op == "max") return nan ? make<H, Kind::max_nan, mode, two>() : make<H, Kind::max, mode, two>();
    if (op == "neg") return make<H, Kind::neg, mode, two>();
    if (op == "abs") return make<H, Kind::abs, mode, two>();
    if (op == "ex2") return make<H, Kind::ex2, mode, two>();
    if (op == "tanh") return make<H, Kind::tanh, mode, two>();
    if (op == "copysign") return make<H, Kind::copysign, mode, two>();
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

}  // namespace

Found find_half(const Statement& s) {
  const auto type = s.type();
  if (type == "f16") return find_mode<Fp16, false>(s);
  if (type == "f16x2") return find_mode<Fp16, true>(s);
  if (type == "bf16") return find_mode<Bf16, false>(s);
  if (type == "bf16x2") return find_mode<Bf16, true>(s);
  return {};
}

}  // namespace roofline::ptx
