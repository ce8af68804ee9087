#include "bench/counting/modelled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/cache_model/cache_model.hpp"
#include "bench/machine/core_units.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/model/least_time.hpp"
#include "bench/options/device_flag.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/nearest.hpp"
#include "bench/virtual_gpu/devices/known_devices.hpp"
#include "bench/virtual_gpu/memory/device_model.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

/// Known names are never files; anything else is one if it looks like one or is there.
Device device_of(const std::string& model) {
  if (!known_devices().contains(model) && model.find_first_of("./") == std::string::npos &&
      !std::filesystem::exists(model)) {
    std::vector<std::string> names{"host"};
    for (const auto& [name, text] : known_devices()) names.push_back(name);
    const auto guess = nearest(model, names);
    std::string known;
    for (const auto& name : names) known += (known.empty() ? "" : ", ") + name;
    throw std::invalid_argument(fmt::format("--model={}: no device of that name{}; known: {}, or a device file", model,
                                            guess.empty() ? "" : ", did you mean " + guess + "?", known));
  }
  return find_device(model);
}

std::string cache_text(const SectoredGeometry& cache, const char* what) {
  return fmt::format("{} KiB{}, {} B lines, {} ways, {}", cache.size >> 10, what, cache.line, cache.ways,
                     cache.replacement == Replacement::lru ? "LRU" : "random replacement");
}

Model gpu_model(const Options& options) {
  const Device device = device_of(options.model);
  if (!runtime::can_run_virtually()) {
    const auto flag = is_virtual(options.device) ? "--device=" + options.device : "--model=" + options.model;
    throw std::invalid_argument(fmt::format(
        "{0}: this build has no CUDA kernels; tools/run.sh {0} builds them where nvcc is found, and so does "
        "cmake --preset release",
        flag));
  }
  Model model;
  model.target.platform = Platform::modelled;
  model.target.fingerprint = fmt::format("modelled {} {}", device.name, device.model_hash());
  model.about = {device.name, device.description, device.model_hash(), true, {}};
  model.about.facts = {{"SMs", fmt::format("{} at {:.4g} GHz, {} FP64 lanes, {} warps, {} blocks, {} registers each",
                                           device.sms, device.clock * 1e-9, device.fp64_lanes, device.warps_per_sm,
                                           device.blocks_per_sm, device.registers_per_sm)},
                       {"L1", cache_text(device.l1, " with shared memory on each SM")},
                       {"L2", cache_text(device.l2, "")},
                       {"DRAM", fmt::format("read in pieces of {} B", device.dram_fetch)},
                       {"intervals", "lockstep and greedy warp scheduling, L2 clean and dirty before the launch"}};
  model.about.l2_bytes = static_cast<double>(device.l2.size);
  model.about.warp_rate =
      warp_issue_rate(static_cast<int>(device.sms), static_cast<int>(device.capability), device.clock);
  const bool imported = options.ceilings.kind == CeilingsChoice::Kind::file;
  model.ceilings = imported ? import_ceilings(options.ceilings.file) : device.ceilings;
  for (auto& ceiling : model.ceilings) ceiling.threads = 1;  // the device as a whole
  model.ceilings_origin = {CeilingsOrigin::Kind::described, imported ? "imported from " + options.ceilings.file
                                                                     : "of the device file, published or theoretical"};
  model.counter = std::make_shared<DeviceModel>(device);
  return model;
}

/// What core_units() knows of this core: FP64 rates and L1.
std::vector<Ceiling> theoretical_ceilings(const Machine& machine, const Suite& measured) {
  std::vector<Ceiling> result;
  for (const auto& [ceiling, selection, make] : measured.ceilings()) {
    const auto rate = theoretical_rate(ceiling, machine);
    if (!rate || selection != Selection::quick || ceiling.threads != measured.threads()) continue;
    result.push_back(ceiling);
    result.back().rate = result.back().rate_low = result.back().rate_high = *rate;
    result.back().theory = *rate;
    result.back().variant = "theoretical";
  }
  return result;
}

