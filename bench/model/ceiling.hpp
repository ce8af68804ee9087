#pragma once
#include <optional>
#include <string>

#include "bench/model/counts.hpp"

namespace roofline {

/// What a compute ceiling executes.
enum class Operation { fma, nofma, add, mul, div, divfma };
constexpr std::string_view name(Operation operation) {
  constexpr std::array<std::string_view, 6> names{"fma", "nofma", "add", "mul", "div", "divfma"};
  return names[static_cast<std::size_t>(operation)];
}

/// One line of a roofline: a resource, its best sustained rate, and how it was reached.
struct Ceiling {
  enum class Kind { compute, bandwidth };
  Kind kind = Kind::compute;
  std::string
      name;  ///< of the benchmark row: ceiling/flops/fp64/fma/avx512/threads:2, ceiling/bandwidth/DRAM/triad/...
  int threads = 1;
  bool sustained = false;  ///< under a load of seconds, when power and heat have lowered the clock: not a roof

  // compute
  std::string precision = "fp64";  ///< fp64, fp32; on GPUs fp16x2, bf16x2, and of matrices tf32, fp16, bf16, fp8, int8
  Operation operation = Operation::fma;
  std::string isa;  ///< scalar, sse, avx2, avx512; on GPUs vector, tensor:mma.m8n8k4, ...
  bool ilp = true;  ///< false: one dependent chain per thread, latency-bound

  // bandwidth
  MemoryLevel level = MemoryLevel::DRAM;
  std::string mix;                     ///< read, write, write_nt, copy, triad, update, stride:8, random, ...
  double working_set = 0;              ///< bytes over all threads
  double bytes_per_explicit_byte = 1;  ///< lines moved / bytes loaded and stored: 4/3 for a triad with write-allocate

  // result: FLOP/s or B/s (lines moved, write-allocates included; at L1 the bytes loaded and stored)
  double rate = 0, rate_low = 0, rate_high = 0;  ///< median and its 95 % interval
  int samples = 0;
  std::optional<double> theory;           ///< units x lanes x measured clock, where it is known
  std::string label;                      ///< what a file from elsewhere calls it; empty: the above says it
  bool opinion = false;                   ///< of another tool: shown beside the roofs, never one
  std::string variant;                    ///< the generated variant that won, e.g. "12 chains"
  std::size_t winner = 0;                 ///< its number among the variants, in the run that measured it
  double clock_begin = 0, clock_end = 0;  ///< of a sustained one: Hz before the load and at its end; 0: unknown
};

}  // namespace roofline
