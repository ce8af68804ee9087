#include <fmt/format.h>

#include <set>

#include "bench/counters/imports/ncu_csv.hpp"
#include "reporters/imports/profilers.hpp"

namespace roofline {
namespace {

constexpr double bytes_of_sector = 32;

/// The recipes of NERSC: newer ones count bytes, those for CUDA 10 sectors.
const std::vector<std::pair<MemoryLevel, Recipe>>& recipes() {
  const std::string global = "l1tex__t_sectors_pipe_lsu_mem_global_op_",
                    local = "l1tex__t_sectors_pipe_lsu_mem_local_op_",
                    shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_", sets = "l1tex__t_set_accesses_pipe_",
                    l2 = "lts__t_sectors_op_";
  static const std::vector<std::pair<MemoryLevel, Recipe>> all{
      {MemoryLevel::DRAM, {1, {"dram__bytes.sum"}, {}}},
      {MemoryLevel::DRAM, {bytes_of_sector, {"dram__sectors_read.sum"}, {"dram__sectors_write.sum"}}},
      {MemoryLevel::L2, {1, {"lts__t_bytes.sum"}, {}}},
      {MemoryLevel::L2,
       {bytes_of_sector, {l2 + "read.sum"}, {l2 + "write.sum"}, {}, {l2 + "atom.sum", l2 + "red.sum"}}},
      {MemoryLevel::L1, {1, {"l1tex__t_bytes.sum"}, {}}},
      {MemoryLevel::L1,
       {bytes_of_sector,
        {global + "ld.sum"},
        {global + "st.sum"},
        {local + "ld.sum", shared + "ld.sum"},
        {local + "st.sum", shared + "st.sum", sets + "lsu_mem_global_op_atom.sum", sets + "lsu_mem_global_op_red.sum",
         sets + "tex_mem_surface_op_atom.sum", sets + "tex_mem_surface_op_red.sum"}}},
  };
  return all;
}

ImportedKernel kernel_of(const NcuLaunch& launch, std::set<std::string>& notes, const std::string& name) {
  ImportedKernel kernel{.name = name, .shape = launch.shape};
  const auto counts = translate(launch.metrics());
  if (const auto seconds = launch.seconds(); seconds && *seconds > 0) kernel.seconds = {*seconds};
  const auto flops = [&](const char* precision, const std::optional<Operations>& operations, char letter) {
    if (operations) return void(kernel.flops[precision] = static_cast<double>(operations->flops()));
    for (const auto* const part : {"add", "mul", "fma"})
      if (launch[fmt::format("smsp__sass_thread_inst_executed_op_{}{}_pred_on.sum", letter, part)])
        notes.insert(fmt::format("{}: {} FLOPs are not known: add, mul and fma are needed, and one is missing", name,
                                 precision));
  };
  flops("fp64", counts.fp64, 'd'), flops("fp32", counts.fp32, 'f'), flops("fp16", counts.fp16, 'h');
  if (const auto tensor = counts.tensor_instructions; tensor && *tensor > 0) {
    constexpr double flops_of_volta = 512;  // of m8n8k4, for each instruction of a warp
    if (launch.capability.starts_with("7.0")) kernel.flops["tensor"] = flops_of_volta * *tensor;
    notes.insert(fmt::format(
        "{}: has tensor instructions: {}", name,
        launch.capability.starts_with("7.0") ? "taken for 512 FLOP each, as on Volta" : "their FLOPs are not counted"));
  }
  const auto put = [&](MemoryLevel level, const std::optional<Traffic>& traffic) {
    if (traffic) kernel.bytes.emplace(level, *traffic);
  };
  put(MemoryLevel::DRAM, counts.dram), put(MemoryLevel::L2, counts.l2);
  put(MemoryLevel::L1, counts.l1);
  for (const auto& [level, sum] : recipes()) put(level, sum.of([&](const std::string& name) { return launch[name]; }));
  if (!kernel.bytes.contains(MemoryLevel::DRAM) && (launch["dram__bytes_read.sum"] || launch["dram__bytes_write.sum"]))
    notes.insert(name + ": bytes of DRAM are not known: of reads and writes one was not collected");
  return kernel;
}

}  // namespace

Results parse_ncu_kernels(const std::string& text, const std::string& origin, const InputOptions& options) {
  std::vector<std::string> warnings;
  std::vector<ImportedKernel> kernels;
  std::set<std::string> notes;
  for (const auto& launch : read_ncu(text, origin, options.decimal, warnings))
    kernels.push_back(kernel_of(launch, notes, without_parameters(launch.kernel)));
  return results_of(kernels, origin, std::move(warnings), notes);
}

}  // namespace roofline
