#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::cluster {

/// The newest version of the block "roofline" that is understood here.
inline constexpr int newest_schema = 5;

/// The part that a row tests: memory for DRAM's ceilings and the rows that DRAM bounds, core for the rest.
enum class Part { memory, core };
inline constexpr std::array<Part, 2> all_parts{Part::memory, Part::core};
constexpr std::string_view name(Part part) { return part == Part::memory ? "memory" : "core"; }
constexpr std::size_t index(Part part) { return static_cast<std::size_t>(part); }

/// A ceiling or a kernel of one run.
struct RowRate {
  std::string name;
  double rate = 0;  ///< FLOP/s or B/s of a ceiling, launches per second of a kernel
  Part part = Part::core;
  enum class Sum { none, bytes, flops } sum = Sum::none;  ///< units in which rates of nodes add up; none: a kernel's
  bool headline = false;                                  ///< reads DRAM, or multiplies and adds in fp64
};

/// Properties that may differ between nodes that should be equal. The ones before `processor` separate groups of
/// hardware.
enum class Fact {
  fingerprint,
  isa,
  threads,
  gpu,
  group_key,  ///< the value of --group-by
  processor,
  cores,
  smt,
  memory_nodes,
  caches,
  huge_pages,
  clock_source,
  kernel,
  driver,
  compiler,
  suite,
  count
};
constexpr std::size_t index(Fact fact) { return static_cast<std::size_t>(fact); }
inline constexpr std::size_t fact_count = index(Fact::count), group_facts = index(Fact::processor);
std::string_view name(Fact fact);

/// The kept part of one run.json: a name, a date, rates, and facts that explain them.
struct NodeRun {
  std::string node, date;
  std::vector<RowRate> rows;                  ///< by name, each once
  std::array<std::string, fact_count> facts;  ///< empty: not told
  double memory_bytes = 0, clock_hz = 0;      ///< 0: not told
  double steal = 0, throttled = 0;            ///< shares of the run's time that others had, 0 to 1
  std::string disturbed;                      ///< why the run says that it was; empty: it does not
  int failures = 0;                           ///< rows that failed their verification
  std::string failure;                        ///< the first of them, and why
  std::optional<int> local_rank;              ///< of one of several that ran on the node at the same time
  bool own_windows = false;                   ///< and that did not agree on when to measure
  bool complete = true;                       ///< false after an interruption
};

/// Reads the text of a run.json of any version and keeps nothing else. `group_by` is a key of the context, or empty.
/// Throws FileError: one line with `origin`, the place and the reason, also for a run that measured nothing.
NodeRun read_node_run(std::string_view text, const std::string& origin, const std::string& group_by = {});

/// Whether it is what a host may be called: letters, digits, '.', '_' and '-'. Schedulers and shells read lists of
/// nodes, so that no other name may get into one.
bool is_host_name(std::string_view text);

}  // namespace roofline::cluster
