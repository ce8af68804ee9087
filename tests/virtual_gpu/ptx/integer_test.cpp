// Integer instructions against scalar references on edge values.
#include <functional>
#include <limits>

#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::integer_test {
namespace {

template <class T>
std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> v{0,
                   1,
                   2,
                   3,
                   5,
                   7,
                   31,
                   32,
                   33,
                   63,
                   64,
                   100,
                   L::max(),
                   static_cast<T>(L::max() - 1),
                   L::min(),
                   static_cast<T>(L::min() + 1),
                   static_cast<T>(-1),
                   static_cast<T>(-2),
                   static_cast<T>(-7),
                   static_cast<T>(0x5a5a5a5a5a5a5a5a),
                   static_cast<T>(0xa5a5a5a5a5a5a5a5),
                   static_cast<T>(L::max() / 3)};
  return v;
}

template <class T>
void check2(const std::string& op, const std::type_identity_t<std::function<T(T, T)>>& expected) {
  const auto [a, b] = pairs(edges<T>(), edges<T>());
  const auto d = each<T, T, T>(op + " %d, %a, %b;", a, b);
  for (std::size_t n = 0; n < a.size(); ++n) ASSERT_EQ(d[n], expected(a[n], b[n])) << op << " " << a[n] << " " << b[n];
}
template <class T, class D = T>
void check1(const std::string& op, const std::type_identity_t<std::function<D(T)>>& expected) {
  const auto a = edges<T>();
  const auto d = each<D, T>(op + " %d, %a;", a);
  for (std::size_t n = 0; n < a.size(); ++n) ASSERT_EQ(d[n], expected(a[n])) << op << " " << a[n];
}

template <class T>
T wrap(__int128 x) {
  return static_cast<T>(x);
}

template <class T>
void check_arithmetic(const std::string& type) {
  using W = __int128;
  check2<T>("add." + type, [](T a, T b) { return wrap<T>(W{a} + b); });
  check2<T>("sub." + type, [](T a, T b) { return wrap<T>(W{a} - b); });
  check2<T>("mul.lo." + type, [](T a, T b) {
    return wrap<T>(static_cast<W>(static_cast<unsigned __int128>(W{a}) * static_cast<unsigned __int128>(W{b})));
  });
  check2<T>("mul.hi." + type, [](T a, T b) {
    if constexpr (std::is_signed_v<T>) return wrap<T>((W{a} * b) >> (8 * sizeof(T)));
    return wrap<T>(static_cast<W>((static_cast<unsigned __int128>(a) * b) >> (8 * sizeof(T))));
  });
  check2<T>("min." + type, [](T a, T b) { return std::min(a, b); });
  check2<T>("max." + type, [](T a, T b) { return std::max(a, b); });
  check2<T>("div." + type, [](T a, T b) { return b == 0 ? static_cast<T>(-1) : wrap<T>(W{a} / b); });
  check2<T>("rem." + type, [](T a, T b) { return b == 0 ? a : wrap<T>(W{a} % b); });
}

TEST(PtxInteger, ArithmeticWrapsAndDividesAsDocumented) {
  check_arithmetic<uint32_t>("u32");
  check_arithmetic<int32_t>("s32");
  check_arithmetic<uint64_t>("u64");
  check_arithmetic<int64_t>("s64");
  check_arithmetic<uint16_t>("u16");
  check_arithmetic<int16_t>("s16");
  check1<int32_t>("abs.s32", [](int32_t a) { return wrap<int32_t>(a < 0 ? -int64_t{a} : a); });
  check1<int64_t>("neg.s64", [](int64_t a) { return wrap<int64_t>(-static_cast<__int128>(a)); });
  check2<int32_t>("add.sat.s32", [](int32_t a, int32_t b) {
    return static_cast<int32_t>(std::clamp<int64_t>(int64_t{a} + b, INT32_MIN, INT32_MAX));
  });
  check2<int32_t>("mul24.lo.s32",
                  [](int32_t a, int32_t b) { return wrap<int32_t>(int64_t{a << 8 >> 8} * (b << 8 >> 8)); });
  check2<uint32_t>("mul24.hi.u32", [](uint32_t a, uint32_t b) {
    return static_cast<uint32_t>((uint64_t{a & 0xffffff} * (b & 0xffffff)) >> 16);
  });
}

