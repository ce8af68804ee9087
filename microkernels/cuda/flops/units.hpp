#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cuda/gpu.hpp"
#include "bench/model/ceiling.hpp"
#include "microkernels/cuda/flops/flops.hpp"

namespace roofline {

/// Results per clock and SM of additions, multiplications and fused multiply-adds of a precision on the vector units;
/// absent where no source says.
std::optional<int> vector_lanes(const Gpu& gpu, std::string_view precision);

/// Canonical FLOPs per clock and SM of matrix multiplications: the dense rate of the tensor cores.
std::optional<int> tensor_flops(const Gpu& gpu, std::string_view precision);

/// FLOPs per clock and SM of a compute ceiling at best: absent for divisions, which are sequences of instructions.
std::optional<double> flops_per_clock(const Gpu& gpu, const Ceiling& ceiling);
/// FLOP/s of the device at a clock in Hz; none where flops_per_clock() is absent.
std::function<double(double)> theory_of(const Gpu& gpu, const Ceiling& ceiling);

struct CeilingWork;
/// A loop as a ceiling of the whole device.
struct LoopCeiling {
  cudaError_t (*kernel)(const LoopLaunch&);
  int fitting;                                          ///< blocks on an SM
  LoopLaunch launch;                                    ///< threads and operands
  std::vector<int> in = {};                             ///< words of the kernel's input
  int steps;                                            ///< per iteration
  double work;                                          ///< of a thread in an iteration
  std::string variant;                                  ///< but for the warps
  std::function<std::uint64_t(std::int64_t)> expected;  ///< what every thread leaves after so many steps
  std::string wrong;                     ///< format of a message from what a thread left, and should have
  std::function<double(double)> theory;  ///< of the clock in Hz; none: unknown
};
/// Throws NoSuchCeiling where none fits: there is no code for the device.
CeilingWork work_of(LoopCeiling loop, const Gpu& gpu);

/// Chips, 10 major + minor, whose vector units or SM memory are not documented: Jetson, DGX and the B300. Their results
/// are not compared with theory.
inline constexpr std::array unknown_units{87, 88, 103, 110, 121};
inline constexpr std::array unknown_l1{88, 110, 121};

/// Bytes per clock and SM between the lanes and L1 or shared memory: 128 since Volta, 64 on Turing (whitepapers).
inline double l1_bytes_per_clock(const Gpu& gpu) { return gpu.major == 7 && gpu.minor == 5 ? 64 : 128; }

/// Bytes of the memory of an SM that is L1 where a kernel uses no shared memory; absent where no source says.
std::optional<double> l1_bytes(const Gpu& gpu);

}  // namespace roofline
