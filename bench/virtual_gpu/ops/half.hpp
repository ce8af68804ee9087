// fp16, bf16 and 8-bit floating point in integer registers: conversions that compilers vectorise.
#pragma once

#include <bit>
#include <cstdint>

namespace roofline::ptx {

[[gnu::always_inline]] inline float half_to_float(uint32_t h) {
  // Exponent and mantissa at their places, scaled by 2^112: right for subnormals too.
  const float scaled = std::bit_cast<float>((h & 0x7fffu) << 13) * std::bit_cast<float>(0x77800000u);
  const uint32_t bits = std::bit_cast<uint32_t>(scaled) | ((h & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u);
  return std::bit_cast<float>(bits | (h & 0x8000u) << 16);
}

/// To nearest even; NaN becomes 0x7fff, as on the devices.
[[gnu::always_inline]] inline uint32_t float_to_half(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), sign = bits >> 16 & 0x8000u, a = bits & 0x7fffffffu;
  // Subnormal results: adding 0.5 puts the rounded mantissa into the low bits.
  const uint32_t tiny = std::bit_cast<uint32_t>(std::bit_cast<float>(a) + 0.5f) - 0x3f000000u;
  const uint32_t normal = (a + 0xc8000fffu + (a >> 13 & 1u)) >> 13;
  const uint32_t finite = a < 0x38800000u ? tiny : normal;
  const uint32_t large = a > 0x7f800000u ? 0x7fffu : 0x7c00u;
  return a > 0x7f800000u ? 0x7fffu : (a >= 0x47800000u ? large : finite) | sign;
}

[[gnu::always_inline]] inline float bfloat_to_float(uint32_t h) { return std::bit_cast<float>(h << 16); }

[[gnu::always_inline]] inline uint32_t float_to_bfloat(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded;
}

/// A double whose last bit says that something was lost ("round to odd"): rounding it once more to few bits gives
/// what one rounding would have given. `error` is what the rounded sum lacks.
[[gnu::always_inline]] inline double to_odd(double sum, double error) {
  const auto bits = std::bit_cast<uint64_t>(sum);
  const uint64_t inexact = uint64_t{error != 0.0} & uint64_t{error == error} & ~bits & 1u;
  const uint64_t towards_zero = (bits ^ std::bit_cast<uint64_t>(error)) >> 63;
  return std::bit_cast<double>(bits + (inexact ? 1u - 2u * towards_zero : 0u));
}
/// A double as a float rounded to odd, for conversion to a narrower type.
float narrow_to_odd(double x);

/// E4M3 (no infinity, largest 448) and E5M2 (as fp16), to nearest even with saturation; NaN stays NaN.
uint8_t float_to_e4m3(float x);
uint8_t float_to_e5m2(float x);
float e4m3_to_float(uint8_t x);
float e5m2_to_float(uint8_t x);

}  // namespace roofline::ptx
