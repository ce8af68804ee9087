#include "bench/space/real.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "bench/cache_model/counting.hpp"
#include "bench/space/pack.hpp"

namespace roofline::real_test {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Makes a recording the active one for a test.
struct Record {
  Recording recording;
  Record() { active_recording = &recording; }
  ~Record() { active_recording = nullptr; }
};

template <class Lane, bool Fma>
double one(Real<Lane, Fma> x) {
  double lanes[Lane::lanes];
  Lane::store(lanes, x.value);
  return lanes[0];
}

// ---- The contraction rules, each against std::fma written out. x * y is not exact, so that every rounding shows; the
// last lines check that.

constexpr double x = 1.1, y = 1.37, z = -1.21, w = 1.3;

template <class Lane>
void expect_contraction_rules() {
  using F = Real<Lane, true>;
  using N = Real<Lane, false>;
  const auto fused = [](const F& value) { return one<Lane, true>(value); };
  const auto apart = [](const N& value) { return one<Lane, false>(value); };
  const F a = x, b = y, c = z, d = w;
  const N p = x, q = y, r = z, s = w;

  EXPECT_EQ(fused(a * b + c), std::fma(x, y, z));
  EXPECT_EQ(fused(c + a * b), std::fma(x, y, z));
  EXPECT_EQ(fused(c - a * b), std::fma(-x, y, z));
  EXPECT_EQ(fused(a * b - c), std::fma(x, y, -z));
  EXPECT_EQ(fused(a * b + c * d), std::fma(z, w, x * y));  // the left product is rounded, the right one fused
  EXPECT_EQ(fused(a * b - c * d), std::fma(-z, w, x * y));
  EXPECT_EQ(fused(a * b * c + d), std::fma(x * y, z, w));
  EXPECT_EQ(fused(a * b / c), x * y / z);
  EXPECT_EQ(fused(c / (a * b)), z / (x * y));
  EXPECT_EQ(fused(-(a * b)), -(x * y));
  F sum = c;
  sum += a * b;
  EXPECT_EQ(fused(sum), std::fma(x, y, z));
  sum = c;
  sum -= a * b;
  EXPECT_EQ(fused(sum), std::fma(-x, y, z));

  EXPECT_EQ(apart(p * q + r), x * y + z);
  EXPECT_EQ(apart(r + p * q), x * y + z);
  EXPECT_EQ(apart(r - p * q), z - x * y);
  EXPECT_EQ(apart(p * q - r), x * y - z);
  EXPECT_EQ(apart(p * q + r * s), x * y + z * w);
  EXPECT_EQ(apart(p * q - r * s), x * y - z * w);
  N total = r;
  total += p * q;
  EXPECT_EQ(apart(total), z + x * y);

  EXPECT_NE(std::fma(x, y, z), x * y + z);
  EXPECT_NE(std::fma(-x, y, z), z - x * y);
  EXPECT_NE(std::fma(x, y, -z), x * y - z);
  EXPECT_NE(std::fma(z, w, x * y), x * y + z * w);
  EXPECT_NE(std::fma(z, w, x * y), std::fma(x, y, z * w));
}

TEST(Real, ContractionRulesHoldForPacks) {
  expect_contraction_rules<Pack<1>>();
  expect_contraction_rules<Pack<2>>();
  expect_contraction_rules<Pack<4>>();
  expect_contraction_rules<Pack<8>>();
}

TEST(Real, ContractionRulesHoldForCountedValues) {
  Record record;
  expect_contraction_rules<Counted>();
}

// ---- One body, every lane type: the same bits.

/// Uses every operation a kernel can write.
template <class At>
ROOFLINE_BODY void every_operation(At at, const std::array<View, 4>& in, View out) {
  using real = typename At::real;
  const real a = in[0][at];
  const real b = in[1][at];
  const real c = in[2][at];
  const real d = in[3][at];
  real sum = a * b + c;
  sum += c * d;
  sum -= a * d;
  const real ratio = (a - b * c) / (d + 2.0);
  const real two = a * b - c * d;
  out.set(at, -sum * ratio + two * (b / a) - 0.5 * c);
}

constexpr Index elements = 1 << 10;

struct Input {
  std::array<std::vector<double>, 4> values;
  Input() {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> between(0.5, 2);
    for (auto& v : values)
      for (Index i = 0; i < elements; ++i) v.push_back(between(random));
  }
};

template <class Lane, bool Fma>
std::vector<double> run() {
  Input input;
  std::array<View, 4> in;
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {input.values[i].data()};
  std::vector<double> out(elements);
  for (Index i = 0; i < elements; i += Lane::lanes) every_operation(At<Lane, Fma>{i}, in, View{out.data()});
  return out;
}

template <bool Fma>
void expect_equal_bits() {
  Record record;
  const auto counted = run<Counted, Fma>();
  const auto scalar = run<Pack<1>, Fma>();
  const auto two = run<Pack<2>, Fma>();
  const auto four = run<Pack<4>, Fma>();
  const auto eight = run<Pack<8>, Fma>();
  for (std::size_t i = 0; i < counted.size(); ++i) {
    ASSERT_TRUE(same_bits(counted[i], scalar[i])) << i;
    ASSERT_TRUE(same_bits(two[i], scalar[i])) << i;
    ASSERT_TRUE(same_bits(four[i], scalar[i])) << i;
    ASSERT_TRUE(same_bits(eight[i], scalar[i])) << i;
  }
}

TEST(Real, EveryLaneTypeGivesTheSameBits) {
  expect_equal_bits<true>();
  expect_equal_bits<false>();
  EXPECT_NE((run<Pack<1>, true>()), (run<Pack<1>, false>()));
}

TEST(Pack, KeepsSignedZeroAndSpecialValues) {
  const double nan = std::nan(""), inf = HUGE_VAL;
  for (const double value : {-0.0, 0.0, inf, -inf, nan, 5e-324}) {
    EXPECT_TRUE(same_bits(one<Pack<8>, true>(value), value)) << value;
    EXPECT_TRUE(same_bits(one<Pack<2>, true>(value), value)) << value;
  }
}

TEST(Pack, LoadsAndStoresAtAnyElementAndSumsItsLanes) {
  std::vector<double> data(32);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<double>(i);
  for (int offset = 0; offset < 8; ++offset) {
    const auto pack = Pack<8>::load(data.data() + offset);
    EXPECT_EQ(pack.sum(), 8 * offset + 28);
    std::vector<double> copy(32);
    Pack<8>::store(copy.data() + offset, pack);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(copy[static_cast<std::size_t>(offset + i)], offset + i);
    EXPECT_EQ(copy[static_cast<std::size_t>(offset + 8)], 0);
  }
  EXPECT_EQ(Pack<4>::load(data.data() + 1).sum(), 10);
  EXPECT_EQ(Pack<2>::load(data.data() + 1).sum(), 3);
}

TEST(Pack, StreamingStoresStore) {
  alignas(64) double line[8] = {};
  Pack<8>::store_streaming(line, Pack<8>::broadcast(3));
  for (const double value : line) EXPECT_EQ(value, 3);
  Pack<4>::store_streaming(line + 4, Pack<4>::broadcast(4));
  Pack<2>::store_streaming(line + 2, Pack<2>::broadcast(2));
  Pack<1>::store_streaming(line + 1, Pack<1>::broadcast(1));
  const double expected[8] = {3, 1, 2, 2, 4, 4, 4, 4};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(line[i], expected[i]) << i;
}

// ---- Counts by kind.

template <bool Fma>
struct Numbers {
  Real<Counted, Fma> a = 1.5, b = 2.5, c = 3.5, d = 4.5;
};

template <bool Fma, class Expression>
Operations operations_of(Expression expression) {
  const Numbers<Fma> n;
  Record record;
  [[maybe_unused]] const Real<Counted, Fma> value = expression(n);
  return record.recording.operations;
}

template <class Expression>
void expect_counts(const char* text, Expression expression, Operations fused, Operations apart) {
  EXPECT_EQ(operations_of<true>(expression), fused) << text;
  EXPECT_EQ(operations_of<false>(expression), apart) << text;
}

TEST(Counted, CountsByKindInBothModes) {
  const Operations one_fma{.fma = 1}, mul_and_add{.add = 1, .mul = 1};
  expect_counts("a + b", [](auto n) { return n.a + n.b; }, {.add = 1}, {.add = 1});
  expect_counts("a - b", [](auto n) { return n.a - n.b; }, {.add = 1}, {.add = 1});
  expect_counts("a b", [](auto n) { return n.a * n.b; }, {.mul = 1}, {.mul = 1});
  expect_counts("a / b", [](auto n) { return n.a / n.b; }, {.div = 1}, {.div = 1});
  expect_counts("-a", [](auto n) { return -n.a; }, {}, {});
  expect_counts(
      "a b + c", [](auto n) { return n.a * n.b + n.c; }, one_fma, mul_and_add);
  expect_counts(
      "c - a b", [](auto n) { return n.c - n.a * n.b; }, one_fma, mul_and_add);
  expect_counts(
      "a b - c", [](auto n) { return n.a * n.b - n.c; }, one_fma, mul_and_add);
  expect_counts("a b + c d", [](auto n) { return n.a * n.b + n.c * n.d; }, {.mul = 1, .fma = 1}, {.add = 1, .mul = 2});
  expect_counts("a b c", [](auto n) { return n.a * n.b * n.c; }, {.mul = 2}, {.mul = 2});
  expect_counts("a b (c d)", [](auto n) { return n.a * n.b * (n.c * n.d); }, {.mul = 3}, {.mul = 3});
  expect_counts("a b c + d", [](auto n) { return n.a * n.b * n.c + n.d; }, {.mul = 1, .fma = 1}, {.add = 1, .mul = 2});
  expect_counts("a b / c", [](auto n) { return n.a * n.b / n.c; }, {.mul = 1, .div = 1}, {.mul = 1, .div = 1});
  expect_counts("-6 a + (b + c)", [](auto n) { return -6.0 * n.a + (n.b + n.c); }, {.add = 1, .fma = 1},
                {.add = 2, .mul = 1});
}

// Nothing is executed before the product is used, and then once.
TEST(Counted, NamedProductIsExecutedOnce) {
  Record record;
  const Real<Counted, true> a = 2.0, b = 3.0;
  const Real<Counted, true> p = a * b;
  [[maybe_unused]] const Real<Counted, true> sum = p + p;
  EXPECT_EQ(record.recording.operations, (Operations{.add = 1, .mul = 1}));
}

TEST(Counted, CountsAccessesAndTheirBytes) {
  Record record;
  double data[4] = {1, 2, 3, 4};
  const View view{data};
  using real = Real<Counted, true>;
  const real first = view[At<Counted, true>{0}];
  const real third = view[At<Counted, true>{1} + 1];
  view.set(At<Counted, true>{3}, real(first * third));
  view.set_streaming(At<Counted, true>{2} - 1, first);
  EXPECT_EQ(data[3], 3);
  EXPECT_EQ(data[1], 1);
  EXPECT_EQ(record.recording.loads, 2u);
  EXPECT_EQ(record.recording.stores, 2u);
  EXPECT_EQ(record.recording.load_bytes, 16u);
  EXPECT_EQ(record.recording.store_bytes, 16u);
}

}  // namespace
}  // namespace roofline::real_test
