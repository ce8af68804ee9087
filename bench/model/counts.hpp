#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The axis of the hierarchical roofline. Bytes "of L2" are the bytes that move between L2 and the level nearer to the
/// core; bytes of L1 are the core's loads and stores. A GPU also has memory besides this hierarchy: the memory that a
/// block shares on its SM, and the host's.
enum class MemoryLevel { L1, L2, L3, DRAM, shared, sysmem };
/// The hierarchy, from the core outwards.
inline constexpr std::array<MemoryLevel, 4> memory_levels{MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::L3,
                                                          MemoryLevel::DRAM};
/// The hierarchy and what is next to it.
inline constexpr std::array<MemoryLevel, 6> all_memory_levels{
    MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::L3, MemoryLevel::DRAM, MemoryLevel::shared, MemoryLevel::sysmem};
constexpr std::string_view name(MemoryLevel level) {
  constexpr std::array<std::string_view, all_memory_levels.size()> names{"L1", "L2", "L3", "DRAM", "shared", "sysmem"};
  return names[static_cast<std::size_t>(level)];
}

constexpr std::optional<MemoryLevel> level_of(std::string_view text) {
  for (const auto level : all_memory_levels)
    if (name(level) == text) return level;
  return std::nullopt;
}

/// Where a number comes from; shown wherever the number is shown.
enum class Source { analytic, software, modelled, hardware, imported, emulated };
constexpr std::string_view name(Source source) {
  constexpr std::array<std::string_view, 6> names{"analytic", "software", "modelled",
                                                  "hardware", "imported", "emulated"};
  return names[static_cast<std::size_t>(source)];
}

/// How the FLOPs of a point are counted. Two accounts differ where there are divisions.
enum class FlopAccount {
  canonical,  ///< see Operations::flops()
  counted,    ///< as a file or counters counted them: a division is what it was expanded to
  expanded    ///< a division has the number of FLOPs that Results::flop_convention names
};
constexpr std::string_view name(FlopAccount account) {
  constexpr std::array<std::string_view, 3> names{"canonical", "counted", "expanded"};
  return names[static_cast<std::size_t>(account)];
}

/// Floating-point operations by kind.
struct Operations {
  std::uint64_t add = 0, mul = 0, fma = 0, div = 0, sqrt = 0;
  std::uint64_t logic = 0;  ///< abs, min, max, compare, select: instructions, and no FLOP

  /// Canonical account: every operation is one FLOP, a fused multiply-add two, a division and a square root one (NERSC
  /// convention). Operations that only choose between numbers do not count.
  constexpr std::uint64_t flops() const { return add + mul + 2 * fma + div + sqrt; }
  constexpr std::uint64_t instructions() const { return add + mul + fma + div + sqrt + logic; }
  /// alpha = FMA / (FMA + MUL + ADD); 0 when nothing of the kind was executed.
  constexpr double fma_fraction() const {
    const auto issued = add + mul + fma;
    return issued == 0 ? 0.0 : static_cast<double>(fma) / static_cast<double>(issued);
  }
  constexpr Operations& operator+=(const Operations& o) {
    add += o.add, mul += o.mul, fma += o.fma, div += o.div, sqrt += o.sqrt, logic += o.logic;
    return *this;
  }
  friend constexpr Operations operator+(Operations a, const Operations& b) { return a += b; }
  friend constexpr Operations operator-(const Operations& a, const Operations& b) {
    return {a.add - b.add, a.mul - b.mul, a.fma - b.fma, a.div - b.div, a.sqrt - b.sqrt, a.logic - b.logic};
  }
  friend constexpr bool operator==(const Operations&, const Operations&) = default;
};

/// Bytes moved at one level during one launch.
struct Traffic {
  double read = 0, written = 0;
  constexpr double total() const { return read + written; }
  friend constexpr bool operator==(const Traffic&, const Traffic&) = default;
};

/// The range of a quantity: the lowest and highest answer of a model over its assumptions.
struct Span {
  double low = 0, high = 0;
  double middle() const { return (low + high) / 2; }
  bool contains(double x) const { return low <= x && x <= high; }
};

