// fp32 and fp64 arithmetic, rounded to nearest even; approximations are the rounded function.
#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/real.hpp"

namespace roofline::ptx {
namespace {

// How an instruction treats its operands and its result.
enum Mode : int { plain = 0, ftz = 1, sat = 2, ftz_sat = 3 };

template <class T, int mode>
inline T in(T x) {
  if constexpr (mode & ftz)
    return flush(x);
  else
    return x;
}
template <class T, int mode>
inline T out(T x) {
  if constexpr (mode & ftz) x = flush(x);
  if constexpr (mode & sat) x = saturate(x);
  return x;
}

template <class T, int mode>
constexpr auto add = [](T a, T b) { return out<T, mode>(in<T, mode>(a) + in<T, mode>(b)); };
template <class T, int mode>
constexpr auto sub = [](T a, T b) { return out<T, mode>(in<T, mode>(a) - in<T, mode>(b)); };
template <class T, int mode>
constexpr auto mul = [](T a, T b) { return out<T, mode>(in<T, mode>(a) * in<T, mode>(b)); };
template <class T, int mode>
constexpr auto fma = [](T a, T b, T c) {
  if constexpr (sizeof(T) == 8)
    return out<T, mode>(__builtin_fma(in<T, mode>(a), in<T, mode>(b), in<T, mode>(c)));
  else
    return out<T, mode>(__builtin_fmaf(in<T, mode>(a), in<T, mode>(b), in<T, mode>(c)));
};
template <class T, int mode>
constexpr auto divide = [](T a, T b) { return out<T, mode>(in<T, mode>(a) / in<T, mode>(b)); };
template <class T, int mode>
constexpr auto reciprocal = [](T a) { return out<T, mode>(T{1} / in<T, mode>(a)); };
template <class T, int mode>
constexpr auto root = [](T a) { return out<T, mode>(std::sqrt(in<T, mode>(a))); };
template <class T, int mode>
constexpr auto reciprocal_root = [](T a) {
  const T x = in<T, mode>(a);
  return out<T, mode>(static_cast<T>(1.0 / std::sqrt(static_cast<double>(x))));
};
// rcp and rsqrt of fp64 have their result in the upper 32 bits.
constexpr auto coarse_reciprocal = [](double a) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(flush(1.0 / flush(a))) & ~uint64_t{0xffffffff});
};
constexpr auto coarse_reciprocal_root = [](double a) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(flush(1.0 / std::sqrt(flush(a)))) & ~uint64_t{0xffffffff});
};
template <int mode>
constexpr auto sine = [](float a) { return out<float, mode>(std::sin(in<float, mode>(a))); };
template <int mode>
constexpr auto cosine = [](float a) { return out<float, mode>(std::cos(in<float, mode>(a))); };
template <int mode>
constexpr auto exponential = [](float a) { return out<float, mode>(std::exp2(in<float, mode>(a))); };
template <int mode>
constexpr auto logarithm = [](float a) { return out<float, mode>(std::log2(in<float, mode>(a))); };
constexpr auto tangent = [](float a) { return std::tanh(a); };

template <class T, int mode>
constexpr auto lesser = [](T a, T b) { return out<T, mode>(minimum_number(in<T, mode>(a), in<T, mode>(b))); };
template <class T, int mode>
constexpr auto greater = [](T a, T b) { return out<T, mode>(maximum_number(in<T, mode>(a), in<T, mode>(b))); };
template <class T, int mode>
constexpr auto lesser_nan = [](T a, T b) { return out<T, mode>(minimum_nan(in<T, mode>(a), in<T, mode>(b))); };
template <class T, int mode>
constexpr auto greater_nan = [](T a, T b) { return out<T, mode>(maximum_nan(in<T, mode>(a), in<T, mode>(b))); };
template <class T, int mode>
constexpr auto negate = [](T a) { return negated(in<T, mode>(a)); };
template <class T, int mode>
constexpr auto absolute = [](T a) { return magnitude(in<T, mode>(a)); };
template <class T>
constexpr auto copysign = [](T a, T b) { return signed_like(a, b); };
template <bool most, bool nan>
constexpr auto xorsign_abs = [](float a, float b) {
  const float sign = std::bit_cast<float>((std::bit_cast<uint32_t>(a) ^ std::bit_cast<uint32_t>(b)) & sign_bit<float>);
  const float x = magnitude(a), y = magnitude(b);
  const float r =
      most ? (nan ? maximum_nan(x, y) : maximum_number(x, y)) : (nan ? minimum_nan(x, y) : minimum_number(x, y));
  return signed_like(sign, r);
};

Operation counted(Operation o, FlopKind flop, Precision precision) {
  o.flop = flop, o.precision = precision;
  return o;
}

