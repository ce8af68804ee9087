#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/counters/perf/group.hpp"

namespace roofline::perf {

/// The quantities of a launch that a CPU counts. FLOPs without a precision are the sum over all precisions, as some
/// CPUs count them. Bytes of a level are the traffic between it and the level nearer to the core.
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

/// Values of one launch: FLOPs, bytes, numbers. Unknown values are absent.
using CpuValues = std::map<CpuQuantity, double>;

/// Which CPU this is, in the words of CPUID or of Arm's main ID register.
struct CpuIdentity {
  std::string vendor;
  int family = 0, model = 0;
  std::uint32_t midr_part = 0;  ///< of Arm's own cores; 0 elsewhere
};

/// An event's share of a quantity.
struct Term {
  std::string event;         ///< the kernel's name
  std::string likwid;        ///< LIKWID's name for it
  std::string pmu;           ///< name of an uncore unit's devices in sysfs; empty for the core's own events
  std::uint64_t config = 0;  ///< of perf_event_attr
  double weight = 1;         ///< FLOPs or bytes that one count stands for
};

/// How a quantity follows from events.
struct Formula {
  CpuQuantity quantity;
  std::vector<Term> terms;
  std::string source;  ///< of the events and the weights

  /// The weighted sum; absent when a term's event was not counted.
  std::optional<double> value(const EventCounts& counts) const;
};

/// The events of one kind of core.
struct EventTable {
  std::string title;     ///< "AMD Zen 4"
  std::string unproven;  ///< what of it was never seen on hardware; empty when it was
  int counters = 0;      ///< general ones of a core: a group with more events is never scheduled
  std::vector<Formula> formulas;
  std::map<CpuQuantity, std::string> not_counted;  ///< and why

  struct Match {
    std::string vendor;
    int family = 0, first_model = 0, last_model = 0;
    std::uint32_t midr_part = 0;
  };
  std::vector<Match> matches;
  bool is_of(const CpuIdentity& cpu) const;
};

/// Throws FileError naming `origin` and the JSON pointer.
EventTable parse_event_table(std::string_view json, const std::string& origin);

/// The tables that are part of the program, by their names ("zen4").
const std::map<std::string, EventTable>& event_tables();
/// The one of a CPU; null when there is none.
const EventTable* event_table(const CpuIdentity& cpu);

/// This machine's Arm part number, from sysfs; 0 elsewhere.
std::uint32_t midr_part();

/// Instructions and cycles: the kernel knows these two on every CPU.
const std::vector<Formula>& common_formulas();

/// The events of a formula as this machine's kernel has them; an event of an uncore unit once for each device of it
/// below `devices`, on the CPUs that stand for its sockets. Throws CountersUnavailable when there is no such device.
std::vector<Event> events_of(const Formula& formula, const std::string& devices = "/sys/bus/event_source/devices");

/// The files of bench/counters/perf/events by name, as text.
const std::map<std::string, std::string_view>& known_event_tables();

}  // namespace roofline::perf