TEST(PtxInteger, ShiftsClampTheirCount) {
  check2<uint32_t>("shl.b32", [](uint32_t a, uint32_t b) { return b > 31 ? 0 : a << b; });
  check2<uint32_t>("shr.u32", [](uint32_t a, uint32_t b) { return b > 31 ? 0 : a >> b; });
  check2<int32_t>("shr.s32", [](int32_t a, int32_t b) { return a >> std::min(static_cast<uint32_t>(b), 31u); });
  const auto [a, b] = pairs(edges<int64_t>(), edges<uint32_t>());
  const auto left = each<int64_t, int64_t, uint32_t>("shl.b64 %d, %a, %b;", a, b),
             right = each<int64_t, int64_t, uint32_t>("shr.s64 %d, %a, %b;", a, b);
  for (std::size_t n = 0; n < a.size(); ++n) {
    ASSERT_EQ(left[n],
              b[n] > 63 ? 0 : wrap<int64_t>(static_cast<__int128>(static_cast<unsigned __int128>(a[n]) << b[n])));
    ASSERT_EQ(right[n], a[n] >> std::min(b[n], 63u));
  }
  const auto [low, high] = pairs(edges<uint32_t>(), edges<uint32_t>());
  for (const uint32_t count : {0u, 1u, 31u, 32u, 33u, 64u}) {
    const std::vector<uint32_t> counts(low.size(), count);
    const auto l = each<uint32_t, uint32_t, uint32_t, uint32_t>("shf.l.clamp.b32 %d, %a, %b, %c;", low, high, counts);
    const auto r = each<uint32_t, uint32_t, uint32_t, uint32_t>("shf.r.wrap.b32 %d, %a, %b, %c;", low, high, counts);
    for (std::size_t n = 0; n < low.size(); ++n) {
      const uint64_t both = uint64_t{high[n]} << 32 | low[n];
      ASSERT_EQ(l[n], static_cast<uint32_t>((both << std::min(count, 32u)) >> 32));
      ASSERT_EQ(r[n], static_cast<uint32_t>(both >> (count & 31)));
    }
  }
}

TEST(PtxInteger, BitInstructions) {
  check1<uint32_t>("popc.b32", [](uint32_t a) { return std::popcount(a); });
  check1<uint64_t, uint32_t>("popc.b64", [](uint64_t a) { return std::popcount(a); });
  check1<uint32_t>("clz.b32", [](uint32_t a) { return std::countl_zero(a); });
  check1<uint64_t, uint32_t>("clz.b64", [](uint64_t a) { return std::countl_zero(a); });
  check1<uint32_t>("brev.b32", [](uint32_t a) {
    uint32_t r = 0;
    for (int n = 0; n < 32; ++n) r |= (a >> n & 1) << (31 - n);
    return r;
  });
  check1<uint32_t>("bfind.u32", [](uint32_t a) { return a ? 31u - std::countl_zero(a) : ~0u; });
  check1<int32_t, uint32_t>("bfind.s32", [](int32_t a) {
    const auto u = static_cast<uint32_t>(a < 0 ? ~a : a);
    return u ? 31u - std::countl_zero(u) : ~0u;
  });
  check1<uint32_t>("bfind.shiftamt.u32",
                   [](uint32_t a) { return a ? static_cast<uint32_t>(std::countl_zero(a)) : ~0u; });
  check1<uint32_t>("not.b32", [](uint32_t a) { return ~a; });
  check1<uint32_t>("cnot.b32", [](uint32_t a) { return a == 0; });
  const auto [a, b] = pairs(edges<uint32_t>(), edges<uint32_t>());
  std::vector<uint32_t> c(a.size());
  for (std::size_t n = 0; n < c.size(); ++n) c[n] = static_cast<uint32_t>(0x9e3779b9u * (n + 1));
  const auto majority = each<uint32_t, uint32_t, uint32_t, uint32_t>("lop3.b32 %d, %a, %b, %c, 0xe8;", a, b, c);
  const auto mux = each<uint32_t, uint32_t, uint32_t, uint32_t>("lop3.b32 %d, %a, %b, %c, 0xca;", a, b, c);
  for (std::size_t n = 0; n < a.size(); ++n) {
    ASSERT_EQ(majority[n], (a[n] & b[n]) | (a[n] & c[n]) | (b[n] & c[n]));
    ASSERT_EQ(mux[n], (a[n] & b[n]) | (~a[n] & c[n]));
  }
}

