#include "bench/machine/core_units.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "bench/model/ceiling.hpp"

#if defined(__aarch64__)
#include <sys/prctl.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

namespace roofline {
namespace {

struct Row {
  std::string_view vendor;
  int family, first_model, last_model;
  CoreUnits units;
};

// Sources: software optimization guides of AMD (families 17h, 19h, 1Ah) and Intel; Agner Fog, "The microarchitecture of
// Intel, AMD and VIA CPUs"; uops.info. Zen's additions have two pipes next to the two of FMA and MUL; Haswell and
// Broadwell add on one of the two; from Skylake on additions share the FMA pipes. Zen 1: the latency of a
// multiplication depends on the precision. Golden Cove: additions have partly pipes of their own, left open.
constexpr CoreUnits zen5{2, 64, 2, 4, 4, 3, 2, 128, 64};
constexpr CoreUnits zen3_zen4{2, 32, 2, 4, 4, 3, 3, 64, 32};
constexpr CoreUnits zen2{2, 32, 2, 4, 5, 3, 3, 64, 32};
constexpr CoreUnits zen1{2, 16, 2, 4, 5, 0, 3, 32, 16};
constexpr CoreUnits haswell{2, 32, 1, 2, 5, 5, 3, 64, 32};
constexpr CoreUnits broadwell{2, 32, 1, 2, 5, 3, 3, 64, 32};
constexpr CoreUnits skylake{2, 32, 2, 2, 4, 4, 4, 64, 32};
constexpr CoreUnits skylake_server{2, 64, 2, 2, 4, 4, 4, 128, 64};
constexpr CoreUnits skylake_server_one_unit{2, 32, 2, 2, 4, 4, 4, 128, 64};
constexpr CoreUnits icelake_client{2, 32, 2, 2, 4, 4, 4, 128, 64};
constexpr CoreUnits golden_cove_server{2, 64, 0, 0, 4, 4, 0, 128, 64};

constexpr std::string_view amd = "AuthenticAMD", intel = "GenuineIntel";
constexpr std::array table{
    Row{amd, 26, 0x00, 0x1f, zen5},  // Turin
    Row{amd, 26, 0x40, 0x4f, zen5},  // Granite Ridge; the narrower mobile Zen 5 is not listed
    Row{amd, 25, 0x00, 0xff, zen3_zen4},
    Row{amd, 23, 0x30, 0xff, zen2},
    Row{amd, 23, 0x00, 0x2f, zen1},
    Row{intel, 6, 0x3c, 0x3c, haswell},
    Row{intel, 6, 0x3f, 0x3f, haswell},
    Row{intel, 6, 0x45, 0x46, haswell},
    Row{intel, 6, 0x3d, 0x3d, broadwell},
    Row{intel, 6, 0x47, 0x47, broadwell},
    Row{intel, 6, 0x4f, 0x4f, broadwell},
    Row{intel, 6, 0x56, 0x56, broadwell},
    Row{intel, 6, 0x4e, 0x4e, skylake},
    Row{intel, 6, 0x5e, 0x5e, skylake},
    Row{intel, 6, 0x8e, 0x8e, skylake},         // Kaby, Coffee, Whiskey, Comet Lake
    Row{intel, 6, 0x9e, 0x9e, skylake},         //
    Row{intel, 6, 0xa5, 0xa6, skylake},         //
    Row{intel, 6, 0x55, 0x55, skylake_server},  // Skylake-SP, Cascade Lake, Cooper Lake
    Row{intel, 6, 0x6a, 0x6a, skylake_server},  // Ice Lake-SP
    Row{intel, 6, 0x6c, 0x6c, skylake_server},
    Row{intel, 6, 0x7d, 0x7e, icelake_client},
    Row{intel, 6, 0x8c, 0x8d, icelake_client},      // Tiger Lake
    Row{intel, 6, 0xa7, 0xa7, icelake_client},      // Rocket Lake
    Row{intel, 6, 0x8f, 0x8f, golden_cove_server},  // Sapphire Rapids
    Row{intel, 6, 0xcf, 0xcf, golden_cove_server},  // Emerald Rapids
    Row{intel, 6, 0xad, 0xae, golden_cove_server},  // Granite Rapids
};

/// FLOPs of one core in a cycle, full ILP.
double flops_per_cycle(const CoreUnits& units, const Ceiling& ceiling) {
  const int element = ceiling.precision == "fp32" ? 4 : 8;
  const int vector = vector_bytes(ceiling.isa, element);
  const double lanes = std::min(vector, units.pipe_bytes) / element;
  switch (ceiling.operation) {
    case Operation::fma:
      return 2 * units.fma_pipes * lanes;
    case Operation::nofma:
      return units.pair_pipes * lanes;
    case Operation::add:
      return units.add_pipes * lanes;
    case Operation::mul:
      return units.fma_pipes * lanes;
    default:
      return 0;
  }
}

/// FLOPs of one core in a cycle when every step waits for the one before.
double chain_flops_per_cycle(const CoreUnits& units, const Ceiling& ceiling) {
  const int element = ceiling.precision == "fp32" ? 4 : 8;
  const double lanes = vector_bytes(ceiling.isa, element) / element;
  const auto one_in = [&](double flops, int latency) { return latency ? flops * lanes / latency : 0; };
  switch (ceiling.operation) {
    case Operation::fma:
      return one_in(2, units.fma_latency);
    case Operation::nofma:
      return units.mul_latency && units.add_latency ? one_in(2, units.mul_latency + units.add_latency) : 0;
    case Operation::add:
      return one_in(1, units.add_latency);
    case Operation::mul:
      return one_in(1, units.mul_latency);
    default:
      return 0;
  }
}

/// Bytes a core loads and stores in a cycle at L1, the loads and stores of a mix running side by side: two of each,
/// no wider than the vectors that it has here (hypervisors hide AVX-512).
double bytes_per_cycle(const CoreUnits& units, Mix mix) {
  const double widest = 2.0 * widest_vector_bytes();
  const auto rate = [&](double loads, double stores) {
    return (loads + stores) / std::max(loads / std::min<double>(units.load_bytes, widest),
                                       stores / std::min<double>(units.store_bytes, widest));
  };
  const auto& bytes = facts(mix);
  return is_roof(mix) ? rate(bytes.explicit_bytes - bytes.stored_bytes, bytes.stored_bytes) : 0;
}

/// Xeon Silver, Bronze and most Gold 5xxx of the Skylake-SP generations have one 512-bit unit.
bool has_one_wide_unit(const Machine& machine) {
  if (machine.vendor != intel || machine.family != 6 || machine.model != 0x55) return false;
  if (machine.name.find("5122") != std::string::npos || machine.name.find("5222") != std::string::npos) return false;
  for (const auto* part : {"Silver", "Bronze", "Gold 5"})
    if (machine.name.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

std::optional<CoreUnits> core_units(const Machine& machine) {
  if (machine.vendor == intel && machine.amx) return golden_cove_server;
  if (has_one_wide_unit(machine)) return skylake_server_one_unit;
  for (const auto& row : table)
    if (machine.vendor == row.vendor && machine.family == row.family && machine.model >= row.first_model &&
        machine.model <= row.last_model)
      return row.units;
  return std::nullopt;
}

std::optional<double> theoretical_rate(const Ceiling& ceiling, const Machine& machine) {
  const auto units = core_units(machine);
  if (!units || machine.clock_hz <= 0) return std::nullopt;
  double per_cycle = 0;
  if (ceiling.kind == Ceiling::Kind::compute)
    per_cycle = ceiling.ilp ? flops_per_cycle(*units, ceiling) : chain_flops_per_cycle(*units, ceiling);
  else if (ceiling.level == MemoryLevel::L1)
    per_cycle = bytes_per_cycle(*units, ceiling.mix);
  if (per_cycle == 0) return std::nullopt;
  // Threads of one core share its units; chains of several fill what one of them leaves idle.
  const int cores = std::max(machine.cores, machine.usable_cores);
  const bool is_chain = ceiling.kind == Ceiling::Kind::compute && !ceiling.ilp;
  return per_cycle * machine.clock_hz * (is_chain ? ceiling.threads : std::min(ceiling.threads, cores));
}

int widest_vector_bytes() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 16;
  return __builtin_cpu_supports("avx512f") ? 64 : 32;
#elif defined(__aarch64__)
  const int vector = prctl(PR_SVE_GET_VL);  // negative without SVE
  const int bytes = vector < 0 ? 0 : vector & PR_SVE_VL_LEN_MASK;
  return bytes == 64 || bytes == 32 ? bytes : 16;  // code is compiled for one length
#else
  return 16;
#endif
}

bool runs_vectors_of(int bytes) {
#if defined(__aarch64__)
  return widest_vector_bytes() == bytes;
#else
  return widest_vector_bytes() >= bytes;
#endif
}

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
