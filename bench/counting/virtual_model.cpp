#include "bench/counting/virtual_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>

#include "bench/cuda/counting.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/options/choices.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/suite/filter.hpp"
#include "bench/text/words.hpp"
#include "bench/virtual_gpu/devices/described.hpp"
#include "bench/virtual_gpu/devices/device.hpp"
#include "bench/virtual_gpu/devices/known_devices.hpp"
#include "bench/virtual_gpu/memory/device_model.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

/// The figures that a GPU's profiler gives, under its names.
std::map<std::string, double> details_of(const ptx::Counts& counts) {
  std::map<std::string, double> details;
  const auto put = [&](const char* key, double value) { details[key] = value; };
  put("flop_count_dp", static_cast<double>(counts.of(ptx::Precision::fp64).total()));
  put("gld_transactions", static_cast<double>(counts.global_load.sectors));
  put("gst_transactions", static_cast<double>(counts.global_store.sectors));
  const auto per_request = [&](const char* key, const ptx::Traffic& traffic) {
    if (traffic.requests) put(key, static_cast<double>(traffic.sectors) / static_cast<double>(traffic.requests));
  };
  per_request("gld_sectors_per_request", counts.global_load);
  per_request("gst_sectors_per_request", counts.global_store);
  put("inst_executed", static_cast<double>(counts.warp_instructions));
  put("thread_inst_executed", static_cast<double>(counts.lane_instructions));
  put("branch", static_cast<double>(counts.branches));
  put("divergent_branch", static_cast<double>(counts.divergent_branches));
  put("local_bytes", static_cast<double>(counts.local_load.bytes + counts.local_store.bytes));
  put("shared_wavefronts", static_cast<double>(counts.shared_load.wavefronts + counts.shared_store.wavefronts));
  return details;
}

Counts counts_of(const ptx::Counts& executed) {
  Counts counts;
  for (const auto precision :
       {ptx::Precision::fp64, ptx::Precision::fp32, ptx::Precision::fp16, ptx::Precision::bf16}) {
    const auto& flops = executed.of(precision);
    counts.operations += {flops.add, flops.mul, flops.fma, flops.special, 0, 0};
  }
  counts.operations_source = counts.traffic_source = Source::emulated;
  counts.at(MemoryLevel::L1) = Traffic{
      static_cast<double>(executed.global_load.bytes + executed.local_load.bytes),
      static_cast<double>(executed.global_store.bytes + executed.local_store.bytes + executed.global_atomic.bytes)};
  counts.details = details_of(executed);
  return counts;
}

/// Division and reciprocal as the device expands them; PTX does not tell one from the other.
Operations expanded(const Device& device, Operations operations) {
  const auto divisions = operations.div;
  operations.div = 0;
  operations.add += divisions * device.reciprocal.add;
  operations.mul += divisions * device.reciprocal.mul;
  operations.fma += divisions * device.reciprocal.fma;
  return operations;
}

/// Bytes beyond L1, of the kernels that were executed; nothing where the device model does not know them.
void add_modelled(Counts& counts, const GpuModel& model, const std::vector<GpuKernel>& kernels) {
  constexpr double effort = 0.1;  // executing the launch takes its time already
  const auto modelled = count_kernels(model, kernels, effort).counts();
  for (const auto level : {MemoryLevel::L2, MemoryLevel::DRAM}) {
    counts.at(level) = modelled.at(level);
    counts.range[static_cast<std::size_t>(level)] = modelled.range[static_cast<std::size_t>(level)];
    counts.modelled_levels.push_back(level);
  }
  counts.modelled_device = modelled.modelled_device;
  counts.traffic_note = modelled.traffic_note;
  const auto take = [&](const char* known) {
    if (const auto detail = modelled.details.find(known); detail != modelled.details.end())
      counts.details.insert(*detail);
  };
  for (const char* const known : {"blocks_per_sm", "sms_with_work", "sampled_share", "sampling_error"}) take(known);
  for (const char* const figure : profile_figures) take(figure);
}

Counts run_once(const Device& device, const Workload& work) {
  const auto before = runtime::executed();
  std::vector<GpuKernel> kernels;
  try {
    kernels = recorded_kernels(work.launch, true);
  } catch (const std::invalid_argument&) {
    // executed all the same: its bytes beyond L1 stay unknown
  }
  if (const auto check = work.check(); !check.ok) throw std::runtime_error(check.message);
  auto counts = counts_of(runtime::executed() - before);
  counts.executed = expanded(device, counts.operations);
  // The FLOPs of the compiled code are shown if they differ from the source's, which is not an error.
  if (work.declared_flops && work.declared_flops != counts.operations.flops())
    counts.details["flops_declared"] = static_cast<double>(work.declared_flops);
  if (!kernels.empty()) add_modelled(counts, GpuModel(device), kernels);
  return counts;
}