// As the pseudo code of the PTX documentation.
template <class T>
T reference_bfe(T a, uint32_t b, uint32_t c) {
  const int msb = 8 * sizeof(T) - 1, pos = b & 255, len = c & 255;
  const bool sbit = std::is_unsigned_v<T> || len == 0 ? false : a >> std::min(pos + len - 1, msb) & 1;
  T d = 0;
  for (int i = 0; i <= msb; ++i) {
    const bool bit = i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit;
    d |= static_cast<T>(static_cast<T>(bit) << i);
  }
  return d;
}

TEST(PtxInteger, BitFieldsAndPermutations) {
  for (const uint32_t pos : {0u, 3u, 31u, 40u, 70u})
    for (const uint32_t len : {0u, 1u, 8u, 32u, 64u}) {
      const std::string fields = ", " + std::to_string(pos) + ", " + std::to_string(len) + ";";
      check1<uint32_t>("bfe.u32 %d, %a" + fields + "//", [=](uint32_t a) { return reference_bfe(a, pos, len); });
      check1<int32_t>("bfe.s32 %d, %a" + fields + "//", [=](int32_t a) { return reference_bfe(a, pos, len); });
      check1<int64_t>("bfe.s64 %d, %a" + fields + "//", [=](int64_t a) { return reference_bfe(a, pos, len); });
      check1<uint32_t>("bfi.b32 %d, %a, 0x12345678" + fields + "//", [=](uint32_t a) {
        uint32_t d = 0x12345678;
        for (uint32_t i = 0; i < len && pos + i < 32; ++i) d = (d & ~(1u << (pos + i))) | (a >> i & 1) << (pos + i);
        return d;
      });
    }
  check1<uint32_t>("prmt.b32 %d, %a, 0x03020100, 0x4b85;//", [](uint32_t a) {
    const uint32_t byte[8] = {a & 255, a >> 8 & 255, a >> 16 & 255, a >> 24, 0, 1, 2, 3};
    const auto sign = [&](int n) { return byte[n] & 128 ? 255u : 0u; };
    return byte[5] | sign(0) << 8 | sign(3) << 16 | byte[4] << 24;
  });
}

TEST(PtxInteger, CarryChainsAddNumbersOfManyWords) {
  const auto [a, b] = pairs(edges<uint64_t>(), edges<uint64_t>());
  const std::string split = "mov.b64 {%t0, %t1}, %a; mov.b64 {%t2, %t3}, %b;\n";
  const auto sum = each<uint64_t, uint64_t, uint64_t>(
      split + "add.cc.u32 %t4, %t0, %t2; addc.u32 %t5, %t1, %t3; mov.b64 %d, {%t4, %t5};", a, b);
  const auto gap = each<uint64_t, uint64_t, uint64_t>(
      split + "sub.cc.u32 %t4, %t0, %t2; subc.u32 %t5, %t1, %t3; mov.b64 %d, {%t4, %t5};", a, b);
  const auto product =
      each<uint64_t, uint64_t, uint64_t>(split +
                                             "mul.lo.u32 %t4, %t0, %t2; mul.hi.u32 %t5, %t0, %t2; mad.lo.cc.u32 %t5, "
                                             "%t0, %t3, %t5; mad.lo.cc.u32 %t5, %t1, %t2, %t5; mov.b64 %d, {%t4, %t5};",
                                         a, b);
  for (std::size_t n = 0; n < a.size(); ++n) {
    ASSERT_EQ(sum[n], a[n] + b[n]);
    ASSERT_EQ(gap[n], a[n] - b[n]);
    ASSERT_EQ(product[n], a[n] * b[n]);
  }
}

