#include "bench/machine/cpuid.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace roofline {
CpuidRegisters cpuid([[maybe_unused]] std::uint32_t leaf, [[maybe_unused]] std::uint32_t subleaf) {
  CpuidRegisters r;
#if defined(__x86_64__)
  if (!__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx)) return {};
#endif
  return r;
}

bool has_amx(const Cpuid& ask) { return ask(7, 0).edx >> 24 & 1; }

bool has_hypervisor(const Cpuid& ask) { return ask(1, 0).ecx >> 31 & 1; }

}  // namespace roofline