Model host_model(const Options& options, const Machine& host) {
  if (host.caches.empty())
    throw std::invalid_argument("--model=host: this system does not tell its caches; choose a described device");
  Model model;
  model.target = cpu_target(host, options.threads ? options.threads : host.usable_cores);
  model.about = {"host", host.name, model_hash(host.caches), false, {}};
  model.about.facts = {{"model", CacheHierarchy(host.caches).describe() + ", write-back, each core's share"}};
  Suite measured(model.target);
  ceiling_source(Platform::cpu)->add(measured);
  const bool imported = options.ceilings.kind == CeilingsChoice::Kind::file;
  model.ceilings = imported ? read_ceilings(options.ceilings.file, measured) : theoretical_ceilings(host, measured);
  if (imported) model.stores = read_stores(options.ceilings.file, measured.threads());
  if (model.ceilings.empty())
    throw std::invalid_argument(
        "--model=host: no theoretical rates are known for this CPU; --ceilings=run.json takes those of an earlier run");
  model.ceilings_origin = {
      imported ? CeilingsOrigin::Kind::imported : CeilingsOrigin::Kind::described,
      imported ? options.ceilings.file
               : "theoretical at the measured clock: no bandwidth beyond L1 (--ceilings=run.json of an earlier run)"};
  model.counter = std::make_shared<CacheModel>(host.caches, measured.threads());
  return model;
}

}  // namespace

Model make_model(const Options& options, const Machine& host) {
  if (options.ceilings.kind == CeilingsChoice::Kind::none)
    throw std::invalid_argument(
        "--ceilings=none: a run on a described or virtual device takes its times from ceilings");
  return options.model == "host" ? host_model(options, host) : gpu_model(options);
}

std::string assumptions(const Model& model) {
  const auto& about = model.about;
  std::string text = fmt::format("\nmodelled({}), {}\n", about.device, about.description);
  for (const auto& [key, value] : about.facts) text += fmt::format("  {:<10}{}\n", key, value);
  text += fmt::format("  {:<10}{}\n  {:<10}{}\n", "ceilings", model.ceilings_origin.text, "hash", about.hash);
  text += model.about.gpu ? R"(
The compiled kernels run warp by warp, as far as addresses depend on it. Exact: FLOPs, requests, L1 sectors. An interval over what is not
published, the scheduling of warps and what L2 held before: bytes of L2 and DRAM. Large launches are sampled: their
start until traffic is steady (20 s at most), windows at equal distances, each after a warm-up of more than one L2 of
traffic, and their end; 95 % intervals from the spread between windows. L1 is per SM, sectored, without write-allocation; L2 is one shared cache, write-back.
No latency, no bank conflicts, no TLB, no clock limits.
A time is the least possible one, what the slowest resource needs at its ceiling: a bound, not a measurement.
)"
                          : R"(
The kernel's own source runs once. Exact: FLOPs and bytes at L1. Bytes beyond go through write-back,
write-allocate LRU caches of this machine's geometry: each core's slabs through its own, an equal share of shared
ones; large problems are sampled after a warm-up of one last-level cache. No prefetcher, no victim cache, no TLB.
Where the ceilings show that stores evade reading lines that they overwrite, DRAM's bytes are without that share.
A time is the least possible one, what the slowest resource needs at its ceiling: a bound, not a measurement.
)";
  return text;
}

KernelPoint bound_point(const Variant& variant, const Counts& counts, const Roofline& roofline) {
  const auto executed = counts.executed.value_or(counts.operations);
  const auto time = least_time(roofline, counts, executed);
  if (!time) throw std::invalid_argument("no ceiling bounds this launch: --ceilings=FILE imports some");
  const auto seconds_at = [&](double Span::*end) {
    return least_time(roofline, at_end(counts, end), executed)->seconds;
  };
  return {.name = variant.name,
          .family = variant.family,
          .problem = variant.problem,
          .counts = counts,
          .time = {time->seconds, seconds_at(&Span::low), seconds_at(&Span::high)},
          .bound_by = time->bound,
          .threads = roofline.threads(),
          .fma = variant.fma};
}

}  // namespace roofline
