#include "bench/counters/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

using enum Quantity;

constexpr double sector = 32;  // bytes
constexpr double warp = 32;    // lanes

bool is_instrumented(std::string_view name) { return name.starts_with("smsp__sass_"); }

std::uint64_t whole(double count) { return static_cast<std::uint64_t>(std::llround(count)); }

std::optional<double> ratio(std::optional<double> a, std::optional<double> b) {
  return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

/// Operations of a precision; `packed` counts, where a chip has them, are two operations each.
std::optional<Operations> operations(const MetricValues& v, std::array<Quantity, 3> scalar,
                                     std::optional<std::array<Quantity, 3>> packed = {}) {
  std::array<double, 3> sum{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = v[scalar[i]];
    if (!value) return std::nullopt;
    sum[i] = *value + (packed ? 2 * v[(*packed)[i]].value_or(0) : 0);
  }
  return Operations{.add = whole(sum[0]), .mul = whole(sum[1]), .fma = whole(sum[2])};
}

/// Sectors that loads and stores ask L1 for. Atomics and reductions count as written, as the device model has it.
std::optional<Traffic> l1_traffic(const MetricValues& v) {
  const auto load = v[load_sectors], store = v[store_sectors];
  if (!load || !store) return std::nullopt;
  const double atomics = v[atomic_sectors].value_or(0) + v[reduction_sectors].value_or(0);
  return Traffic{sector * (*load + v[local_load_sectors].value_or(0)),
                 sector * (*store + v[local_store_sectors].value_or(0) + atomics)};
}

/// The total has what is neither a read nor a write (atomics, reductions), which goes with the writes.
std::optional<Traffic> l2_traffic(const MetricValues& v) {
  const auto read = v[l2_read_sectors], total = v[l2_sectors], write = v[l2_write_sectors];
  if (!read || (!total && !write)) return std::nullopt;
  return Traffic{sector * *read, sector * (total ? std::max(0.0, *total - *read) : *write)};
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> table{
      // One pass: the kernel is instrumented.
      {fp64_add, {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"}, "FP64 additions"},
      {fp64_mul, {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"}, "FP64 multiplications"},
      {fp64_fma, {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"}, "FP64 fused multiply-adds"},
      {fp32_add, {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"}, "FP32 additions"},
      {fp32_mul, {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"}, "FP32 multiplications"},
      {fp32_fma, {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"}, "FP32 fused multiply-adds"},
      {fp32_add2, {"smsp__sass_thread_inst_executed_op_fadd2_pred_on.sum"}, "packed pairs of FP32 additions"},
      {fp32_mul2, {"smsp__sass_thread_inst_executed_op_fmul2_pred_on.sum"}, "packed pairs of FP32 multiplications"},
      {fp32_fma2, {"smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum"}, "packed pairs of FP32 FMAs"},
      {fp16_add, {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"}, "FP16 additions"},
      {fp16_mul, {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum"}, "FP16 multiplications"},
      {fp16_fma, {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"}, "FP16 fused multiply-adds"},
      {instructions, {"smsp__sass_inst_executed.sum"}, "instructions of warps", "smsp__inst_executed.sum"},
      {threads,
       {"smsp__sass_thread_inst_executed.sum"},
       "active lanes of all instructions",
       "smsp__thread_inst_executed.sum"},
      {threads_on,
       {"smsp__sass_thread_inst_executed_pred_on.sum"},
       "lanes with their predicate on",
       "smsp__thread_inst_executed_pred_on.sum"},
      {load_bytes, {"smsp__sass_data_bytes_mem_global_op_ld.sum"}, "bytes that global loads ask for"},
      {store_bytes, {"smsp__sass_data_bytes_mem_global_op_st.sum"}, "bytes that global stores write"},
      {atomic_bytes, {"smsp__sass_data_bytes_mem_global_op_atom.sum"}, "bytes of global atomics"},
      {reduction_bytes, {"smsp__sass_data_bytes_mem_global_op_red.sum"}, "bytes of global reductions"},
      {local_bytes, {"smsp__sass_data_bytes_mem_local.sum"}, "bytes of local memory (spills, arrays)"},
      {shared_bytes, {"smsp__sass_data_bytes_mem_shared.sum"}, "bytes of shared memory"},
      {load_sectors,
       {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"},
       "sectors of global loads",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
      {store_sectors,
       {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"},
       "sectors of global stores",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
      {atomic_sectors,
       {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum"},
       "sectors of atomics",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"},
      {reduction_sectors,
       {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum"},
       "sectors of reductions",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
      {local_load_sectors,
       {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum"},
       "sectors of local loads",
       "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"},
      {local_store_sectors,
       {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum"},
       "sectors of local stores",
       "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
      {load_requests,
       {"smsp__sass_inst_executed_op_global_ld.sum"},
       "global load instructions of warps",
       "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
      {store_requests, {"smsp__sass_inst_executed_op_global_st.sum"}, "global store instructions of warps"},
      {branches_divergent, {"smsp__sass_branch_targets_threads_divergent.sum"}, "divergent branch targets"},
      {branches_uniform, {"smsp__sass_branch_targets_threads_uniform.sum"}, "uniform branch targets"},
      // One pass: counters of the hardware.
      {seconds, {"gpu__time_duration.sum"}, "duration"},
      {cycles, {"sm__cycles_elapsed.max"}, "SM cycles"},
      {sm_cycles, {"sm__cycles_elapsed.sum"}, "cycles of all SMs"},
      {sm_cycles_with_work, {"sm__cycles_active.sum"}, "... in which an SM had a warp"},
      {l1_bytes, {"l1tex__t_bytes.sum"}, "bytes by L1's own counter"},
      {l2_sectors, {"lts__t_sectors_srcunit_tex.sum"}, "L2 sectors of all L1 requests"},
      {l2_read_sectors, {"lts__t_sectors_srcunit_tex_op_read.sum"}, "L2 sectors read by L1"},
      {l2_write_sectors, {"lts__t_sectors_srcunit_tex_op_write.sum"}, "L2 sectors written by L1"},
      {gpc_read_sectors, {"lrc__xbar2gpc_sectors_op_read.sum"}, "sectors that GPCs read"},
      {gpc_sent_sectors,
       {"lrc__lts2lrc_sectors_op_read.sum"},
       "sectors that L2 sent for them: merged requests are one"},
      {dram_read,
       {"dram__bytes_read.sum", "dram__bytes_op_read.sum", "fbpa__dram_read_bytes.sum"},
       "bytes read from DRAM"},
      {dram_written,
       {"dram__bytes_write.sum", "dram__bytes_op_write.sum", "fbpa__dram_write_bytes.sum"},
       "bytes written to DRAM"},
      {sysmem_sectors,
       {"lts__t_sectors_aperture_sysmem.sum", "syslts__t_sectors_aperture_sysmem.sum"},
       "sectors of host memory"},
      {hardware_instructions, {"smsp__inst_executed.sum"}, "instructions of warps, by the hardware's own counter"},
      {tensor_instructions, {"sm__inst_executed_pipe_tensor.sum"}, "tensor instructions of warps"},
      {warp_cycles, {"sm__warps_active.sum"}, "cycles of resident warps"},
      {warp_cycles_possible, {"sm__warps_active.sum.peak_sustained_active"}, "... if SMs had been full"},
      {l1_sectors, {"l1tex__t_sectors.sum"}, "sectors that L1 looks up"},
      {l1_sectors_hit, {"l1tex__t_sectors_lookup_hit.sum"}, "... and finds"},
      {l2_sectors_hit, {"lts__t_sectors_srcunit_tex_lookup_hit.sum"}, "L2 sectors of L1 requests that are found"},
      {fp64_pipe, {"sm__inst_executed_pipe_fp64.sum"}, "instructions of the FP64 pipe"},
      {fp64_pipe_possible, {"sm__inst_executed_pipe_fp64.sum.peak_sustained_active"}, "... if it had been full"},
      {adu_pipe, {"sm__inst_executed_pipe_adu.sum"}, "instructions of the address divergence unit"},
      {adu_pipe_possible, {"sm__inst_executed_pipe_adu.sum.peak_sustained_active"}, "... if it had been full"},
      {constant_cycles, {"idc__request_cycles_active.sum"}, "cycles of the cache of indexed constants with a request"},
      {constant_cycles_possible, {"idc__request_cycles_active.sum.peak_sustained_active"}, "... of all its cycles"},
      {memory_stalls, {"smsp__warps_issue_stalled_long_scoreboard.sum"}, "cycles of warps that wait for memory"},
      {constant_stalls, {"smsp__warps_issue_stalled_imc_miss.sum"}, "cycles of warps that wait for a constant operand"},
  };
  return table;
}

const Metric& metric(Quantity quantity) {
  return *std::find_if(metrics().begin(), metrics().end(), [&](const Metric& m) { return m.quantity == quantity; });
}

std::string describe_metrics() {
  std::string text;
  for (const auto& metric : metrics()) {
    text += fmt::format("  {}\n", metric.meaning);
    for (const auto name : metric.names) text += fmt::format("      {}\n", name);
  }
  return text;
}

std::vector<ChosenMetric> choose_metrics(const std::function<bool(const std::string&)>& exists) {
  std::vector<ChosenMetric> chosen;
  for (const auto& metric : metrics())
    for (const auto name : metric.names)
      if (exists(std::string(name))) {
        chosen.push_back({metric.quantity, std::string(name)});
        break;
      }
  return chosen;
}

std::vector<ChosenMetric> choose_hardware_metrics(const std::function<bool(const std::string&)>& exists) {
  std::vector<ChosenMetric> chosen;
  for (auto& metric : choose_metrics(exists))
    if (metric.quantity == hardware_instructions)
      continue;  // takes the place of another here
    else if (!is_instrumented(metric.name))
      chosen.push_back(std::move(metric));
    else if (const std::string name(roofline::metric(metric.quantity).hardware); !name.empty() && exists(name))
      chosen.push_back({metric.quantity, name});
  return chosen;
}

void MetricValues::set(Quantity quantity, double value) {
  if (std::isfinite(value) && value >= 0) values_[quantity] = value * unit_of(quantity);
}

std::optional<double> MetricValues::operator[](Quantity quantity) const {
  const auto found = values_.find(quantity);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::string repeat_complaint(const MetricValues& v) {
  constexpr double tolerated = 0.01;
  const auto instrumented = v[instructions], hardware = v[hardware_instructions];
  if (!instrumented || !hardware || std::abs(*hardware - *instrumented) <= tolerated * *instrumented) return {};
  return fmt::format("the launch does not repeat: {:.6g} instructions of warps in one pass, {:.6g} in another",
                     *instrumented, *hardware);
}

HardwareCounts translate(const MetricValues& v) {
  HardwareCounts counts;
  counts.fp64 = operations(v, {fp64_add, fp64_mul, fp64_fma});
  counts.fp32 = operations(v, {fp32_add, fp32_mul, fp32_fma}, std::array{fp32_add2, fp32_mul2, fp32_fma2});
  counts.fp16 = operations(v, {fp16_add, fp16_mul, fp16_fma});
  counts.l1 = l1_traffic(v);
  counts.l2 = l2_traffic(v);
  if (v[dram_read] && v[dram_written]) counts.dram = Traffic{*v[dram_read], *v[dram_written]};
  counts.shared = v[shared_bytes];
  if (v[sysmem_sectors]) counts.sysmem = sector * *v[sysmem_sectors];
  counts.sectors_per_load = ratio(v[load_sectors], v[load_requests]);
  counts.sectors_per_store = ratio(v[store_sectors], v[store_requests]);
  counts.sms_with_work = ratio(v[sm_cycles_with_work], v[sm_cycles]);
  counts.reads_merged = ratio(v[gpc_read_sectors], v[gpc_sent_sectors]);
  counts.warp_instructions = v[instructions];
  if (v[instructions]) counts.predication = ratio(v[threads_on], warp * *v[instructions]);
  if (v[branches_divergent] && v[branches_uniform])
    counts.divergent_branches = ratio(v[branches_divergent], *v[branches_divergent] + *v[branches_uniform]);
  counts.seconds = v[Quantity::seconds];
  counts.cycles = v[Quantity::cycles];
  counts.tensor_instructions = v[Quantity::tensor_instructions];
  const auto share = [&](const char* key, Quantity part, Quantity all) {
    if (const auto found = ratio(v[part], v[all])) counts.profile[key] = *found;
  };
  share("occupancy_achieved", warp_cycles, warp_cycles_possible);
  share("hit_rate_L1", l1_sectors_hit, l1_sectors), share("hit_rate_L2", l2_sectors_hit, l2_sectors);
  share("pipe_fp64", fp64_pipe, fp64_pipe_possible), share("pipe_adu", adu_pipe, adu_pipe_possible);
  share("unit_idc", constant_cycles, constant_cycles_possible);
  share("stalled_on_memory", memory_stalls, warp_cycles), share("stalled_on_constants", constant_stalls, warp_cycles);
  return counts;
}

std::map<std::string, double> HardwareCounts::details() const {
  auto result = profile;
  const auto put = [&](const char* key, const std::optional<double>& value) {
    if (value) result[key] = *value;
  };
  const auto flops = [](const std::optional<Operations>& o) {
    return o ? std::optional(static_cast<double>(o->flops())) : std::nullopt;
  };
  put("flops_counted_fp64", flops(fp64));
  put("flops_counted_fp32", flops(fp32));
  put("flops_counted_fp16", flops(fp16));
  put("sectors_per_load", sectors_per_load);
  put("sectors_per_store", sectors_per_store);
  put("sms_with_work", sms_with_work);
  put("l2_reads_merged", reads_merged);
  put("inst_executed", warp_instructions);
  put("predication", predication);
  put("divergent_branches", divergent_branches);
  put("counted_seconds", seconds);
  put("counted_cycles", cycles);
  put("tensor_instructions", tensor_instructions);
  return result;
}

}  // namespace roofline