/// Known names are never files; anything else is one if it looks like one or is there.
Device device_of(const std::string& flag) {
  const auto wanted = virtual_device_name(flag);
  if (wanted == "host") throw std::invalid_argument(fmt::format("--device={}: the host is not a GPU", flag));
  const auto names = device_names();
  if (std::find(names.begin(), names.end(), wanted) == names.end() && wanted.find_first_of("./") == std::string::npos &&
      !std::filesystem::exists(wanted)) {
    throw std::invalid_argument(fmt::format("--device={}: no device of that name{}; known: {}, or a device file", flag,
                                            did_you_mean(wanted, names), fmt::join(names, ", ")));
  }
  return find_device(wanted);
}

std::string cache_text(const SectoredGeometry& cache, const char* what) {
  return fmt::format("{} KiB{}, {} B lines, {} ways, {}", cache.size >> 10, what, cache.line, cache.ways,
                     cache.replacement == Replacement::lru ? "LRU" : "random replacement");
}

/// The launches as the device model sees them, of which nothing else is executed.
void model_launches(Model& model, const Device& device) {
  model.target = {Platform::cuda, fmt::format("modelled {} {}", device.name, device.model_hash()), 1, {}, {}};
  model.launches = Launches::modelled;
  model.about.facts = {{"SMs", fmt::format("{} at {:.4g} GHz, {} FP64 lanes, {} warps, {} blocks, {} registers each",
                                           device.sms, device.clock * 1e-9, device.fp64_lanes, device.warps_per_sm,
                                           device.blocks_per_sm, device.registers_per_sm)},
                       {"L1", cache_text(device.l1, " with shared memory on each SM")},
                       {"L2", cache_text(device.l2, "")},
                       {"DRAM", fmt::format("read in pieces of {} B", device.dram_fetch)},
                       {"intervals", "round robin and greedy warp scheduling, L2 clean and dirty before the launch"}};
  if (device.merges_reads())
    model.about.facts.back().second +=
        fmt::format(", reads of L2 by SMs of a GPC merged, {} at most, and apart", device.merged_reads);
  model.counter = std::make_shared<DeviceModel>(device);
}

/// The launches executed, verified and counted.
void execute_launches(Model& model, const Device& device, const Machine& host) {
  const auto gpu = find_gpus().found.at(0);
  use_gpu(gpu);
  model.target = {Platform::cuda, fmt::format("virtual {} {}", device.name, device.model_hash()), 1, host, gpu};
  model.launches = Launches::counted;
  model.about.device = fmt::format("virtual({})", device.name);
  model.about.facts = {
      {"executed", "the compiled kernels, instruction by instruction, on this machine's cores; every row verified"},
      {"counts",
       "FLOPs, requests, sectors and bytes at L1 are exact; bytes of L2 and DRAM are modelled from the same accesses"},
      {"not shown", "machine code, latencies, clocks, caches: nothing here is a time of that device"}};
  model.counter = std::make_shared<CounterFunction>(
      [device](const std::string&, const Workload& work) { return run_once(device, work); });
}

/// Its rows are made when the first of them is asked for; the GPU's own workloads are not touched.
class ModelOfGpu final : public CounterSource {
 public:
  ModelOfGpu(std::string device, const Options& options)
      : device_(std::move(device)), sizes_(options.sizes), size_of_(options.size_of()) {}

  ModelOfGpu(const ModelOfGpu&) = delete;
  ModelOfGpu& operator=(const ModelOfGpu&) = delete;
  /// Rows may own memory of the virtual device, which must go where it came from.
  ~ModelOfGpu() override {
    if (!suite_) return;
    const runtime::Scope on_virtual_device(device_);
    suite_.reset();
  }

  std::optional<Counts> count(const std::string& row, const Workload&) override {
    return of_row(row, [&](const Variant& variant) {
      return has_bytes(variant.family) ? model_->count(row, variant.make()) : std::nullopt;
    });
  }
  std::optional<Counts> operations(const std::string& row, const Workload&) override {
    return of_row(row, [&](const Variant& variant) { return model_->operations(row, variant.make()); });
  }

