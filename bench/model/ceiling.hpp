#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "bench/model/counts.hpp"
#include "bench/model/mix.hpp"

namespace roofline {

/// The operations of a compute ceiling. divfma: a division and a fused multiply-add that waits for it; fma48div: fused
/// multiply-adds and next to each 48 of them a division that nothing waits for.
enum class Operation { fma, nofma, add, mul, div, divfma, fma48div };
/// FMAs for each division of fma48div: so many that they hardly ever wait for the divider.
inline constexpr int fmas_beside_division = 48;
inline constexpr std::array<std::string_view, 7> operation_names{"fma", "nofma",  "add",     "mul",
                                                                 "div", "divfma", "fma48div"};
constexpr std::string_view name(Operation operation) { return operation_names[static_cast<std::size_t>(operation)]; }

constexpr std::optional<Operation> operation_of(std::string_view text) {
  for (std::size_t i = 0; i < operation_names.size(); ++i)
    if (operation_names[i] == text) return static_cast<Operation>(i);
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
  std::string isa;  ///< scalar, sse, avx2, avx512; on GPUs vector, tensor:mma.m8n8k4, ...; for a described device its
                    ///< name name, tensor
  bool ilp = true;  ///< false: one dependent chain per thread, latency-bound
  int warps = 0;    ///< of a GPU, on each SM; 0: as many as fit. With few of them it is a latency, not a roof

  // rate of anything else; kernels are not compared with it
  std::string resource;  ///< in the name of its row: "sqrt"
  std::string unit;      ///< what is done so often in a second: "sqrt"

  // bandwidth
  MemoryLevel level = MemoryLevel::DRAM;
  Mix mix = Mix::read;
  double working_set = 0;              ///< bytes over all threads
  double bytes_per_explicit_byte = 1;  ///< lines moved / bytes loaded and stored: 4/3 for a triad with write-allocate

  // result: FLOP/s, B/s (lines moved, write-allocates included where stores do not evade them, see StorePolicy; at L1
  // the bytes loaded and stored), instructions/s, or of an overhead parallel regions/s
  double rate = 0;  ///< median over its visits of the best sample, without visits that were disturbed (see measured())
  double rate_low = 0, rate_high = 0;  ///< smallest and largest of the visits' best
  double rate_median = 0;              ///< equal to the rate; in older files the median of all samples; 0: unknown
  double of_fma = 0;                   ///< fma48div: the rate over that of FMAs alone, sampled in turns; 0: unknown
  int samples = 0;                     ///< 0: not measured
  std::optional<double> theory;        ///< units x lanes x measured clock, where it is known
  std::string label;                   ///< what a file from elsewhere calls it; empty: the above says it
  bool external = false;               ///< of another tool: shown next to the roofs, never one
  std::string variant;                 ///< the generated variant that won, e.g. "12 chains"
  std::size_t winner = 0;              ///< its number among the variants, in the run that measured it
  /// Hz of a GPU's SMs: the highest of its samples; for a sustained ceiling before the load and at its end. 0: unknown
  double clock_begin = 0, clock_end = 0;
  /// Every unit is busy with independent work for as long as a launch. Kernels are compared with these.
  bool full_rate() const { return ilp && warps == 0 && !sustained; }
  /// Instructions on whole matrices, by units of their own.
  bool on_matrices() const { return isa.rfind("tensor", 0) == 0; }
};

/// A kind as data.
struct CeilingKind {
  std::string_view name;  ///< in run.json
  std::string_view row;   ///< how its rows are called behind "ceiling/"
  std::string_view unit;  ///< of its rate
};
/// In the order of the enumeration.
inline constexpr std::array<CeilingKind, 5> ceiling_kinds{{
    {.name = "compute", .row = "flops", .unit = "FLOP/s"},
    {.name = "bandwidth", .row = "bandwidth", .unit = "B/s"},
    {.name = "instructions", .row = "instructions/front_end", .unit = "instructions/s"},
    {.name = "overhead", .row = "overhead/fork_join", .unit = "regions/s"},
    {.name = "rate", .row = "rate", .unit = "rate"},
}};
constexpr const CeilingKind& facts(Ceiling::Kind kind) { return ceiling_kinds[static_cast<std::size_t>(kind)]; }

/// Bytes of a register of an instruction set, as ceilings name it, that holds elements of `element` bytes; 0 for a name
/// that is not known.
constexpr int vector_bytes(std::string_view isa, int element) {
  if (isa == "scalar") return element;
  if (isa == "sse" || isa == "neon") return 16;
  if (isa == "avx2" || isa == "sve256") return 32;
  return isa == "avx512" || isa == "sve512" ? 64 : 0;
}

/// The name of a ceiling's row, made of what it is:
/// ceiling/flops/PRECISION/OPERATION[/ISA][/chain][/warps:N][/sustained][/threads:N],
/// ceiling/bandwidth/LEVEL/MIX[/ISA][/sustained][/threads:N], ceiling/instructions/front_end/threads:N. A GPU's have no
/// number of threads; its instructions are those that schedulers issue: ceiling/instructions/issue.
std::string ceiling_name(const Ceiling& ceiling);

/// The inverse: all properties of a ceiling that its name tells. Absent when it is not the name of a ceiling.
std::optional<Ceiling> parse_ceiling_name(std::string_view name);

/// A resource that can bind a launch: compared as data, and named in one place.
struct Resource {
  enum class Kind {
    fma,                 ///< the ceiling of FMAs
    nofma,               ///< that of builds without them
    multipliers,         ///< issue slots of FMAs and multiplications
    multipliers_in_div,  ///< the same with those that divisions take
    adders,
    issue,  ///< slots of all arithmetic together
    divider,
    roots,  ///< the divider, taking more square roots than it divides
    flops,  ///< FLOPs that no ceiling stands for
    memory,
    unpaired_lines,
    gathers,
    split_loads,
    front_end,
    fork_join,
    unknown  ///< of a file that does not say it
  };
  Kind kind = Kind::unknown;
  std::optional<MemoryLevel> level = {};  ///< whose bytes, or loads, these are
  std::optional<Mix> mix = {};            ///< of memory compared with the ceiling of an access mix

  Resource() = default;
  Resource(Kind which, std::optional<MemoryLevel> of_level = {}, std::optional<Mix> of_mix = {})
      : kind(which), level(of_level), mix(of_mix) {}
  Resource(MemoryLevel of_level, std::optional<Mix> of_mix = {}) : Resource(Kind::memory, of_level, of_mix) {}
  bool is_arithmetic() const { return kind <= Kind::flops; }
  friend bool operator==(const Resource&, const Resource&) = default;
};

constexpr std::string_view name(Resource::Kind kind) {
  constexpr std::array<std::string_view, 16> names{
      "fma",     "nofma",  "fma+mul",        "fma+mul+div", "add",         "issue",     "div",       "sqrt",
      "compute", "memory", "unpaired lines", "gathers",     "split loads", "front end", "fork-join", "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

/// "DRAM", of an access mix "DRAM copy", "DRAM unpaired lines", "L1 gathers", "fma+mul", "fork-join", ...
std::string name(const Resource& resource);

/// The inverse; absent where there is none of that name.
std::optional<Resource> resource_of(std::string_view name);

}  // namespace roofline
