// Floating-point instructions against scalar references on edge values: bit by bit, rounding modes included.
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::float_test {
namespace {

template <class T>
std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  const T one_and_a_bit = 1 + L::epsilon();
  std::vector<T> v{L::min(),      -L::min(),      L::denorm_min(), L::min() / 4, L::max(),     -L::max(),
                   L::infinity(), -L::infinity(), L::quiet_NaN(),  L::epsilon(), one_and_a_bit};
  for (const double x : {0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.3, 0.1, 1e30, 7.0 / 3}) v.push_back(static_cast<T>(x));
  return v;
}

template <class T>
T flushed(T x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(T{0}, x) : x;
}

template <class T>
void check2(const std::string& op, const std::type_identity_t<std::function<T(T, T)>>& expected) {
  const auto [a, b] = pairs(edges<T>(), edges<T>());
  check<T>(op + " %d, %a, %b;", expected, a, b);
}
template <class D, class A>
void check1(const std::string& op, const std::vector<A>& a, const std::type_identity_t<std::function<D(A)>>& expected) {
  check<D>(op + " %d, %a;", expected, a);
}

/// The result of `op` in a rounding mode. It is called, not inlined, so that all of it is computed in this mode.
template <class T, class... A>
[[gnu::noipa]] T rounded(int mode, T (*op)(A...), std::type_identity_t<A>... operands) {
  std::fesetround(mode);
  const T x = op(operands...);
  std::fesetround(FE_TONEAREST);
  return x;
}

template <class T>
void check_modes(const std::string& type) {
  const std::pair<const char*, T (*)(T, T)> operations[] = {{"add", [](T a, T b) { return a + b; }},
                                                            {"mul", [](T a, T b) { return a * b; }},
                                                            {"div", [](T a, T b) { return a / b; }}};
  for (const auto& [name, mode] :
       {std::pair{".rn.", FE_TONEAREST}, {".rz.", FE_TOWARDZERO}, {".rm.", FE_DOWNWARD}, {".rp.", FE_UPWARD}}) {
    const std::string end = name + type;
    for (const auto& [operation, op] : operations)
      check2<T>(operation + end, [m = mode, f = op](T a, T b) { return rounded(m, f, a, b); });
    check1<T, T>("sqrt" + end, edges<T>(), [m = mode](T a) {
      return rounded(
          m, +[](T x) { return std::sqrt(x); }, a);
    });
    const auto [a, b] = pairs(edges<T>(), edges<T>());
    const std::vector<T> c(a.size(), T(-0.3));
    const auto fused = +[](T x, T y, T z) { return std::fma(x, y, z); };
    check<T>(
        "fma" + end + " %d, %a, %b, %c;", [=, m = mode](T x, T y, T z) { return rounded(m, fused, x, y, z); }, a, b, c);
  }
}

TEST(PtxFloat, RoundsAsItsModeSays) {
  check_modes<float>("f32");
  check_modes<double>("f64");
}

TEST(PtxFloat, FlushesSubnormalsAndSaturatesWhereAsked) {
  check2<float>("add.ftz.f32", [](float a, float b) { return flushed(flushed(a) + flushed(b)); });
  check2<float>("mul.ftz.f32", [](float a, float b) { return flushed(flushed(a) * flushed(b)); });
  check2<float>("add.sat.f32", [](float a, float b) {
    const float x = a + b;
    return x != x || x <= 0 ? 0.0f : std::min(x, 1.0f);
  });
  check2<float>("sub.rz.ftz.f32", [](float a, float b) {
    return flushed(rounded(
        FE_TOWARDZERO, +[](float x, float y) { return x - y; }, flushed(a), flushed(b)));
  });
}

TEST(PtxFloat, MinimumAndMaximumOrderZerosAndSkipNaN) {
  const auto least = [](auto a, auto b) {
    return a != a ? b : b != b ? a : std::signbit(a) == std::signbit(b) ? std::min(a, b) : std::signbit(a) ? a : b;
  };
  const auto most = [](auto a, auto b) {
    return a != a ? b : b != b ? a : std::signbit(a) == std::signbit(b) ? std::max(a, b) : std::signbit(a) ? b : a;
  };
  check2<float>("min.f32", least);
  check2<double>("min.f64", least);
  check2<float>("max.f32", most);
  check2<double>("max.f64", most);
  check2<float>("max.NaN.f32", [&](float a, float b) { return a != a || b != b ? NAN : most(a, b); });
  check2<double>("copysign.f64", [](double a, double b) { return std::copysign(b, a); });
}

TEST(PtxFloat, ApproximationsStayWithinTheirDocumentedError) {
  std::vector<float> x;
  for (int n = -60; n <= 60; ++n) x.push_back(static_cast<float>(n) * 0.05f);
  const auto near = [&](const std::string& op, double (*f)(double), double absolute, double relative) {
    const auto d = each<float, float>(op + " %d, %a;", x);
    for (std::size_t n = 0; n < x.size(); ++n) {
      const double e = f(x[n]);
      if (std::isnan(e)) {
        EXPECT_TRUE(std::isnan(d[n])) << op << x[n];
      } else if (std::isfinite(e)) {
        EXPECT_LE(std::fabs(d[n] - e), absolute + relative * std::fabs(e)) << op << " " << x[n];
      }
    }
  };
  near("sin.approx.f32", std::sin, 0x1p-20, 0);
  near("cos.approx.f32", std::cos, 0x1p-20, 0);
  near("ex2.approx.f32", std::exp2, 0, 0x1p-22);
  near("lg2.approx.f32", std::log2, 0x1p-22, 0x1p-22);
  near("tanh.approx.f32", std::tanh, 0, 0x1p-11);
  near(
      "rcp.approx.f32", [](double v) { return 1 / v; }, 0, 0x1p-23);
  near(
      "rsqrt.approx.f32", [](double v) { return 1 / std::sqrt(v); }, 0, 0x1p-22);
  near(
      "sqrt.approx.f32", [](double v) { return std::sqrt(v); }, 0, 0x1p-23);
}

TEST(PtxFloat, ConversionsRoundClampAndKeepSigns) {
  auto reals = edges<float>();
  for (const float x :
       {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 2147483648.0f, -2147483648.0f, 4294967296.0f, 255.5f, 300.0f, -3e9f})
    reals.push_back(x);
  const auto clamp = [](double x, auto low, auto high) -> decltype(high) {
    return x != x                          ? 0
           : x < static_cast<double>(low)  ? low
           : x > static_cast<double>(high) ? high
                                           : static_cast<decltype(high)>(x);
  };
  check1<int32_t, float>("cvt.rzi.s32.f32", reals, [&](float a) { return clamp(std::trunc(a), INT32_MIN, INT32_MAX); });
  check1<int32_t, float>("cvt.rni.s32.f32", reals,
                         [&](float a) { return clamp(std::nearbyint(a), INT32_MIN, INT32_MAX); });
  check1<int32_t, float>("cvt.rmi.s32.f32", reals, [&](float a) { return clamp(std::floor(a), INT32_MIN, INT32_MAX); });
  check1<uint32_t, float>("cvt.rpi.u32.f32", reals, [&](float a) { return clamp(std::ceil(a), 0u, UINT32_MAX); });
  check1<float, float>("cvt.rni.f32.f32", reals, [](float a) { return std::nearbyint(a); });
  check1<double, float>("cvt.f64.f32", reals, [](float a) { return double{a}; });
  std::vector<double> doubles;
  for (const float x : reals) doubles.push_back(double{x} * (1 + 0x1p-30)), doubles.push_back(x);
  check1<float, double>("cvt.rn.f32.f64", doubles, [](double a) { return static_cast<float>(a); });
  for (const auto& [name, mode] :
       {std::pair{"rz", FE_TOWARDZERO}, std::pair{"rm", FE_DOWNWARD}, std::pair{"rp", FE_UPWARD}}) {
    check1<float, double>("cvt." + std::string(name) + ".f32.f64", doubles, [m = mode](double a) {
      return rounded(
          m, +[](double x) { return static_cast<float>(x); }, a);
    });
  }
  const std::vector<int64_t> integers{0, 1, -1, 16777217, -16777217, INT64_MAX, INT64_MIN, 9007199254740993};
  check1<float, int64_t>("cvt.rn.f32.s64", integers, [](int64_t a) { return static_cast<float>(a); });
  check1<double, int64_t>("cvt.rz.f64.s64", integers, [](int64_t a) {
    return rounded(
        FE_TOWARDZERO, +[](int64_t x) { return static_cast<double>(x); }, a);
  });
  check1<uint64_t, double>("cvt.rzi.u64.f64", doubles, [&](double a) {
    return a != a ? uint64_t{1} << 63 : a >= 0x1p64 ? ~uint64_t{0} : a <= 0 ? 0 : static_cast<uint64_t>(a);
  });
}

TEST(PtxFloat, ComparisonsTreatNaNAsTheirNameSays) {
  const auto [a, b] = pairs(edges<float>(), edges<float>());
  const std::pair<const char*, std::function<bool(float, float)>> tests[] = {
      {"eq", [](float x, float y) { return x == y; }},
      {"ne", [](float x, float y) { return x == x && y == y && x != y; }},
      {"lt", [](float x, float y) { return x < y; }},
      {"ge", [](float x, float y) { return x >= y; }},
      {"equ", [](float x, float y) { return !(x < y || x > y); }},
      {"neu", [](float x, float y) { return x != y; }},
      {"ltu", [](float x, float y) { return !(x >= y); }},
      {"gtu", [](float x, float y) { return !(x <= y); }},
      {"num", [](float x, float y) { return x == x && y == y; }},
      {"nan", [](float x, float y) { return x != x || y != y; }}};
  for (const auto& [name, holds] : tests) {
    const std::string test = name;
    check<uint32_t>(
        "setp." + test + ".f32 %p|%p2, %a, %b; selp.b32 %t0, 1, 0, %p; selp.b32 %d, 2, %t0, %p2;",
        [h = holds](float x, float y) { return h(x, y) ? 1 : 2; }, a, b);
    check<uint32_t>(
        "setp.gt.f32 %p2, %a, 0f00000000; setp." + test + ".or.f32 %p, %a, %b, !%p2; selp.b32 %d, 1, 0, %p;",
        [h = holds](float x, float y) { return h(x, y) || !(x > 0); }, a, b);
    check<uint32_t>(
        "set." + test + ".u32.f32 %d, %a, %b;", [h = holds](float x, float y) { return h(x, y) ? ~0u : 0u; }, a, b);
  }
}

}  // namespace
}  // namespace roofline::ptx::float_test