 private:
  std::optional<Counts> of_row(const std::string& row,
                               const std::function<std::optional<Counts>(const Variant&)>& counted) {
    const runtime::Scope on_virtual_device(device_);
    if (!suite_) make_suite();
    for (const auto& variant : suite_->variants())
      if (variant.name == row) return counted(variant);
    return std::nullopt;
  }

  static bool has_bytes(const std::string& family) {
    for (const auto& [about, ports] : families())
      if (about.name == family) return !ports.at(Platform::cuda).modelled_sizes.empty();
    return false;
  }

  void make_suite() {
    model_.emplace(find_device(device_));
    Target target;
    target.platform = Platform::cuda;
    Suite suite(target);
    suite.set_launches(Launches::modelled);
    add_families(suite, sizes_,
                 [this](const Port& port) { return standard_sizes(port, Platform::cuda, Launches::timed, size_of_); });
    suite_ = std::move(suite);  // only when it is whole
  }

  std::string device_;
  std::map<std::string, Sizes> sizes_;
  SizeOf size_of_;
  std::optional<DeviceModel> model_;
  std::optional<Suite> suite_;
};

}  // namespace

void select_virtual(const std::string& device, const std::string& checks) {
  if (!runtime::can_run_virtually())
    throw std::invalid_argument(fmt::format(
        "--device={}: this build has no CUDA kernels; tools/build.sh builds them where nvcc is found", device));
  auto settings = runtime::settings_from_environment();
  settings.device = virtual_device_name(device);
  runtime::set_checks(settings, checks);
  runtime::select(std::move(settings));
}

Model virtual_model(const Options& options, const Machine& host) {
  const auto device = device_of(options.device);
  Model model;
  model.about = {device.name, device.description, device.model_hash(), true, {}};
  model.about.l2_bytes = static_cast<double>(device.l2.size);
  model.about.warp_rate =
      warp_issue_rate(static_cast<int>(device.sms), static_cast<int>(device.capability), device.clock);
  const bool imported = options.ceilings.kind == CeilingsChoice::Kind::file;
  model.ceilings = imported ? import_ceilings(options.ceilings.file) : device.ceilings;
  for (auto& ceiling : model.ceilings) ceiling.threads = 1;  // the device as a whole
  model.ceilings_origin = {CeilingsOrigin::Kind::described, imported
                                                                ? "imported from " + options.ceilings.file
                                                                : "from the device file, published or theoretical"};
  select_virtual(options.device, options.sanitize);
  options.modelled ? model_launches(model, device) : execute_launches(model, device, host);
  return model;
}

std::string known_device_of(const std::string& gpu_name) {
  const auto name = lower_case(gpu_name);
  for (const auto& [device, text] : known_devices())
    if (const auto at = name.find(device), end = at + device.size(); at != std::string::npos &&
                                                                     (at == 0 || !std::isalnum(name[at - 1])) &&
                                                                     (end == name.size() || !std::isalnum(name[end])))
      return device;
  return {};
}

std::shared_ptr<CounterSource> modelled_counts(const Gpu& gpu, const Options& options) {
  if (is_mig_instance(gpu)) return nullptr;  // a part has other caches
  if (runtime::selected()) return nullptr;   // this process has one virtual GPU, and it is the card
  auto device = known_device_of(gpu.name);
  // Cards of one name may differ: an H100 for PCIe has fewer SMs.
  if (device.empty() || find_device(device).sms != static_cast<unsigned>(gpu.sms)) device = described(gpu);
  return device.empty() ? nullptr : std::make_shared<ModelOfGpu>(device, options);
}

Suite ceilings_of_kernels(const Target& target) {
  Suite suite(target);
  if (const auto* const source = ceiling_source(Platform::cuda)) source->add(suite);
  return suite;
}

std::vector<const CeilingVariant*> ceilings_to_verify(const Suite& suite, const Options& options) {
  const Filter filter(options.has_filter() ? options.filter : ".");
  const bool by_name = options.has_filter() && filter.selective() && !filter.inverted();
  std::vector<const CeilingVariant*> chosen;
  for (const auto& ceiling : suite.ceilings()) {
    const bool wanted = options.verify ? !options.has_filter() || (by_name && filter.matches(ceiling.ceiling.name))
                        : options.ceilings.kind == CeilingsChoice::Kind::full ? true
                                                                              : ceiling.selection == Selection::quick;
    // Under load it is the kernel that the ceiling has without.
    if (wanted && !ceiling.ceiling.sustained) chosen.push_back(&ceiling);
  }
  return chosen;
}

}  // namespace roofline
