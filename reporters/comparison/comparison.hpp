#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"
#include "bench/result/results.hpp"
#include "reporters/comparison/verdict.hpp"

namespace roofline {

/// One stored run as a side of a comparison: its results, and the facts that decide whether the other side is
/// comparable.
struct Side {
  std::string origin;  ///< the file, for messages
  Results results;
  std::string fingerprint;  ///< hard keys of the machine or GPU; empty: unknown
  std::string model_hash;   ///< of the model that counted bytes; empty: unknown
  std::string compiler;     ///< of the program, with its flags; soft: a difference is said
  std::string suite_version;
  std::map<std::string, std::string> context;  ///< what else a program of Google Benchmark says of itself; soft
  /// Rows that the program has and this run did not measure, with the reason: no memory, interrupted.
  std::map<std::string, std::string> unmeasured;
  bool times_only = false;  ///< of a program of Google Benchmark that makes no roofline
};

/// Reads the text of a run.json, or the output of any Google Benchmark program with --benchmark_out: from the latter
/// the times, a sample for each repetition, and the host as fingerprint. Throws FileError: one line with the origin,
/// the place and the reason, also for two points of one name, which could be paired with either.
Side parse_side(std::string_view text, const std::string& origin);

/// The same from a file of at most 64 MiB.
Side read_side(const std::filesystem::path& path);

/// A ratio of times (new / base) as a product: above 1 costs time.
struct Factors {
  double work = 1;        ///< what the other operations cost at the base's ceilings
  double traffic = 1;     ///< what the other bytes cost there
  double efficiency = 1;  ///< slower code at equal counts
  Resource bound;         ///< the base's
  double product() const { return work * traffic * efficiency; }
};

/// One side of a row: its counts and the time of a launch in seconds.
struct TimedCounts {
  const Counts* counts = nullptr;
  double seconds = 0;
};

/// Splits the ratio of times. The roofline of the *base* prices both sides, so that no ceiling is compared with one of
/// another moment: work = T(new operations, old bytes) / T(old), traffic = T(new) / T(new operations, old bytes) with T
/// the least time of the slowest resource, and efficiency is the rest. Without ceilings the FLOPs stand for T, or, in a
/// row without FLOPs, its outermost bytes. Absent when a time is not positive.
std::optional<Factors> factors_of(const Roofline& roofline, const TimedCounts& base, const TimedCounts& next);

/// The kind of a metric's number, which decides what two of them must have in common.
enum class MetricClass {
  exact,          ///< E: FLOPs by kind, source-level bytes, list of kernels: integers, on any machine
  deterministic,  ///< D: modelled bytes: equal where the model is
  counter,        ///< C: of hardware counters: equal within 1 % (FLOPs), 3 % (L1 to L3), 5 % (DRAM)
  time,           ///< T: seconds of one launch, on one machine
  validity,       ///< V: verification, sanity checks, completeness
};
/// "E", "D", ...
constexpr std::string_view letter(MetricClass metric_class) {
  return std::string_view("EDCTV").substr(static_cast<std::size_t>(metric_class), 1);
}
constexpr std::string_view name(MetricClass metric_class) {
  constexpr std::array<std::string_view, 5> names{"exact", "deterministic", "counter", "time", "validity"};
  return names[static_cast<std::size_t>(metric_class)];
}

/// Why a time was not decided, or is invalid.
enum class Cause { none, too_few_rounds, wide_range, no_time, bad_interval, above_roof };
constexpr std::string_view name(Cause cause) {
  constexpr std::array<std::string_view, 6> names{"",
                                                  "too few rounds",
                                                  "the range holds the floor",
                                                  "no time",
                                                  "an interval that does not hold its median",
                                                  "above its roof"};
  return names[static_cast<std::size_t>(cause)];
}

/// New / base of a row's time. Where rows have roofs beside them, both times are taken relative to these: the ratio is
/// that of the shares, so what the machine gave to both is not in it.
struct TimeRatio {
  double estimate = 1;
  std::optional<Range> range = {};  ///< that the verdict follows from; absent: too few rounds
  double floor = 0;                 ///< smaller changes do not count; relative, whole tenths of a percent
  /// The least change that would be told at this width of the range, relative; 0: unknown, or equal samples.
  double visible = 0;
  bool beside_roofs = false;  ///< false: the times as they are
};

/// One judged metric of one row.
struct Finding {
  std::string row;     ///< name of the kernel row; empty: the whole run
  std::string metric;  ///< "time", "flops", "operations", "bytes_L1", "present", "problem", "verified", ...
  MetricClass metric_class = MetricClass::exact;
  Verdict verdict = Verdict::same;
  std::optional<double> base = {}, next = {};  ///< in SI units, or counts; times as measured
  std::optional<TimeRatio> ratio = {};         ///< of T
  int pairs = 0;                               ///< of runs that the verdict rests on
  std::string why = {};                        ///< the reason, of everything but SAME
  Cause cause = Cause::none;                   ///< of times, what that reason is
  bool informational = false;                  ///< never decides the exit code
};

/// A row's time explained.
struct TimeChange {
  std::string row;
  double base = 0, next = 0;       ///< seconds as measured, medians over the runs
  std::optional<Factors> factors;  ///< of the ratio; absent where nothing is known but the times
  std::size_t finding = 0;         ///< its place among Comparison::findings
};

/// Why rows stayed undecided, and what would decide them.
struct Suggestion {
  Cause cause = Cause::none;
  int rows = 0;
  int pairs = 0;        ///< of runs that would be needed; 0: more runs do not help
  std::string command;  ///< to paste
  double seconds = 0;   ///< that it takes; 0: unknown
};

/// The assumed difference between two runs of one program on a host that has not shown it: the 90th percentile over the
/// rows next to other load that the suite aims at.
inline constexpr double assumed_drift = 0.15;
/// Rounds a side of which a time is judged at all, and pairs of runs whose scatter tells the drift by itself.
inline constexpr int least_rounds_judged = 6, pairs_that_tell_drift = 4;
/// The fewest rounds that a side needs with its cores as in many rounds of the other side.
inline constexpr int least_rounds_alike = 3;

/// How to judge.
struct ComparisonOptions {
  double alpha = 0.05;                            ///< chance of a false verdict, of all times together
  double floor = 0.05;                            ///< relative: smaller changes of time are ignored
  std::optional<double> drift = {};               ///< between runs of one program; absent: as found in the runs
  std::map<std::string, double> row_floors = {};  ///< of a row, from a second build of the base: at least that
  bool allow_missing = false;                     ///< rows that only the base has do not raise an alarm
  bool commands = false;                          ///< the sides' names are commands that can be run again
};

/// Two or more stored runs of each side, paired in the order given.
struct SidePair {
  Side base, next;
};

/// All results of one comparison, from which tables and files are made.
struct Comparison {
  std::vector<Finding> findings;
  std::vector<TimeChange> times;
  std::vector<Suggestion> suggestions;
  std::vector<std::string> notes;            ///< one line each: allowed differences between the sides
  std::string base, next;                    ///< names of the sides
  std::string machine;                       ///< of the first base run, in words
  std::string date;                          ///< of the last new run, ISO 8601
  std::optional<std::string> other_machine;  ///< why no time is comparable
  int pairs = 0;
  ComparisonOptions options;

  int count(Verdict verdict) const;
  /// The finding of a metric of a row; null when there is none.
  const Finding* find(std::string_view row, std::string_view metric) const;
};

/// Judges every metric of every row. At least one pair.
Comparison compare(const std::vector<SidePair>& pairs, const ComparisonOptions& options = {});

/// The change of each row's time in a second build of the base, which is not a change of the code. The far end of the
/// interval over the runs, or the largest of few; relative. `controls` has a run for each pair.
std::map<std::string, double> placement_floors(const std::vector<SidePair>& pairs, const std::vector<Side>& controls);

/// The settings that decide the exit code of a comparison.
struct Gate {
  bool times = true;             ///< false: only classes E, D, C and V
  bool undecided_fails = false;  ///< UNDECIDED of what counts: exit 3
};
/// Whether a finding can decide the exit code.
bool is_gated(const Finding& finding, const Gate& gate);
/// 1 something is worse; 3 something is invalid, or undecided where that fails, or no count and no time of any row
/// could be compared; 5 the sides have no row in common, and rows may go or the base has none; 0 otherwise.
int exit_code(const Comparison& comparison, const Gate& gate);

}  // namespace roofline
