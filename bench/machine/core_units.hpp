#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "bench/machine/machine.hpp"
#include "bench/model/ceiling.hpp"

namespace roofline {

/// The rates of one core of a known type per cycle; 0 = not known.
struct CoreUnits {
  int fma_pipes = 0;   ///< fused multiply-adds (and multiplications) started in a cycle
  int pipe_bytes = 0;  ///< width of such a pipe; wider instructions take several
  int add_pipes = 0;   ///< additions started in a cycle
  int pair_pipes = 0;  ///< additions and multiplications in equal numbers: more than fma_pipes where additions have
                       ///< pipes of their own
  int fma_latency = 0, mul_latency = 0, add_latency = 0;  ///< cycles
  int load_bytes = 0, store_bytes = 0;                    ///< from and to L1 in a cycle, both at once
};

/// The core's units by vendor, family and model; absent for a type that is not in the table. An Intel CPU with AMX is a
/// Xeon since Sapphire Rapids even where a hypervisor gives it the number of another.
std::optional<CoreUnits> core_units(const Machine& machine);

/// Theoretical value in FLOP/s or B/s of a ceiling: units x lanes x the machine's measured clock x threads, one chain:
/// 1 / latency. Absent where it is not known (divisions, levels beyond L1, unknown cores).
std::optional<double> theoretical_rate(const Ceiling& ceiling, const Machine& machine);

/// Bytes of the widest vector instructions that this CPU and its system execute: 16, 32 (AVX2 with FMA, SVE) or 64
/// (AVX-512, SVE).
int widest_vector_bytes();
/// Whether code for vectors of that length runs here: a register of Arm's SVE has one length.
bool runs_vectors_of(int bytes);

/// One answer of the CPUID instruction.
struct CpuidRegisters {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};
using Cpuid = std::function<CpuidRegisters(std::uint32_t leaf, std::uint32_t subleaf)>;

/// This CPU's answers; zeros for leaves it does not have, and everywhere but on x86.
CpuidRegisters cpuid(std::uint32_t leaf, std::uint32_t subleaf);

/// Whether the CPU has tiles for products of matrices (Intel SDM vol. 2A, CPUID leaf 7, EDX bit 24).
bool has_amx(const Cpuid& ask);

/// Whether a hypervisor says that this is a guest of it (the bit that both vendors leave to software, CPUID leaf 1, ECX
/// bit 31).
bool has_hypervisor(const Cpuid& ask);

}  // namespace roofline
