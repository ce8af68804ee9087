#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/model/counts.hpp"

namespace roofline {

/// A quantity that is counted on an NVIDIA GPU, whatever the chip calls it. Instructions of a precision count threads
/// (lanes) whose predicate was on.
enum class Quantity {
  fp64_add,
  fp64_mul,
  fp64_fma,
  fp32_add,
  fp32_mul,
  fp32_fma,
  fp32_add2,
  fp32_mul2,
  fp32_fma2,  ///< packed: two operations of a kind
  fp16_add,
  fp16_mul,
  fp16_fma,
  instructions,  ///< of warps
  threads,       ///< lanes of all instructions that were active
  threads_on,    ///< ... and not predicated off
  load_bytes,
  store_bytes,
  atomic_bytes,
  reduction_bytes,
  local_bytes,
  shared_bytes,  ///< data, lane by lane
  load_sectors,
  store_sectors,
  atomic_sectors,
  reduction_sectors,
  local_load_sectors,
  local_store_sectors,
  load_requests,
  store_requests,  ///< global load and store instructions of warps
  branches_divergent,
  branches_uniform,
  seconds,
  cycles,
  sm_cycles,
  sm_cycles_with_work,  ///< of all SMs
  l1_bytes,             ///< by the cache's own counter
  l2_sectors,
  l2_read_sectors,
  l2_write_sectors,  ///< between the L1s and L2
  gpc_read_sectors,
  gpc_sent_sectors,  ///< read by GPCs, and those that L2 sent for them: its request coalescer merges requests
  dram_read,
  dram_written,  ///< bytes
  sysmem_sectors,
  hardware_instructions,  ///< of warps, in the pass of the hardware's counters
  tensor_instructions,
  warp_cycles,
  warp_cycles_possible,  ///< cycles of resident warps, and those of all that the SMs could have held meanwhile
  l1_sectors,
  l1_sectors_hit,
  l2_sectors_hit,
  fp64_pipe,
  fp64_pipe_possible,  ///< instructions of warps, and those that the pipe could have taken in the same cycles
  adu_pipe,
  adu_pipe_possible,
  constant_cycles,
  constant_cycles_possible,  ///< of the cache of indexed constants
  memory_stalls,
  constant_stalls,  ///< cycles of warps
};

/// One row of the metric table.
struct Metric {
  Quantity quantity;
  std::vector<std::string_view> names;  ///< with roll-up, in order of preference: chips differ
  std::string_view meaning;
  /// For a metric of instrumented code: the hardware counter of the same quantity, if there is one.
  std::string_view hardware = {};
};

/// The factor for a metric's value: durations come in nanoseconds.
constexpr double unit_of(Quantity quantity) { return quantity == Quantity::seconds ? 1e-9 : 1; }

/// Everything that is collected: four passes on every discrete chip since Turing, one of instrumented code and three of
/// hardware counters. Only sums are among them, so that launches can be added up.
const std::vector<Metric>& metrics();
const Metric& metric(Quantity quantity);

/// The list of metrics, one line each, for --describe counters.
std::string describe_metrics();

/// A metric under the name that one chip has for it.
struct ChosenMetric {
  Quantity quantity;
  std::string name;
};
/// The first name of each metric that `exists`; metrics that have none are left out.
std::vector<ChosenMetric> choose_metrics(const std::function<bool(const std::string&)>& exists);
/// The same without instrumented code, which makes a launch about a hundred times slower: counters of the hardware take
/// its place where there are some. FLOPs by kind are not among them.
std::vector<ChosenMetric> choose_hardware_metrics(const std::function<bool(const std::string&)>& exists);

/// Values of one launch in the quantities' units. Unknown values (missing metric, not a number, refused) are absent.
class MetricValues {
 public:
  /// `value` as the metric gives it. Values that are not finite or negative are dropped: "not measured" is not zero.
  void set(Quantity quantity, double value);
  void erase(Quantity quantity) { values_.erase(quantity); }
  std::optional<double> operator[](Quantity quantity) const;
  bool empty() const { return values_.empty(); }

 private:
  std::map<Quantity, double> values_;
};

/// The counters' result for one launch.
struct HardwareCounts {
  std::optional<Operations> fp64, fp32, fp16;  ///< divisions are what they are expanded to; absent when a part is
  std::optional<Traffic> l1, l2, dram;         ///< bytes; L1: sectors of 32 B that loads and stores ask for
  std::optional<double> shared, sysmem;        ///< bytes
  std::optional<double> sectors_per_load, sectors_per_store;  ///< per warp-wide global request: coalescing
  std::optional<double> reads_merged;  ///< sectors that GPCs read for each that L2 sent: 1 where nothing was merged
  std::optional<double> predication;   ///< active and predicated-on lanes / 32, 0..1
  std::optional<double> divergent_branches;  ///< share of branch targets, 0..1
  std::optional<double> seconds;  ///< of an undisturbed launch of the hardware pass: a check of the timer, no result
  std::optional<double> sms_with_work;  ///< share of the SMs' time in which they had a warp, 0..1
  std::optional<double> cycles, tensor_instructions, warp_instructions;
  std::map<std::string, double> profile;  ///< by stored::profile_columns(), without registers and theoretical occupancy

  /// Named figures beyond operations and the cache levels: keys of a JSON row.
  std::map<std::string, double> details() const;
};
/// One line where the pass of instrumented code and that of the hardware's counters executed numbers of instructions
/// more than 1 % apart: such a launch does not repeat, and its counts are of different ones. Empty: no complaint.
std::string repeat_complaint(const MetricValues& values);
/// Pure arithmetic. Packed FP32 instructions are two operations; a missing value stays missing.
HardwareCounts translate(const MetricValues& values);

}  // namespace roofline
