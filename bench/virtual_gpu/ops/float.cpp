// fp32 and fp64 arithmetic; approximations are the rounded function.
#include <cfenv>

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

template <class T>
constexpr auto add = [](T a, T b) { return a + b; };
template <class T>
constexpr auto sub = [](T a, T b) { return a - b; };
template <class T>
constexpr auto mul = [](T a, T b) { return a * b; };
template <class T>
constexpr auto fma = [](T a, T b, T c) {
  if constexpr (sizeof(T) == 8)
    return __builtin_fma(a, b, c);
  else
    return __builtin_fmaf(a, b, c);
};
template <class T>
constexpr auto divide = [](T a, T b) { return a / b; };
template <class T>
constexpr auto reciprocal = [](T a) { return T{1} / a; };
template <class T>
constexpr auto root = [](T a) { return std::sqrt(a); };
template <class T>
constexpr auto reciprocal_root = [](T a) { return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a))); };
// rcp and rsqrt of fp64 have their result in the upper 32 bits.
constexpr auto coarse_reciprocal = [](double a) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(flush(1.0 / flush(a))) & ~uint64_t{0xffffffff});
};
constexpr auto coarse_reciprocal_root = [](double a) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(flush(1.0 / std::sqrt(flush(a)))) & ~uint64_t{0xffffffff});
};
constexpr auto sine = [](float a) { return std::sin(a); };
constexpr auto cosine = [](float a) { return std::cos(a); };
constexpr auto exponential = [](float a) { return std::exp2(a); };
constexpr auto logarithm = [](float a) { return std::log2(a); };
constexpr auto tangent = [](float a) { return std::tanh(a); };

template <class T>
constexpr auto lesser = [](T a, T b) { return minimum_number(a, b); };
template <class T>
constexpr auto greater = [](T a, T b) { return maximum_number(a, b); };
template <class T>
constexpr auto lesser_nan = [](T a, T b) { return minimum_nan(a, b); };
template <class T>
constexpr auto greater_nan = [](T a, T b) { return maximum_nan(a, b); };
template <class T>
constexpr auto negate = [](T a) { return negated(a); };
template <class T>
constexpr auto absolute = [](T a) { return magnitude(a); };
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
  o.flop = flop;
  o.precision = precision;
  return o;
}

/// f with operands and result as the mode treats them.
template <int mode, auto f, class Call = decltype(&decltype(f)::operator())>
struct Treated;
template <int mode, auto f, class F, class T, class... A>
struct Treated<mode, f, T (F::*)(A...) const> {
  static constexpr auto apply = [](A... x) { return out<T, mode>(f(in<T, mode>(x)...)); };
  static constexpr auto precision = sizeof(T) == 8 ? Precision::fp64 : Precision::fp32;
};
template <int mode, auto f, Way way = Way::vector>
Operation make(FlopKind flop = FlopKind::none) {
  using T = Treated<mode, f>;
  return counted(Elementwise<way, T::apply>::operation(Class::floating), flop, T::precision);
}

template <class T, int mode>
Found find_arithmetic(const Statement& s) {
  const auto op = s.op();
  if (op == "add") return make<mode, add<T>>(FlopKind::add);
  if (op == "sub") return make<mode, sub<T>>(FlopKind::add);
  if (op == "mul") return make<mode, mul<T>>(FlopKind::mul);
  if (op == "fma" || op == "mad") return make<mode, fma<T>>(FlopKind::fma);
  if constexpr ((mode & sat) == 0) {
    const bool nan = s.has("NaN");
    if (op == "div") return make<mode, divide<T>>(FlopKind::special);
    if (op == "rcp") return make<mode, reciprocal<T>>(FlopKind::special);
    if (op == "sqrt") return make<mode, root<T>>(FlopKind::special);
    if (op == "rsqrt") return make<mode, reciprocal_root<T>>(FlopKind::special);
    if (op == "min") return nan ? make<mode, lesser_nan<T>>() : make<mode, lesser<T>>();
    if (op == "max") return nan ? make<mode, greater_nan<T>>() : make<mode, greater<T>>();
    if (op == "neg") return make<mode, negate<T>>();
    if (op == "abs") return make<mode, absolute<T>>();
    if (op == "copysign") return make<mode, copysign<T>>();
  }
  return {};
}

template <int mode>
Found find_transcendental(const Statement& s) {
  const auto op = s.op();
  if (op == "sin") return make<mode, sine, Way::costly>(FlopKind::special);
  if (op == "cos") return make<mode, cosine, Way::costly>(FlopKind::special);
  if (op == "ex2") return make<mode, exponential, Way::costly>(FlopKind::special);
  if (op == "lg2") return make<mode, logarithm, Way::costly>(FlopKind::special);
  if (op == "tanh") return make<plain, tangent, Way::costly>(FlopKind::special);
  return {};
}

Found find_xorsign(const Statement& s) {
  constexpr auto k = Class::floating;
  if (s.op() == "max")
    return s.has("NaN") ? lanewise<xorsign_abs<true, true>>(k) : lanewise<xorsign_abs<true, false>>(k);
  return s.has("NaN") ? lanewise<xorsign_abs<false, true>>(k) : lanewise<xorsign_abs<false, false>>(k);
}

