#include "microkernels/cuda/flops/units.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace roofline {
namespace {

struct Units {
  int capability;  ///< 10 major + minor
  int fp64, fp32, fp16, bf16;
};

// CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions": results per clock and SM, of packed
// halves both. 10.0 and 12.0 from the rates of B200 and RTX 5090 (NVIDIA data sheet and whitepaper). 0: no such
// instructions.
constexpr std::array vector_units{
    Units{70, 32, 64, 128, 0},     Units{75, 2, 64, 128, 0},     Units{80, 32, 64, 256, 128},
    Units{86, 2, 128, 128, 128},   Units{89, 2, 128, 128, 128},  Units{90, 64, 128, 256, 256},
    Units{100, 64, 128, 256, 256}, Units{120, 2, 128, 128, 128},
};

struct TensorUnits {
  int capability;
  int fp64, tf32, fp16, bf16, fp8, int8;
};

// Peak dense rates of the data sheets over SMs x boost clock: T4 65 TFLOP/s FP16; A100 19.5 FP64, 312 FP16; H100 SXM
// 66.9 FP64, 989 FP16, 1979 FP8. 10.x is left out: its rates are those of tcgen05, and the suite issues mma.sync.
// GeForce parts of 8.x and 12.x, which halve the rate with FP32 sums, are not listed.
constexpr std::array tensor_units{
    TensorUnits{75, 0, 0, 1024, 0, 0, 2048},
    TensorUnits{80, 128, 1024, 2048, 2048, 0, 4096},
    TensorUnits{90, 256, 2048, 4096, 4096, 8192, 8192},
};

struct FirstLevel {
  int capability, kib;
};

// CUDA C++ Programming Guide, "Shared Memory" of the compute capabilities: the unified data cache less the least
// that shared memory takes.
constexpr std::array first_level{FirstLevel{70, 128},  FirstLevel{75, 64},  FirstLevel{80, 192}, FirstLevel{86, 128},
                                 FirstLevel{87, 192},  FirstLevel{89, 128}, FirstLevel{90, 256}, FirstLevel{100, 256},
                                 FirstLevel{103, 256}, FirstLevel{120, 128}};

template <class Rows>
auto row_of(const Rows& rows, const Gpu& gpu) -> const typename Rows::value_type* {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto& row) { return row.capability == 10 * gpu.major + gpu.minor; });
  return found == rows.end() ? nullptr : &*found;
}

std::optional<int> known(int n) { return n > 0 ? std::optional(n) : std::nullopt; }

}  // namespace

std::optional<int> vector_lanes(const Gpu& gpu, std::string_view precision) {
  const auto* const units = row_of(vector_units, gpu);
  if (!units) return std::nullopt;
  if (precision == "fp64") return known(units->fp64);
  if (precision == "fp32") return known(units->fp32);
  if (precision == "fp16x2") return known(units->fp16);
  return precision == "bf16x2" ? known(units->bf16) : std::nullopt;
}

std::optional<int> tensor_flops(const Gpu& gpu, std::string_view precision) {
  const auto* const units = row_of(tensor_units, gpu);
  if (!units) return std::nullopt;
  if (precision == "fp64") return known(units->fp64);
  if (precision == "tf32") return known(units->tf32);
  if (precision == "fp16") return known(units->fp16);
  if (precision == "bf16") return known(units->bf16);
  if (precision == "fp8") return known(units->fp8);
  return precision == "int8" ? known(units->int8) : std::nullopt;
}

std::optional<double> flops_per_clock(const Gpu& gpu, const Ceiling& ceiling) {
  if (ceiling.isa.rfind("tensor", 0) == 0) return tensor_flops(gpu, ceiling.precision);
  const auto lanes = vector_lanes(gpu, ceiling.precision);
  if (!lanes || ceiling.operation == Operation::div) return std::nullopt;
  return *lanes * (ceiling.operation == Operation::fma ? 2.0 : 1.0);
}

std::optional<double> l1_bytes(const Gpu& gpu) {
  const auto* const row = row_of(first_level, gpu);
  return row ? std::optional(1024.0 * row->kib) : std::nullopt;
}

}  // namespace roofline
