#include <cmath>

#include "bench/virtual_gpu/ops/half.hpp"

namespace roofline::ptx {
namespace {

// To a format with `mantissa` bits, least normal exponent `least`, largest finite `most`; the sign aside.
uint8_t to_small(float x, int mantissa, int least, float most, uint8_t largest) {
  if (x >= most) return largest;
  if (x == 0) return 0;
  int exponent = 0;
  std::frexp(x, &exponent);  // x = f * 2^exponent, f in [0.5, 1)
  const int e = std::max(exponent - 1, least);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(x, mantissa - e)));
  // A carry out of the mantissa raises the exponent by itself.
  const int code = ((e - least) << mantissa) + units;
  return static_cast<uint8_t>(std::min<int>(code, largest));
}

float from_small(uint32_t code, int mantissa, int least) {
  const uint32_t fraction = code & ((1u << mantissa) - 1), field = code >> mantissa;
  if (field == 0) return std::ldexp(static_cast<float>(fraction), least - mantissa);
  return std::ldexp(static_cast<float>(fraction | 1u << mantissa), static_cast<int>(field) - 1 + least - mantissa);
}

}  // namespace

float narrow_to_odd(double x) {
  const auto y = static_cast<float>(x);
  if (static_cast<double>(y) == x || y != y || std::isinf(y)) return y;
  const auto bits = std::bit_cast<uint32_t>(y);
  if (bits & 1) return y;
  const bool grow = std::fabs(x) > std::fabs(static_cast<double>(y));
  return std::bit_cast<float>(grow ? bits + 1 : bits - 1);
}

uint8_t float_to_e4m3(float x) {
  const uint8_t sign = std::signbit(x) ? 0x80 : 0;
  if (x != x) return 0x7f;
  return sign | to_small(std::fabs(x), 3, -6, 448.0f, 0x7e);
}
uint8_t float_to_e5m2(float x) {
  const uint8_t sign = std::signbit(x) ? 0x80 : 0;
  if (x != x) return 0x7f;
  return sign | to_small(std::fabs(x), 2, -14, 57344.0f, 0x7b);
}
float e4m3_to_float(uint8_t x) {
  const uint32_t code = x & 0x7fu;
  const float a = code == 0x7f ? NAN : from_small(code, 3, -6);
  return x & 0x80 ? -a : a;
}
float e5m2_to_float(uint8_t x) {
  const uint32_t code = x & 0x7fu;
  const float a = code > 0x7c ? NAN : code == 0x7c ? INFINITY : from_small(code, 2, -14);
  return x & 0x80 ? -a : a;
}

}  // namespace roofline::ptx
