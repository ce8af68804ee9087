#include "bench/space/buffer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace roofline::buffer_test {
namespace {

std::uintptr_t address(const Buffer& buffer) { return reinterpret_cast<std::uintptr_t>(buffer.data()); }

/// AMD's L1 predicts the way from these bits: 12 to 19, each with its mirror of 20 to 27.
std::uintptr_t way_hash(std::uintptr_t address) {
  std::uintptr_t hash = 0;
  for (int bit = 12; bit < 20; ++bit) hash |= ((address >> bit ^ address >> (39 - bit)) & 1) << bit;
  return hash;
}

TEST(Buffer, DoesNotAliasWithAnother) {
  const std::array<Buffer, 6> arrays{Buffer(100), Buffer(100), Buffer(100), Buffer(100), Buffer(100), Buffer(100)};
  for (const auto& one : arrays)
    for (const auto& other : arrays) {
      if (&one == &other) continue;
      EXPECT_NE(address(one) % 4096 / 64, address(other) % 4096 / 64);
      EXPECT_NE(way_hash(address(one)), way_hash(address(other)));
    }
}

TEST(Buffer, LiesTheSameFromItsNeighbourHoweverManyCameBefore) {
  constexpr std::uintptr_t hashed = std::uintptr_t{1} << 28;
  const auto distance = [] {
    const Buffer first(1000);
    const Buffer second(1000);
    return (address(second) - address(first)) % hashed;
  };
  const auto before = distance();
  const Buffer between(5000);
  EXPECT_EQ(distance(), before);
}

TEST(Buffer, IsAlignedToALineAndZero) {
  for (const Index n : {Index{1}, Index{511}, Index{1} << 19}) {
    const Buffer array(n);
    EXPECT_EQ(address(array) % 64, 0U);
    for (const double x : array) ASSERT_EQ(x, 0.0);
  }
}

}  // namespace
}  // namespace roofline::buffer_test
