// Integer instructions against scalar references on edge values.
#include <limits>

#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::integer_test {
namespace {

template <class T>
std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> v{L::max(), L::min(), L::max() - 1, L::min() + 1, L::max() / 3};
  for (const int64_t x : {0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 100, -1, -2, -7}) v.push_back(static_cast<T>(x));
  for (const uint64_t x : {0x5a5a5a5a5a5a5a5au, 0xa5a5a5a5a5a5a5a5u}) v.push_back(static_cast<T>(x));
  return v;
}

template <class T>
void check2(const std::string& op, const std::type_identity_t<std::function<T(T, T)>>& expected) {
  const auto [a, b] = pairs(edges<T>(), edges<T>());
  check<T>(op + " %d, %a, %b;", expected, a, b);
}
template <class T, class D = T>
void check1(const std::string& op, const std::type_identity_t<std::function<D(T)>>& expected) {
  check<D>(op + " %d, %a;", expected, edges<T>());
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
  check<int64_t>(
      "shl.b64 %d, %a, %b;",
      [](int64_t x, uint32_t n) { return n > 63 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(x) << n); }, a, b);
  check<int64_t>(
      "shr.s64 %d, %a, %b;", [](int64_t x, uint32_t n) { return x >> std::min(n, 63u); }, a, b);
  const auto [low, high] = pairs(edges<uint32_t>(), edges<uint32_t>());
  for (const uint32_t count : {0u, 1u, 31u, 32u, 33u, 64u}) {
    const std::vector<uint32_t> counts(low.size(), count);
    const auto both = [](uint32_t l, uint32_t h) { return uint64_t{h} << 32 | l; };
    check<uint32_t>(
        "shf.l.clamp.b32 %d, %a, %b, %c;",
        [&](uint32_t l, uint32_t h, uint32_t n) { return (both(l, h) << std::min(n, 32u)) >> 32; }, low, high, counts);
    check<uint32_t>(
        "shf.r.wrap.b32 %d, %a, %b, %c;", [&](uint32_t l, uint32_t h, uint32_t n) { return both(l, h) >> (n & 31); },
        low, high, counts);
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
  using W = uint32_t;
  check<W>(
      "lop3.b32 %d, %a, %b, %c, 0xe8;", [](W x, W y, W z) { return (x & y) | (x & z) | (y & z); }, a, b, c);
  check<W>(
      "lop3.b32 %d, %a, %b, %c, 0xca;", [](W x, W y, W z) { return (x & y) | (~x & z); }, a, b, c);
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
  using W = uint64_t;
  check<W>(split + "add.cc.u32 %t4, %t0, %t2; addc.u32 %t5, %t1, %t3; mov.b64 %d, {%t4, %t5};", std::plus<W>(), a, b);
  check<W>(split + "sub.cc.u32 %t4, %t0, %t2; subc.u32 %t5, %t1, %t3; mov.b64 %d, {%t4, %t5};", std::minus<W>(), a, b);
  check<W>(split +
               "mul.lo.u32 %t4, %t0, %t2; mul.hi.u32 %t5, %t0, %t2; mad.lo.cc.u32 %t5, %t0, %t3, %t5; "
               "mad.lo.cc.u32 %t5, %t1, %t2, %t5; mov.b64 %d, {%t4, %t5};",
           std::multiplies<W>(), a, b);
}

TEST(PtxInteger, ThreeOperands) {
  const auto [a, b] = pairs(edges<int32_t>(), edges<int32_t>());
  const std::vector<int32_t> c(a.size(), 12345);
  const std::vector<int64_t> wide(a.size(), -7);
  using I = int32_t;
  using L = int64_t;
  check<I>(
      "mad.lo.s32 %d, %a, %b, %c;", [](I x, I y, I z) { return wrap<I>(L{x} * y + z); }, a, b, c);
  check<I>(
      "sad.s32 %d, %a, %b, %c;", [](I x, I y, I z) { return wrap<I>(std::abs(L{x} - y) + z); }, a, b, c);
  check<L>(
      "mad.wide.s32 %d, %a, %b, %c;", [](I x, I y, L z) { return L{x} * y + z; }, a, b, wide);
  const auto dot = [](I x, I y, I z) {
    for (int k = 0; k < 4; ++k) z += static_cast<int8_t>(x >> 8 * k) * static_cast<int8_t>(y >> 8 * k);
    return z;
  };
  check<I>("dp4a.s32.s32 %d, %a, %b, %c;", dot, a, b, c);
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
