#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace roofline {

/// `op` of each number of `a` and the one in its place in `b`. T is made of nothing but counts of 64 bits.
template <class T, class Op>
T each_number(const T& a, const T& b, Op op) {
  static_assert(std::has_unique_object_representations_v<T>);
  using Numbers = std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)>;
  auto numbers = std::bit_cast<Numbers>(a);
  const auto others = std::bit_cast<Numbers>(b);
  std::transform(numbers.begin(), numbers.end(), others.begin(), numbers.begin(), op);
  return std::bit_cast<T>(numbers);
}

}  // namespace roofline
