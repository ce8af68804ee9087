#include "bench/run/gpu_counter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/counters/unavailable.hpp"
#include "bench/run/bounded_model.hpp"

namespace roofline {
namespace {

/// A line, once, however many rows meet it.
void warn(std::vector<std::string>& warnings, const std::string& line) {
  if (std::find(warnings.begin(), warnings.end(), line) == warnings.end()) warnings.push_back(line);
}

std::string instead(const ModelledCounts& modelled) {
  return modelled ? "bytes are modelled" : "bytes are unknown: no model of this GPU";
}

CounterSource without_counters(ModelledCounts modelled, const GpuAccess& access) {
  return [modelled = std::move(modelled), launch = access.launch](const Variant& variant, const Workload& work) {
    launch(variant.name, work);
    return gpu_counts(variant.name, work.declared_flops, std::nullopt, modelled, {});
  };
}

CounterSource by_cupti(const GpuCounting& counting, ModelledCounts modelled,
                       std::shared_ptr<std::vector<std::string>> warnings) {
  return [=, collect = counting.collect, not_used = refused(counting.self_test)](const Variant& variant,
                                                                                 const Workload& work) {
    std::optional<HardwareCounts> counted;
    try {
      auto values = collect(work);
      for (const auto quantity : not_used) values.erase(quantity);
      counted = translate(values);
      if (const auto complaint = flops_complaint(work.declared_flops, *counted); !complaint.empty())
        warn(*warnings, fmt::format("{}: {}", variant.name, complaint));
    } catch (const CountersUnavailable& why) {
      warn(*warnings, fmt::format("GPU counters: {}; {}", why.what(), instead(modelled)));
    }
    return gpu_counts(variant.name, work.declared_flops, counted, modelled, "CUPTI");
  };
}

CounterSource from_file(const std::string& file, const ImportedCounters& imported, ModelledCounts modelled,
                        std::shared_ptr<std::vector<std::string>> warnings) {
  return [=](const Variant& variant, const Workload& work) {
    const auto found = imported.find(variant.name);
    std::optional<HardwareCounts> counted;
    if (found == imported.end())
      warn(*warnings, fmt::format("{} has no kernel named {}", file, variant.name));
    else
      counted = translate(found->second);
    return gpu_counts(variant.name, work.declared_flops, counted, modelled, file);
  };
}

}  // namespace

GpuCounter gpu_counter(const std::string& choice, const ImportedCounters& imported, const Gpu& gpu,
                       ModelledCounts modelled, const GpuAccess& access) {
  GpuCounter counter;
  if (choice != "model")
    modelled = bounded(std::move(modelled), {}, [to = counter.warnings](const std::string& line) { warn(*to, line); });
  if (choice == "none") {
    counter.description = "none";
    counter.count = without_counters(nullptr, access);
  } else if (choice == "model") {
    counter.description = "none: bytes are modelled";
    counter.count = without_counters(std::move(modelled), access);
  } else if (choice == "auto" || choice == "cupti") {
    try {
      const auto counting = access.open(gpu);
      counter.description = counting.description;
      counter.self_test = counting.self_test;
      for (const auto& result : counter.self_test)
        if (!result.passed()) warn(*counter.warnings, "counter refused: " + result.text());
      counter.count = by_cupti(counting, std::move(modelled), counter.warnings);
    } catch (const CountersUnavailable& why) {
      if (choice == "cupti") throw;
      warn(*counter.warnings, fmt::format("GPU counters: {}; {}", why.what(), instead(modelled)));
      counter.description = "none";
      counter.count = without_counters(std::move(modelled), access);
    }
  } else {
    counter.description = choice;
    counter.count = from_file(choice, imported, std::move(modelled), counter.warnings);
  }
  return counter;
}

}  // namespace roofline
