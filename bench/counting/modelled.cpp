#include "bench/counting/modelled.hpp"

#include <fmt/format.h>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/counting/virtual_model.hpp"
#include "bench/machine/core_units.hpp"
#include "bench/model/roofline.hpp"
#include "bench/options/choices.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"

namespace roofline {
namespace {

/// The FP64 rates and L1 rate that core_units() knows for this core.
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
    throw std::invalid_argument(
        "--modelled: this system does not tell its caches; --device=virtual is modelled by its file");
  Model model;
  model.target = cpu_target(host, options.threads);
  const auto caches = shared_among(host.caches, model.target.threads);
  model.about = {"host", host.name, model_hash(caches), false, {}};
  model.about.facts = {{"model", CacheHierarchy(caches).describe() + ", write-back, each core's share"}};
  Suite measured(model.target);
  ceiling_source(Platform::cpu)->add(measured);
  const bool imported = options.ceilings.kind == CeilingsChoice::Kind::file;
  auto earlier = imported ? read_ceilings(options.ceilings.file, measured) : EarlierRun();
  model.ceilings = imported ? std::move(earlier.ceilings) : theoretical_ceilings(host, measured);
  model.stores = std::move(earlier.stores);
  if (model.ceilings.empty())
    throw std::invalid_argument(
        "--modelled: no theoretical rates are known for this CPU; --ceilings=run.json takes those of an earlier run");
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
        "--ceilings=none: a run on a virtual device, or a modelled one, takes its times from ceilings");
  return is_virtual(options.device) ? virtual_model(options, host) : host_model(options, host);
}

std::string assumptions(const Model& model) {
  const auto& about = model.about;
  std::string text = fmt::format("\nmodelled({}), {}\n", about.device, about.description);
  for (const auto& [key, value] : about.facts) text += fmt::format("  {:<10}{}\n", key, value);
  text += fmt::format("  {:<10}{}\n  {:<10}{}\n", "ceilings", model.ceilings_origin.text, "hash", about.hash);
  text += model.about.gpu ? R"(
The compiled kernels run warp by warp, as far as addresses depend on it. Exact: FLOPs, requests, L1 sectors.
An interval: bytes of L2 and DRAM, over what is not published: the scheduling of warps, what L2 held before,
and, where SMs of a GPC may share a request of L2, how many do. Large launches are sampled: their start until
traffic is steady (20 s at most), windows at equal distances, each after a warm-up of more than one L2 of
traffic, and their end; 95 % intervals from the spread between windows. L1 is per SM, sectored, without
write-allocation; L2 is one shared cache, write-back. No latency, no bank conflicts, no TLB, no clock limits.
A time is the least possible one, what the slowest resource needs at its ceiling: a bound, not a measurement.
)"
                          : R"(
The kernel's own source runs once. Exact: FLOPs and bytes at L1. Bytes beyond go through write-back,
write-allocate LRU caches of this machine's geometry: each core's chunks through its own, an equal share of shared
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
