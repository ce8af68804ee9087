#pragma once
#include <optional>
#include <string>

#include "bench/model/counts.hpp"
#include "bench/model/mix.hpp"

namespace roofline {

/// What a compute ceiling executes. divfma: a division and a fused multiply-add that waits for it; fma48div: fused
/// multiply-adds and next to each 48 of them a division that nothing waits for.
enum class Operation { fma, nofma, add, mul, div, divfma, fma48div };
/// FMAs for each division of fma48div: so many that they hardly ever wait for the divider.
inline constexpr int fmas_beside_division = 48;
constexpr std::string_view name(Operation operation) {
  constexpr std::array<std::string_view, 7> names{"fma", "nofma", "add", "mul", "div", "divfma", "fma48div"};
  return names[static_cast<std::size_t>(operation)];
}

constexpr std::optional<Operation> operation_of(std::string_view text) {
  for (const auto operation : {Operation::fma, Operation::nofma, Operation::add, Operation::mul, Operation::div,
                               Operation::divfma, Operation::fma48div})
    if (name(operation) == text) return operation;
  return std::nullopt;
}

/// One line of a roofline: a resource, its best sustained rate, and how it was reached.
struct Ceiling {
  enum class Kind { compute, bandwidth, instructions, overhead, rate };
  Kind kind = Kind::compute;
  std::string name;           ///< of the benchmark row: see ceiling_name()
  int threads = 1;            ///< of a CPU; 1 of a whole device
  bool whole_device = false;  ///< a GPU's
  bool sustained = false;     ///< under a load of seconds, when power and heat have lowered the clock: not a roof

  // compute
  std::string precision = "fp64";  ///< fp64, fp32; on GPUs fp16x2, bf16x2, and of matrices tf32, fp16, bf16, fp8, int8
  Operation operation = Operation::fma;
  std::string isa;  ///< scalar, sse, avx2, avx512; on GPUs vector, tensor:mma.m8n8k4, ...; of a described device its
                    ///< name, tensor
  bool ilp = true;  ///< false: one dependent chain per thread, latency-bound
  int warps = 0;    ///< of a GPU: that run on each SM; 0: as many as fit. With few of them a latency, not a roof

  // rate: of anything else, with which no kernel is compared
  std::string resource;  ///< in the name of its row: "sqrt"
  std::string unit;      ///< what is done so often in a second: "sqrt"

  // bandwidth
  MemoryLevel level = MemoryLevel::DRAM;
  Mix mix = Mix::read;
  double working_set = 0;              ///< bytes over all threads
  double bytes_per_explicit_byte = 1;  ///< lines moved / bytes loaded and stored: 4/3 for a triad with write-allocate

  // result: FLOP/s, B/s (lines moved, write-allocates included where stores do not evade them, see StorePolicy; at L1
  // the bytes loaded and stored), instructions/s, or of an overhead parallel regions/s
  double rate = 0;                     ///< best of all samples
  double rate_low = 0, rate_high = 0;  ///< smallest and largest of the rounds' best
  double rate_median = 0;              ///< of all samples; 0: unknown
  int samples = 0;                     ///< 0: not measured
  std::optional<double> theory;        ///< units x lanes x measured clock, where it is known
  std::string label;                   ///< what a file from elsewhere calls it; empty: the above says it
  bool external = false;               ///< of another tool: shown next to the roofs, never one
  std::string variant;                 ///< the generated variant that won, e.g. "12 chains"
  std::size_t winner = 0;              ///< its number among the variants, in the run that measured it
  /// Hz of a GPU's SMs: the highest of its samples; of a sustained one before the load and at its end. 0: unknown
  double clock_begin = 0, clock_end = 0;
  /// Every unit busy with independent work for as long as a launch: what kernels are compared with.
  bool full_rate() const { return ilp && warps == 0 && !sustained; }
  /// Of instructions on whole matrices, by units of their own.
  bool on_matrices() const { return isa.rfind("tensor", 0) == 0; }
};

}  // namespace roofline