TEST(PtxInteger, ThreeOperands) {
  const auto [a, b] = pairs(edges<int32_t>(), edges<int32_t>());
  std::vector<int32_t> c(a.size(), 12345);
  std::vector<int64_t> wide(a.size(), -7);
  const auto mad = each<int32_t, int32_t, int32_t, int32_t>("mad.lo.s32 %d, %a, %b, %c;", a, b, c);
  const auto sad = each<int32_t, int32_t, int32_t, int32_t>("sad.s32 %d, %a, %b, %c;", a, b, c);
  const auto dot = each<int32_t, int32_t, int32_t, int32_t>("dp4a.s32.s32 %d, %a, %b, %c;", a, b, c);
  const auto full = each<int64_t, int32_t, int32_t, int64_t>("mad.wide.s32 %d, %a, %b, %c;", a, b, wide);
  for (std::size_t n = 0; n < a.size(); ++n) {
    ASSERT_EQ(mad[n], wrap<int32_t>(int64_t{a[n]} * b[n] + c[n]));
    ASSERT_EQ(sad[n], wrap<int32_t>(std::abs(int64_t{a[n]} - b[n]) + c[n]));
    ASSERT_EQ(full[n], int64_t{a[n]} * b[n] - 7);
    int32_t sum = c[n];
    for (int k = 0; k < 4; ++k) sum += static_cast<int8_t>(a[n] >> 8 * k) * static_cast<int8_t>(b[n] >> 8 * k);
    ASSERT_EQ(dot[n], sum);
  }
}

TEST(PtxInteger, ConversionsTruncateExtendAndSaturate) {
  check1<int32_t, int64_t>("cvt.s64.s32", [](int32_t a) { return a; });
  check1<uint32_t, uint64_t>("cvt.u64.u32", [](uint32_t a) { return a; });
  check1<uint64_t, uint32_t>("cvt.u32.u64", [](uint64_t a) { return static_cast<uint32_t>(a); });
  check1<int32_t, int32_t>("cvt.s8.s32 %h0, %a; cvt.s32.s16 %d, %h0;//",
                           [](int32_t a) { return static_cast<int8_t>(a); });
  check1<int32_t, int32_t>("cvt.sat.s8.s32 %t0, %a; mov.b32 %d, %t0;//",
                           [](int32_t a) { return std::clamp(a, -128, 127); });
  check1<int32_t, uint32_t>("cvt.sat.u16.s32 %t0, %a; mov.b32 %d, %t0;//",
                            [](int32_t a) { return static_cast<uint32_t>(std::clamp(a, 0, 65535)); });
  check1<uint32_t, int64_t>("cvt.s64.u32", [](uint32_t a) { return int64_t{a}; });
}

// ld, st and cvt take registers wider than their type.
TEST(PtxInteger, ConversionsTakeTheLowBitsOfAWiderRegister) {
  check1<int64_t, int64_t>("cvt.s64.s8", [](int64_t a) { return static_cast<int8_t>(a); });
  check1<uint64_t, uint64_t>("cvt.u64.u16", [](uint64_t a) { return static_cast<uint16_t>(a); });
  check1<int64_t, int64_t>("cvt.s64.s32", [](int64_t a) { return static_cast<int32_t>(a); });
  check1<uint64_t, uint32_t>("cvt.u32.u8", [](uint64_t a) { return static_cast<uint8_t>(a); });
  check1<uint64_t, int32_t>("cvt.s32.s16", [](uint64_t a) { return static_cast<int16_t>(a); });
  check1<uint64_t, float>("cvt.rn.f32.s16", [](uint64_t a) { return static_cast<int16_t>(a); });
  check1<uint64_t, double>("cvt.rn.f64.u32", [](uint64_t a) { return static_cast<uint32_t>(a); });
}

}  // namespace
}  // namespace roofline::ptx::integer_test
