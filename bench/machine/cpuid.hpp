#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/machine/cache_level.hpp"

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

/// Sizes of the data caches in bytes as one CPUID leaf tells them; 0 = not told.
struct CpuidCaches {
  std::uint32_t leaf = 0;
  std::array<std::uint64_t, 3> size{};  ///< L1, L2, L3
};

/// Every leaf that speaks of caches: 4 (Intel), 0x8000001D (AMD, per cache), 0x80000006 (AMD, L2 and the L3 of the
/// whole package; what getconf reports). Formats: Intel SDM vol. 2A CPUID, AMD APM vol. 3 appendix E.
std::vector<CpuidCaches> cpuid_caches(const Cpuid& ask);

/// Where the leaves differ from `caches`, for example "L3: 32 MiB by sysfs, 384 MiB by CPUID 0x80000006"; empty when
/// they agree. A level that one side does not know is no disagreement.
std::string cache_disagreement(const std::vector<CacheLevel>& caches, const std::vector<CpuidCaches>& opinions);

}  // namespace roofline
