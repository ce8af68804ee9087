#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>

namespace roofline::perf {

/// What is counted of a launch on a CPU. FLOPs without a precision are those of all precisions together, as some CPUs
/// count them. Bytes of a level are those between it and the level nearer to the core.
enum class CpuQuantity {
  flops_fp64,
  flops_fp32,
  flops,
  l2_read,
  l2_written,
  l3_read,
  l3_written,
  dram_read,
  dram_written,
  instructions,
  cycles,
};
inline constexpr std::array<std::string_view, 11> cpu_quantity_names{
    "flops_fp64", "flops_fp32", "flops",        "L2.read",      "L2.written", "L3.read",
    "L3.written", "DRAM.read",  "DRAM.written", "instructions", "cycles"};
constexpr std::string_view name(CpuQuantity quantity) { return cpu_quantity_names[static_cast<std::size_t>(quantity)]; }
constexpr bool is_flops(CpuQuantity quantity) { return quantity <= CpuQuantity::flops; }
constexpr bool is_bytes(CpuQuantity quantity) {
  return CpuQuantity::l2_read <= quantity && quantity <= CpuQuantity::dram_written;
}

/// Values of one launch: FLOPs, bytes, numbers. What is not known is absent.
using CpuValues = std::map<CpuQuantity, double>;

}  // namespace roofline::perf
