// Matrix instructions: element types, and a product of small matrices.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "bench/virtual_gpu/execute/warp.hpp"
#include "bench/virtual_gpu/ops/half.hpp"

namespace roofline::ptx {

enum class Element : uint8_t { none, f16, bf16, tf32, f32, f64, e4m3, e5m2, s8, u8, s32 };

Element element_of(std::string_view type);
inline bool is_integer(Element e) { return e == Element::s8 || e == Element::u8 || e == Element::s32; }
inline uint32_t bits_of(Element e) {
  constexpr uint8_t bits[] = {32, 16, 16, 32, 32, 64, 8, 8, 8, 8, 32};
  return bits[static_cast<int>(e)];
}

/// The value of an element from its bits. tf32 ignores the 13 low bits, as the tensor cores do.
inline double element_value(Element e, uint32_t bits) {
  switch (e) {
    case Element::f16:
      return half_to_float(bits & 0xffff);
    case Element::bf16:
      return bfloat_to_float(bits & 0xffff);
    case Element::tf32:
      return std::bit_cast<float>(bits & 0xffffe000u);
    case Element::e4m3:
      return e4m3_to_float(static_cast<uint8_t>(bits));
    case Element::e5m2:
      return e5m2_to_float(static_cast<uint8_t>(bits));
    case Element::s8:
      return static_cast<int8_t>(bits);
    case Element::u8:
      return static_cast<uint8_t>(bits);
    case Element::s32:
      return static_cast<int32_t>(bits);
    default:
      return std::bit_cast<float>(bits);
  }
}
/// Bits of an accumulator: rounded once from the exact sum.
inline uint32_t element_bits(Element e, double x) {
  if (e == Element::f16) return float_to_half(narrow_to_odd(x));
  if (e == Element::s32) return static_cast<uint32_t>(static_cast<int64_t>(x));
  return std::bit_cast<uint32_t>(static_cast<float>(x));
}

/// Shape and types of a product D = A B + C; fits an instruction's immediate.
struct Product {
  uint8_t m = 0, n8 = 0, k = 0;  // n8: n / 8
  Element a{}, b{}, c{}, d{};
  uint8_t flags = 0;

  uint32_t n() const { return uint32_t{n8} * 8; }
};
static_assert(sizeof(Product) == 8);

/// Parses "m16n8k16" into m, n, k; returns false if the text is not a shape.
bool parse_shape(std::string_view text, uint32_t& m, uint32_t& n, uint32_t& k);

/// 32 elements, one of each word, from bit `shift` on.
void decode_lanes(Element e, const uint32_t* words, uint32_t shift, double* values);
/// `count` elements that lie side by side.
void decode_row(Element e, const uint8_t* bytes, uint32_t count, double* values);

/// D += A B in fp64, exact for integers below 2^53 and nearly so for the others. Columns of A and D lie together
/// (a[k][m], d[n][m], m is 8 or 16), rows of B lie apart by columns (b[n][k]): so lanes of a vector are rows.
void multiply_add(double* d, const double* a, const double* b, uint32_t m, uint32_t n, uint32_t k);

}  // namespace roofline::ptx