/// The hardware counters' value for a quantity, next to the modelled or software-counted one.
struct CountedAndModelled {
  std::string quantity;  ///< "flops_fp64", "L2.read", "DRAM.written"
  double measured = 0;   ///< FLOPs or bytes of one launch
  std::optional<double> modelled;
  std::optional<double> ratio;  ///< measured / modelled; absent where that says nothing
  std::string note = {};        ///< why they differ by more than a fifth, where the cause is known
};

/// Operations and bytes of one launch, each with its source. A level that is not known is absent, never zero.
struct Counts {
  Operations operations;
  std::string precision = "fp64";  ///< of the operations: fp64, fp32, fp16, or unknown
  Source operations_source = Source::software;
  FlopAccount account = FlopAccount::canonical;
  /// The instructions of the launch where they are others than its operations: divisions expanded.
  std::optional<Operations> executed;
  std::array<std::optional<Traffic>, all_memory_levels.size()> traffic;  ///< indexed by MemoryLevel
  Source traffic_source = Source::modelled;
  /// Bytes read from DRAM, by a model whose stores allocate, only because of stores that then overwrote the whole line;
  /// absent: not known.
  std::optional<double> overwritten;
  double evaded = 0;  ///< bytes of these that the traffic does not have, because this machine's stores evade reading
  std::optional<double> streamed;  ///< of the bytes written to DRAM those of streaming stores; absent: not known
  /// Bytes read from DRAM in unpaired lines: the neighbour in the aligned pair of lines was not in a cache then, and
  /// did not come in from DRAM as long as they were in the last one; absent: not known.
  std::optional<double> unpaired;
  /// Bytes loaded from L1 in vectors that cross the end of a line (of 64 B in packs of eight, however wide the vectors
  /// of this CPU are), and in complex numbers that are gathered from separate places; absent: not known.
  std::optional<double> split, gathered;
  bool gathers_by_instructions = false;  ///< made for that; else by loads and shuffles, or nobody knows
  /// Parallel loops, each of which starts all threads and waits for them; absent: not known.
  std::optional<double> regions;
  /// All instructions in one launch, and the cycles that cores ran for them; absent: nothing counts them.
  std::optional<double> instructions, cycles;
  /// Total bytes of a level, where the model gives an interval.
  std::array<std::optional<Span>, all_memory_levels.size()> range;
  std::string modelled_device;               ///< whose caches modelled bytes went through: "host", "v100"
  std::string traffic_note;                  ///< what was modelled, e.g. "LRU 48K/12 1M/16 32M/16, window 3 of 512"
  std::vector<MemoryLevel> modelled_levels;  ///< of counted traffic: levels without a counter that can be trusted
  std::vector<MemoryLevel> modelled_writes;  ///< of counted traffic: levels whose reads alone were counted
  std::vector<CountedAndModelled> counted;   ///< counted and modelled, of a CPU with counters
  bool kinds_known = true;                   ///< false: `operations` has the right FLOPs, of kinds unknown
  std::map<std::string, double> details;     ///< further figures of a GPU's counters, by their key in a JSON row

  std::optional<double> instructions_per_cycle() const {
    return instructions && cycles && *cycles > 0 ? std::optional(*instructions / *cycles) : std::nullopt;
  }
  bool knows_precision() const { return precision != "unknown"; }
  const std::optional<Traffic>& at(MemoryLevel level) const { return traffic[static_cast<std::size_t>(level)]; }
  std::optional<Traffic>& at(MemoryLevel level) { return traffic[static_cast<std::size_t>(level)]; }
  /// "modelled(v100)", "hardware", "hardware(L2:modelled)": how the bytes are labelled.
  std::string traffic_label() const {
    std::string label(name(traffic_source));
    if (traffic_source == Source::modelled && !modelled_device.empty()) return label + "(" + modelled_device + ")";
    std::string parts;
    for (const auto level : modelled_levels) parts += "," + std::string(name(level)) + ":modelled";
    for (const auto level : modelled_writes) parts += "," + std::string(name(level)) + ":writes_modelled";
    return parts.empty() ? label : label + "(" + parts.substr(1) + ")";
  }
  /// Arithmetic intensity in FLOP/B at a level; absent when the level is unknown or moves nothing.
  std::optional<double> intensity(MemoryLevel level) const {
    const auto& bytes = at(level);
    if (!bytes || bytes->total() <= 0) return std::nullopt;
    return static_cast<double>(operations.flops()) / bytes->total();
  }
};

}  // namespace roofline
