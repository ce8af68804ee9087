// fp16, bf16 and 8-bit floating point: every result is the nearest value of the format.
#include "bench/virtual_gpu/ops/half.hpp"

#include <cmath>
#include <random>

#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::half_test {
namespace {

// All finite values of a 16-bit format, by brute force: the nearest one, ties to even.
uint32_t nearest(long double x, float (*decode)(uint32_t), uint32_t infinity) {
  if (x != x) return 0x7fff;
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const long double a = std::fabs(x);
  uint32_t low = 0, high = infinity;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (decode(middle) <= a ? low : high) = middle;
  }
  const long double below = decode(low), above = high == infinity ? 2 * below - decode(low - 1) : decode(high);
  const bool up = a - below > above - a || (a - below == above - a && (low & 1));
  return sign | (std::isinf(a) ? infinity : up ? high : low);
}
float from_half(uint32_t h) { return half_to_float(h); }
float from_bfloat(uint32_t h) { return bfloat_to_float(h); }

void check_half(const std::string& type, float (*decode)(uint32_t), uint32_t infinity) {
  std::vector<uint16_t> values{0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00, 0x3c01,
                               0x3f80, 0x3f81, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7f7f, 0xff80,
                               0x7fc0, 0x0080, 0x1234, 0x5678, 0x9abc, 0x4248, 0x0202};
  const auto [a, b] = pairs(values, values);
  const std::vector<uint16_t> c(a.size(), 0x3555);
  const auto sum = each<uint16_t, uint16_t, uint16_t>("add.rn." + type + " %d, %a, %b;", a, b),
             product = each<uint16_t, uint16_t, uint16_t>("mul.rn." + type + " %d, %a, %b;", a, b),
             fma = each<uint16_t, uint16_t, uint16_t, uint16_t>("fma.rn." + type + " %d, %a, %b, %c;", a, b, c);
  for (std::size_t n = 0; n < a.size(); ++n) {
    const auto x = static_cast<long double>(decode(a[n])), y = static_cast<long double>(decode(b[n])),
               z = static_cast<long double>(decode(c[n]));
    const auto is_nan = [&](uint16_t h) { return (h & 0x7fff) > infinity; };
    const auto check = [&](uint16_t got, long double exact, const char* op) {
      // The exact result has more bits than a double only where the two differ far below the last place.
      const double rounded = static_cast<double>(exact);
      if (rounded != rounded) {
        ASSERT_TRUE(is_nan(got)) << type << op;
      } else {
        ASSERT_EQ(got, nearest(rounded, decode, infinity)) << type << op << " " << decode(a[n]) << " " << decode(b[n]);
      }
    };
    check(sum[n], x + y, " add");
    check(product[n], x * y, " mul");
    check(fma[n], x * y + z, " fma");
  }
}

TEST(PtxHalf, SixteenBitArithmeticIsRoundedOnce) {
  check_half("f16", from_half, 0x7c00);
  check_half("bf16", from_bfloat, 0x7f80);
  // A tie that only the addend breaks, far below fp64's last place: 1.0078125 * 1.0078125 is close to a midpoint of
  // bf16.
  const auto d = each<uint16_t, uint16_t, uint16_t, uint16_t>("fma.rn.bf16 %d, %a, %b, %c;", {0x3fc0, 0x3fc0},
                                                              {0x3f81, 0x3f81}, {0x0080, 0x8080});
  EXPECT_EQ(d[0], 0x3fc2);  // 1.5 * 1.0078125 = 1.51171875 lies between 1.5078125 and 1.515625: a hair more goes up
  EXPECT_EQ(d[1], 0x3fc1);  // and a hair less goes down
}

