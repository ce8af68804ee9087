#include "bench/storage/row_columns.hpp"

namespace roofline::stored {
namespace {

struct Numbers {
  const std::function<void(const RowColumn&, double)>& see;

  static constexpr auto& levels() { return all_memory_levels; }
  /// A plain number of 0 is unknown.
  template <class T>
  void operator()(const RowColumn& column, const T& value) {
    if constexpr (std::is_arithmetic_v<T>)
      see(column, value > 0 ? static_cast<double>(value) : std::nan(""));
    else
      derived(column, value);
  }
  /// Amounts of 0 are known; a rate or an intensity of 0 says nothing.
  template <class T>
  void only(bool stored, const RowColumn& column, const T& value) {
    if constexpr (std::is_integral_v<T>)
      see(column, stored ? static_cast<double>(value) : std::nan(""));
    else
      see(column, value && *value > 0 ? *value : std::nan(""));
  }
  template <class T>
  void derived(const RowColumn& column, const T& value) {
    if constexpr (std::is_floating_point_v<T>) see(column, value);
    if constexpr (std::is_integral_v<T>) (*this)(column, value);
    if constexpr (std::is_same_v<T, std::optional<double>>) see(column, value.value_or(std::nan("")));
  }
};

}  // namespace

const std::vector<RowColumn>& profile_columns() {
  static const std::vector<RowColumn> columns{
      {"registers", "", "registers of a thread in the machine code: launch__registers_per_thread",
       "registers per thread"},
      {"occupancy_theoretical", "",
       "warps that fit an SM by block size, registers and shared memory, of all that it can hold: "
       "sm__maximum_warps_per_active_cycle_pct",
       "theoretical occupancy"},
      {"occupancy_achieved", "",
       "warps that were on an SM, of all that it can hold: sm__warps_active.avg.pct_of_peak_sustained_active",
       "achieved occupancy"},
      {"hit_rate_L1", "", "sectors found in L1, of those that warps load and store: l1tex__t_sector_hit_rate.pct",
       "hit rate of L1"},
      {"hit_rate_L2", "",
       "sectors found in L2, of those that L1 reads and writes: lts__t_sector_hit_rate.pct of these requests",
       "hit rate of L2"},
      {"pipe_fp64", "",
       "instructions of the FP64 pipe, of those that it could have taken: "
       "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
       "FP64 pipe busy"},
      {"pipe_adu", "",
       "the same of the address divergence unit: sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_active",
       "ADU busy"},
      {"unit_idc", "",
       "cycles in which the cache of indexed constants serves a request: "
       "idc__request_cycles_active.avg.pct_of_peak_sustained_active",
       "IDC busy"},
      {"stalled_on_memory", "",
       "share of the warps' time that they wait for loads from L1, L2 or DRAM: "
       "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
       "warps wait for memory"},
      {"stalled_on_constants", "",
       "share of the warps' time that they wait for a constant that is an operand: "
       "smsp__warp_issue_stalled_imc_miss_per_warp_active.pct",
       "warps wait for constants"}};
  return columns;
}

void each_number(const KernelPoint& point, const std::function<void(const RowColumn&, double)>& see) {
  Numbers numbers{see};
  row_columns(numbers, point);
}

}  // namespace roofline::stored
