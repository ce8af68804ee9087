#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "microkernels/cuda/flops/flops.hpp"

namespace roofline {
namespace {

double step(const CudaFlopsKernel& kernel, const FloatFormat& f, FlopsOperands by, double b) {
  switch (kernel.form) {
    case CudaForm::fma:
      if (kernel.operands == Operands::square) return f.fma(b, b, by.offset);
      return f.fma(b, by.scale, kernel.operands == Operands::twice ? b : by.offset);
    case CudaForm::mul_add:
      return f.round(f.round(b * by.scale) + by.offset);
    case CudaForm::add:
      return f.round(b + by.offset);
    case CudaForm::mul:
      return f.round(b * by.scale);
    default:
      return f.round(b / by.scale);
  }
}

}  // namespace

// A double holds the exact sum or product of two numbers of 24 bits or fewer, and rounds a quotient of them so that
// rounding it again is right (53 >= 2 x 24 + 2). For 11 bits it also holds b s + o of numbers around one.
double FloatFormat::round(double x) const {
  if (significand_bits == 53) return x;
  if (significand_bits == 24) return static_cast<float>(x);
  if (x == 0) return x;
  const int ulp = std::ilogb(x) - (significand_bits - 1);
  return std::ldexp(std::nearbyint(std::ldexp(x, -ulp)), ulp);
}

double FloatFormat::fma(double x, double y, double z) const {
  if (significand_bits == 53) return std::fma(x, y, z);
  if (significand_bits == 24) return std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
  return round(x * y + z);
}

std::uint64_t FloatFormat::bits(double x) const {
  if (significand_bits == 53) return std::bit_cast<std::uint64_t>(x);
  if (significand_bits == 24) {
    const std::uint64_t word = std::bit_cast<std::uint32_t>(static_cast<float>(x));
    return lanes == 2 ? word << 32 | word : word;
  }
  const int fraction = significand_bits - 1, smallest = 1 - bias;
  const int exponent = x == 0 ? smallest : std::max(std::ilogb(x), smallest);
  // A normal number's leading one adds 1 to the exponent field.
  const auto significand = static_cast<std::uint32_t>(std::ldexp(std::abs(x), fraction - exponent));
  const auto field = static_cast<std::uint32_t>(exponent - smallest) << fraction;
  const std::uint32_t half = (std::signbit(x) ? 0x8000u : 0u) | (field + significand);
  return half | half << 16;
}

FloatFormat format_of(const CudaFlopsKernel& kernel) {
  const std::string_view precision = kernel.precision;
  if (precision == "fp64") return {53, 1023, 1};
  if (precision == "fp32") return {24, 127, 1};
  if (precision == "fp32x2") return {24, 127, 2};
  return precision == "fp16x2" ? FloatFormat{11, 15, 2} : FloatFormat{8, 127, 2};
}

FlopsOperands flops_operands(const CudaFlopsKernel& kernel) {
  const auto format = format_of(kernel);
  const bool half = format.significand_bits < 24;  // would shrink to nothing within some thousand steps
  const double almost_one = 1 - std::ldexp(1, -std::min(20, format.significand_bits)), tenth = format.round(0.1);
  switch (kernel.form) {
    case CudaForm::fma:
      if (kernel.operands == Operands::square) return {0, -1.75};
      if (kernel.operands == Operands::twice) return {half ? -2 : -1 - almost_one, 0};
      return {-almost_one, tenth};
    case CudaForm::mul_add:
    case CudaForm::add:
      return {-almost_one, tenth};
    default:
      return {half ? -1 : -almost_one, 0};
  }
}

std::uint64_t expected_checksum(const CudaFlopsKernel& kernel, std::int64_t steps) {
  const auto format = format_of(kernel);
  const auto operands = flops_operands(kernel);
  std::uint64_t sum = 0;
  for (int chain = 0; chain < kernel.chains; ++chain) {
    double b = FlopsOperands::start(format, chain);
    for (std::int64_t i = 0; i < steps; ++i) b = step(kernel, format, operands, b);
    sum = add_to_checksum(sum, format.bits(b));
  }
  return sum;
}

}  // namespace roofline