TEST(PtxHalf, AnyThreeHalvesAreMultipliedAndAddedWithOneRounding) {
  // Exact in a long double: a product has 22 bits from 2^-48 on, an addend lies between 2^-24 and 2^16.
  std::mt19937 random(12);
  std::vector<uint16_t> a, b, c;
  for (int n = 0; n < 20000; ++n) {
    a.push_back(static_cast<uint16_t>(random())), b.push_back(static_cast<uint16_t>(random()));
    // Half of them near the product, where cancellation and ties are.
    const auto product = float_to_half(half_to_float(a.back()) * half_to_float(b.back()));
    c.push_back(static_cast<uint16_t>(n % 2 ? random() : (product ^ 0x8000u) + random() % 9 - 4));
  }
  const auto single = each<uint16_t, uint16_t, uint16_t, uint16_t>("fma.rn.f16 %d, %a, %b, %c;", a, b, c);
  std::vector<uint32_t> pair_a, pair_b, pair_c;
  for (std::size_t n = 0; n < a.size(); n += 2) {
    pair_a.push_back(a[n] | a[n + 1] << 16), pair_b.push_back(b[n] | b[n + 1] << 16);
    pair_c.push_back(c[n] | c[n + 1] << 16);
  }
  const auto pair =
      each<uint32_t, uint32_t, uint32_t, uint32_t>("fma.rn.f16x2 %d, %a, %b, %c;", pair_a, pair_b, pair_c);
  for (std::size_t n = 0; n < a.size(); ++n) {
    const auto wide = [](uint16_t x) { return static_cast<long double>(half_to_float(x)); };
    const auto expected = nearest(wide(a[n]) * wide(b[n]) + wide(c[n]), from_half, 0x7c00);
    ASSERT_EQ(single[n], expected) << a[n] << " " << b[n] << " " << c[n];
    ASSERT_EQ(pair[n / 2] >> 16 * (n % 2) & 0xffff, expected) << a[n] << " " << b[n] << " " << c[n];
  }
}

TEST(PtxHalf, WhatIsFarBelowTheLeastIsZeroWithItsSign) {
  // 2^-126 squared, and 2^-133 squared.
  const auto d =
      each<uint16_t, uint16_t, uint16_t, uint16_t>("fma.rn.bf16 %d, %a, %b, %c;", {0x0080, 0x8080, 0x0001, 0x0080},
                                                   {0x0080, 0x0080, 0x0001, 0x0080}, {0, 0x8000, 0, 0x0001});
  EXPECT_EQ(d[0], 0u);
  EXPECT_EQ(d[1], 0x8000u);
  EXPECT_EQ(d[2], 0u);
  EXPECT_EQ(d[3], 1u) << "the least number and a hair";
}

TEST(PtxHalf, PairsAreTwoOfTheirHalves) {
  const auto d = each<uint32_t, uint32_t, uint32_t>("add.rn.f16x2 %d, %a, %b;", {0x3c004000u, 0xfc003c00u},
                                                    {0x3c003c00u, 0x7c00bc00u});
  EXPECT_EQ(d[0], 0x40004200u);
  EXPECT_EQ(d[1] & 0xffff, 0u);
  EXPECT_GT(d[1] >> 16 & 0x7fff, 0x7c00u);
  const auto packed = each<uint32_t, float, float>("cvt.rn.f16x2.f32 %d, %a, %b;", {1.0f, 65520.0f}, {2.0f, 6e-8f});
  EXPECT_EQ(packed[0], 0x3c004000u);
  EXPECT_EQ(packed[1], 0x7c000001u);
  const auto small =
      each<uint16_t, float, float>("cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", {1.0f, 1e9f, 0.001953125f, 0.0009765625f},
                                   {-2.0f, -448.0f, 17.0f, 0.3f});
  EXPECT_EQ(small[0], 0x38c0);
  EXPECT_EQ(small[1], 0x7efe);
  EXPECT_EQ(small[2], 0x0158);
  EXPECT_EQ(small[3] >> 8, 0);  // half of the least: a tie to even
}

}  // namespace
}  // namespace roofline::ptx::half_test