// In the other rounding modes: the host's mode is set for one warp instruction. Slow and rare.
class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;

 private:
  int before_;
};

constexpr int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
constexpr uint8_t mode_bits = 3, flushes = 4, saturates = 8;

// Not inlined, so that nothing moves across the change of the mode.
template <class T, auto f>
[[gnu::noinline]] T compute(T a, T b, T c) {
  const volatile T x = a, y = b, z = c;  // read at run time: nothing is folded
  return f(T{x}, T{y}, T{z});
}

template <class T, auto f>
void rounded(Warp& w, const Instruction& i) {
  const RoundingMode mode(modes[i.flags & mode_bits]);
  const auto source = [&](uint32_t n, int l) {
    const T x = n < i.number ? w.lanes<T>(w.list(i, n))[l] : T{0};
    return i.flags & flushes ? flush(x) : x;
  };
  for (const uint32_t l : Lanes{w.m}) {
    T x = compute<T, f>(source(1, l), source(2, l), source(3, l));
    if (i.flags & flushes) x = flush(x);
    if (i.flags & saturates) x = saturate(x);
    w.lanes<T>(w.list(i, 0))[l] = x;
  }
}

template <class T>
Found find_rounded(const Statement& s) {
  struct Known {
    std::string_view op;
    Execute execute;
    FlopKind flop;
  };
  static const Known all[] = {{"add", rounded<T, [](T x, T y, T) { return x + y; }>, FlopKind::add},
                              {"sub", rounded<T, [](T x, T y, T) { return x - y; }>, FlopKind::add},
                              {"mul", rounded<T, [](T x, T y, T) { return x * y; }>, FlopKind::mul},
                              {"fma", rounded<T, [](T x, T y, T z) { return std::fma(x, y, z); }>, FlopKind::fma},
                              {"mad", rounded<T, [](T x, T y, T z) { return std::fma(x, y, z); }>, FlopKind::fma},
                              {"div", rounded<T, [](T x, T y, T) { return x / y; }>, FlopKind::special},
                              {"rcp", rounded<T, [](T x, T, T) { return T{1} / x; }>, FlopKind::special},
                              {"sqrt", rounded<T, [](T x, T, T) { return std::sqrt(x); }>, FlopKind::special}};
  Operation o;
  o.form = Form::listed;
  o.kind = Class::floating;
  for (const auto& [op, execute, flop] : all)
    if (s.op() == op) {
      o.execute[0] = execute;
      o.flop = flop;
    }
  if (!o.execute[0]) return {};
  o.flags = static_cast<uint8_t>((s.has("rm")   ? 1
                                  : s.has("rp") ? 2
                                                : 0) |
                                 (s.has("ftz") ? flushes : 0) | (s.has("sat") ? saturates : 0));
  o.banks.fill(bank_for<T>);
  o.precision = sizeof(T) == 8 ? Precision::fp64 : Precision::fp32;
  return o;
}

// Two fp32 numbers in 64 bits.
template <auto f, class Call = decltype(&decltype(f)::operator())>
struct Both;
template <auto f, class F, class... A>
struct Both<f, float (F::*)(A...) const> {
  template <class T>
  using Bits64 = uint64_t;
  static float half(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
  static constexpr auto apply = [](Bits64<A>... x) {
    return uint64_t{std::bit_cast<uint32_t>(f(half(x >> 32)...))} << 32 | std::bit_cast<uint32_t>(f(half(x)...));
  };
};
template <auto f>
Operation make_two(FlopKind flop) {
  Operation o = counted(lanewise<Both<f>::apply>(Class::floating), flop, Precision::fp32);
  o.weight = 2;
  return o;
}

Found find_two_floats(const Statement& s) {
  if (s.has("ftz") || s.has("rz") || s.has("rm") || s.has("rp")) return {};
  if (s.op() == "fma") return make_two<fma<float>>(FlopKind::fma);
  if (s.op() == "add") return make_two<add<float>>(FlopKind::add);
  if (s.op() == "sub") return make_two<sub<float>>(FlopKind::add);
  if (s.op() == "mul") return make_two<mul<float>>(FlopKind::mul);
  return {};
}

}  // namespace

Found find_float(const Statement& s) {
  if (s.has("rz") || s.has("rm") || s.has("rp"))
    return s.type() == "f64" ? find_rounded<double>(s) : s.type() == "f32" ? find_rounded<float>(s) : Found{};
  const bool flushes = s.has("ftz"), saturates = s.has("sat");
  if (s.type() == "f32x2") return find_two_floats(s);
  if (s.type() == "f64") {
    if (s.has("approx") && s.op() == "rcp")
      return counted(lanewise<coarse_reciprocal>(Class::floating), FlopKind::special, Precision::fp64);
    if (flushes && s.op() == "rsqrt")
      return counted(lanewise<coarse_reciprocal_root>(Class::floating), FlopKind::special, Precision::fp64);
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
