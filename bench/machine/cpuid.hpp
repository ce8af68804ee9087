#pragma once
#include <cstdint>
#include <functional>

namespace roofline {

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