template <class T, int mode>
Found find_arithmetic(const Statement& s) {
  constexpr auto k = Class::floating;
  constexpr auto precision = sizeof(T) == 8 ? Precision::fp64 : Precision::fp32;
  const auto op = s.op();
  if (op == "add") return counted(make_binary<T, T, T, add<T, mode>>(k), FlopKind::add, precision);
  if (op == "sub") return counted(make_binary<T, T, T, sub<T, mode>>(k), FlopKind::add, precision);
  if (op == "mul") return counted(make_binary<T, T, T, mul<T, mode>>(k), FlopKind::mul, precision);
  if (op == "fma" || op == "mad") return counted(make_ternary<T, T, T, T, fma<T, mode>>(k), FlopKind::fma, precision);
  if constexpr ((mode & sat) == 0) {
    const bool nan = s.has("NaN");
    if (op == "div") return counted(make_binary<T, T, T, divide<T, mode>>(k), FlopKind::special, precision);
    if (op == "rcp") return counted(make_unary<T, T, reciprocal<T, mode>>(k), FlopKind::special, precision);
    if (op == "sqrt") return counted(make_unary<T, T, root<T, mode>>(k), FlopKind::special, precision);
    if (op == "rsqrt") return counted(make_unary<T, T, reciprocal_root<T, mode>>(k), FlopKind::special, precision);
    if (op == "min")
      return nan ? make_binary<T, T, T, lesser_nan<T, mode>>(k) : make_binary<T, T, T, lesser<T, mode>>(k);
    if (op == "max")
      return nan ? make_binary<T, T, T, greater_nan<T, mode>>(k) : make_binary<T, T, T, greater<T, mode>>(k);
    if (op == "neg") return make_unary<T, T, negate<T, mode>>(k);
    if (op == "abs") return make_unary<T, T, absolute<T, mode>>(k);
    if (op == "copysign") return make_binary<T, T, T, copysign<T>>(k);
  }
  return {};
}

template <int mode>
Found find_transcendental(const Statement& s) {
  constexpr auto k = Class::floating;
  using F = float;
  const auto op = s.op();
  const auto special = [](Operation o) { return counted(o, FlopKind::special, Precision::fp32); };
  if (op == "sin") return special(make_unary<F, F, sine<mode>, false>(k));
  if (op == "cos") return special(make_unary<F, F, cosine<mode>, false>(k));
  if (op == "ex2") return special(make_unary<F, F, exponential<mode>, false>(k));
  if (op == "lg2") return special(make_unary<F, F, logarithm<mode>, false>(k));
  if (op == "tanh") return special(make_unary<F, F, tangent, false>(k));
  return {};
}

Found find_xorsign(const Statement& s) {
  constexpr auto k = Class::floating;
  using F = float;
  if (s.op() == "max")
    return s.has("NaN") ? make_binary<F, F, F, xorsign_abs<true, true>>(k)
                        : make_binary<F, F, F, xorsign_abs<true, false>>(k);
  return s.has("NaN") ? make_binary<F, F, F, xorsign_abs<false, true>>(k)
                      : make_binary<F, F, F, xorsign_abs<false, false>>(k);
}

// Two fp32 numbers in 64 bits.
template <int which>
constexpr auto pair_of_floats = [](uint64_t a, uint64_t b, uint64_t c) {
  const auto one = [](uint64_t x, uint64_t y, uint64_t z) {
    const auto f = [](uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); };
    const float r = which == 0   ? f(x) + f(y)
                    : which == 1 ? f(x) * f(y)
                    : which == 2 ? __builtin_fmaf(f(x), f(y), f(z))
                                 : f(x) - f(y);
    return std::bit_cast<uint32_t>(r);
  };
  return uint64_t{one(a >> 32, b >> 32, c >> 32)} << 32 | one(a, b, c);
};
template <int which>
constexpr auto two_floats = [](uint64_t a, uint64_t b) { return pair_of_floats<which>(a, b, 0); };

Found find_two_floats(const Statement& s) {
  using U = uint64_t;
  if (s.has("ftz") || s.has("rz") || s.has("rm") || s.has("rp")) return {};
  Operation o;
  if (s.op() == "fma")
    o = counted(make_ternary<U, U, U, U, pair_of_floats<2>>(Class::floating), FlopKind::fma, Precision::fp32);
  else if (s.op() == "add")
    o = counted(make_binary<U, U, U, two_floats<0>>(Class::floating), FlopKind::add, Precision::fp32);
  else if (s.op() == "sub")
    o = counted(make_binary<U, U, U, two_floats<3>>(Class::floating), FlopKind::add, Precision::fp32);
  else if (s.op() == "mul")
    o = counted(make_binary<U, U, U, two_floats<1>>(Class::floating), FlopKind::mul, Precision::fp32);
  else
    return {};
  o.weight = 2;
  return o;
}

}  // namespace

Found find_float(const Statement& s) {
  if (s.has("rz") || s.has("rm") || s.has("rp")) return find_rounded(s);
  const bool flushes = s.has("ftz"), saturates = s.has("sat");
  if (s.type() == "f32x2") return find_two_floats(s);
  if (s.type() == "f64") {
    if (s.has("approx") && s.op() == "rcp")
      return counted(make_unary<double, double, coarse_reciprocal>(Class::floating), FlopKind::special,
                     Precision::fp64);
    if (flushes && s.op() == "rsqrt")
      return counted(make_unary<double, double, coarse_reciprocal_root>(Class::floating), FlopKind::special,
                     Precision::fp64);
    return find_arithmetic<double, plain>(s);
  }
  if (s.type() != "f32" || s.operands.size() > 4) return {};
  if ((s.op() == "min" || s.op() == "max") && (s.has("xorsign") || s.operands.size() != 3))
    return s.operands.size() == 3 ? find_xorsign(s) : Found{};
  if (const Found found = flushes ? find_transcendental<ftz>(s) : find_transcendental<plain>(s)) return found;
  if (flushes) return saturates ? find_arithmetic<float, ftz_sat>(s) : find_arithmetic<float, ftz>(s);
  return saturates ? find_arithmetic<float, sat>(s) : find_arithmetic<float, plain>(s);
}

}  // namespace roofline::ptx
