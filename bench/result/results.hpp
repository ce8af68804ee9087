#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/counters/perf/known_kernels.hpp"
#include "bench/counters/self_test.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/machine.hpp"
#include "bench/model/ert_sweep.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"
#include "bench/model/store_policy.hpp"
#include "bench/ranks/place.hpp"

namespace roofline {

/// The meaning of a run on a virtual GPU, or of a modelled one, in which nothing was measured.
struct ModelledRun {
  std::string device;                                      ///< "v100", "host": in labels
  std::string description;                                 ///< "Tesla V100 16 GB, 80 SMs, 1.53 GHz"
  std::string hash;                                        ///< of geometry, policies and model version
  bool gpu = false;                                        ///< a described GPU, not this machine's CPU
  std::vector<std::pair<std::string, std::string>> facts;  ///< rows of the machine table
  double warp_rate = 0;                                    ///< instructions of warps per second at most; 0: unknown
  double l2_bytes = 0;                                     ///< of a described GPU; 0: unknown
};

/// Where the ceilings of a run are from.
struct CeilingsOrigin {
  enum class Kind {
    none,
    measured,   ///< in this run
    imported,   ///< from the file of an earlier run on this device
    described,  ///< of a device file, or theoretical
  };
  Kind kind = Kind::none;
  std::string text = "none";  ///< "measured in this run", the file's name, ...

  bool of_this_device() const { return kind == Kind::measured || kind == Kind::imported; }
};

/// Checks of a run on its own clock and times.
struct RunTimer {
  double step = 0;             ///< seconds: the smallest difference that the timer shows
  double shortest_sample = 0;  ///< seconds, of all samples of kernels
  std::string shortest_row;
  double sampled_seconds = 0;              ///< of all samples together
  double run_seconds = 0;                  ///< from start to end of the run
  std::optional<double> nonlinearity;      ///< relative, of the times of 1, 2, 3 and 4 times the same work
  double empty_region = 0;                 ///< seconds: a parallel region that does nothing
  std::optional<double> known_time_error;  ///< relative, of a pause whose length another clock gives
};

/// The time that a shared machine took from a run. It is shown, and never a reason to leave a number out.
struct HostNoise {
  double steal = 0;      ///< share of the time that the hypervisor took, of all CPUs of the machine, 0 to 1
  double throttled = 0;  ///< share of the scheduling periods in which a CPU quota stopped the run, 0 to 1
  double others = 0;     ///< share of the time of all CPUs that other programs used, 0 to 1
  int nice = 0;          ///< of the threads: -20 comes before other programs
};

/// How far runs of one program lay apart on this host, both by the clock and beside the roofs: of this program, if
/// enough of its runs are kept.
struct Drift {
  double host = 0;                     ///< relative: the 90th percentile over the rows of the largest difference
  int runs = 0;                        ///< that it is of
  std::map<std::string, double> rows;  ///< the largest difference of a row
  /// The difference that two runs may show in a row: the largest one seen so far, and at least the host's.
  double of(const std::string& row) const {
    const auto found = rows.find(row);
    return found == rows.end() ? host : std::max(host, found->second);
  }
};

/// Something that no machine can violate if a run's numbers are right, compared with what the run found.
struct SanityCheck {
  enum class Verdict { ok, warn, fail, not_applicable };
  std::string id;                    ///< kernel_below_roof, rows_verified, ...
  std::string what;                  ///< one line
  std::string limit;                 ///< "<= 1.02", "<= 3 %"
  std::optional<double> value = {};  ///< the worst found; absent: nothing in this run to compare with the limit
  bool relative = false;             ///< a change or a share: tables show the value in percent, as the limit does
  std::string where = {};            ///< the row that the value is of, or why there is none
  Verdict verdict = Verdict::not_applicable;
  bool deterministic = false;  ///< of counts and answers: no noise can change its outcome
};

constexpr std::string_view name(SanityCheck::Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"ok", "warn", "fail", "not applicable"};
  return names[static_cast<std::size_t>(verdict)];
}

/// How well the shares of a run's rows are known.
struct RunPrecision {
  int rows = 0;           ///< with a share of a roof and a range of it
  int resolved = 0;       ///< of these: half the range is at most 5 % of the share
  double median = 0;      ///< half-width of the range relative to the share, the median over the rows
  double worst = 0;       ///< and the largest
  std::string worst_row;  ///< whose that is
  /// Rows whose share is above 103 % in its whole range: a count or model is wrong.
  std::vector<std::string> contradictions;
};

/// All results of one run, from which tables, plots and files are made.
struct Results {
  Machine machine;                   ///< that ran it
  std::optional<Place> place;        ///< who started it as which rank; absent: the file does not tell
  std::optional<ModelledRun> model;  ///< present: every point is a bound
  std::optional<Gpu> gpu;            ///< present: the GPU that the points ran on
  std::vector<std::pair<std::string, std::string>> gpu_facts;  ///< rows of the machine table: bus, code, state
  std::string counters;                                        ///< who counts bytes, or why nobody does
  std::vector<SelfTestResult> self_test;                       ///< of its counters, with kernels of known answers
  std::vector<perf::KnownOutcome> cpu_self_test;               ///< the same of a CPU's counters
  std::string device_note;  ///< why this is a run on the CPU, where a GPU would have been taken
  Roofline roofline;
  std::vector<KernelPoint> points;
  std::optional<ErtResult> ert;  ///< the swept curve, where the run has one
  /// Rows that have no result, with the reason: failed verification, skipped.
  std::vector<std::pair<std::string, std::string>> failures;
  std::vector<std::string> unreached;  ///< rows that an interruption came before
  int rounds = 0;                      ///< over all rows; 0: nothing was timed
  double core_distance = 0;            ///< seconds, in the rounds that count (core_distance()); 0: not known
  std::optional<HostNoise> noise;      ///< absent: the system does not tell
  std::optional<Drift> drift;          ///< of runs whose cores lay alike; absent: too few have shown it
  std::optional<Drift> drift_apart;    ///< of runs whose cores did not lie alike
  RunTimer timer;
  std::string times_note;  ///< the reason why times are not a device's; empty if they are, or if they are bounds
  std::vector<std::string> warnings;  ///< one line each
  std::vector<std::string> skipped;   ///< what the default subset leaves out, one line each
  CeilingsOrigin ceilings_origin;
  std::optional<StorePolicy> stores;  ///< what the CPU's stores do to DRAM; absent: no ceilings, or no CPU
  std::string command_line;
  std::string date;          ///< ISO 8601
  bool interrupted = false;  ///< ended by a signal: rows or rounds are missing
  /// Every planned row has its result.
  bool complete() const { return !interrupted && failures.empty() && unreached.empty(); }

  // Values that follow from the above: assess() fills them in, once, together with the assessment of each point.
  bool assessed = false;
  std::vector<SanityCheck> checks;
  RunPrecision precision;

  /// How FLOPs are counted where a report counts them otherwise than the run did ("a division is 11 FLOPs"); not
  /// stored.
  std::string flop_convention;
  std::size_t runs = 1;  ///< whose medians these are, where several are shown as one; not stored
};

/// Draws the conclusions of a run whose measurements are over: how each point is judged, the sanity checks, and
/// whether the numbers can be trusted. Reports read them and judge nothing themselves.
void assess(Results& results);

/// The same as a copy, of results that may be assessed already.
Results assessed(Results results);

}  // namespace roofline
