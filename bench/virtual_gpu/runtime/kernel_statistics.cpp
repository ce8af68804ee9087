#include "bench/virtual_gpu/runtime/kernel_statistics.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

namespace roofline::runtime {
namespace {

/// The parameter list of a demangled function is its last bracket; a template's return type comes before its name.
std::string without_signature(std::string name) {
  int depth = 0;
  for (auto i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      name.resize(i);
      break;
    }
  }
  depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if (name[i] == '<' || name[i] == '(') --depth;
    if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

std::string si(double value) {
  if (value == 0) return "0";
  const char* const prefixes[] = {"", " k", " M", " G", " T", " P"};
  int prefix = 0;
  for (; value >= 1000 && prefix < 5; ++prefix) value /= 1000;
  return fmt::format("{:.3g}{}", value, prefixes[prefix]);
}

std::uint64_t flops_of(const ptx::Counts& counts, ptx::Precision precision) { return counts.of(precision).total(); }

nlohmann::ordered_json json_of(const ptx::Traffic& traffic) {
  return {{"requests", traffic.requests},
          {"lanes", traffic.lanes},
          {"bytes", traffic.bytes},
          {"sectors", traffic.sectors},
          {"wavefronts", traffic.wavefronts}};
}

nlohmann::ordered_json json_of(const ptx::Counts& counts) {
  nlohmann::ordered_json json;
  const char* const names[] = {"fp64", "fp32", "fp16", "bf16"};
  for (int i = 0; i < ptx::precisions; ++i) {
    const auto& flops = counts.flops[i];
    json["flops"][names[i]] = {{"add", flops.add},
                               {"mul", flops.mul},
                               {"fma", flops.fma},
                               {"special", flops.special},
                               {"total", flops.total()}};
  }
  json["flops"]["tensor"] = counts.tensor_flops;
  json["warp_instructions"] = counts.warp_instructions;
  json["lane_instructions"] = counts.lane_instructions;
  json["branches"] = counts.branches;
  json["divergent_branches"] = counts.divergent_branches;
  json["barriers"] = counts.barriers;
  json["warps"] = counts.warps;
  json["blocks"] = counts.blocks;
  json["global_load"] = json_of(counts.global_load);
  json["global_store"] = json_of(counts.global_store);
  json["global_atomic"] = json_of(counts.global_atomic);
  json["local_load"] = json_of(counts.local_load);
  json["local_store"] = json_of(counts.local_store);
  json["shared_load"] = json_of(counts.shared_load);
  json["shared_store"] = json_of(counts.shared_store);
  json["shared_atomic"] = json_of(counts.shared_atomic);
  return json;
}

std::string shortened(const std::string& name, std::size_t width) {
  return name.size() <= width ? name : name.substr(0, width - 2) + "..";
}

}  // namespace

std::uint64_t KernelStatistics::l1_bytes() const {
  return counts.global_load.bytes + counts.global_store.bytes + counts.global_atomic.bytes + counts.local_load.bytes +
         counts.local_store.bytes;
}

double KernelStatistics::intensity() const {
  return l1_bytes() ? static_cast<double>(counts.total_flops()) / static_cast<double>(l1_bytes()) : 0;
}

double KernelStatistics::sectors_per_request() const {
  const auto requests = counts.global_load.requests + counts.global_store.requests;
  const auto sectors = counts.global_load.sectors + counts.global_store.sectors;
  return requests ? static_cast<double>(sectors) / static_cast<double>(requests) : 0;
}

KernelStatistics& Statistics::of(const std::string& mangled) {
  const auto [found, is_new] = index_.try_emplace(mangled, kernels_.size());
  if (is_new) kernels_.emplace_back().name = readable(mangled);
  return kernels_[found->second];
}

std::string readable(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? without_signature(name.get()) : mangled;
}

std::string table_of(const Statistics& statistics, const std::string& device) {
  std::string text = fmt::format("executed on {}: counts are exact, there are no times\n", device);
  text += fmt::format("{:<40} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>4}\n", "kernel", "launches", "fp64",
                      "fp32", "other", "requests", "warp ins", "sect/rq", "AI L1", "regs");
  std::string findings;
  for (const auto& kernel : statistics.kernels()) {
    const auto& counts = kernel.counts;
    const auto fp64 = flops_of(counts, ptx::Precision::fp64), fp32 = flops_of(counts, ptx::Precision::fp32);
    const auto requests = counts.global_load.requests + counts.global_store.requests;
    text +=
        fmt::format("{:<40} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7.3g} {:>7.3g} {:>3}{}\n",
                    shortened(kernel.name, 40), kernel.launches, si(static_cast<double>(fp64)),
                    si(static_cast<double>(fp32)), si(static_cast<double>(counts.total_flops() - fp64 - fp32)),
                    si(static_cast<double>(requests)), si(static_cast<double>(counts.warp_instructions)),
                    kernel.sectors_per_request(), kernel.intensity(), kernel.registers, kernel.compiled ? " " : "~");
    if (!kernel.failure.empty()) findings += fmt::format("failed: {}\n", kernel.failure);
    for (const auto& finding : kernel.findings) findings += fmt::format("found: {}\n", ptx::describe(finding));
  }
  return text + findings;
}

std::string json_of(const Statistics& statistics, const std::string& device, const std::string& program) {
  nlohmann::ordered_json json;
  json["source"] = "emulated";
  json["device"] = device;
  json["program"] = program;
  json["kernels"] = nlohmann::ordered_json::array();
  for (const auto& kernel : statistics.kernels()) {
    nlohmann::ordered_json row{{"name", kernel.name},
                               {"launches", kernel.launches},
                               {"registers", kernel.registers},
                               {"registers_source", kernel.compiled ? "ptxas" : "estimate"},
                               {"total_flops", kernel.counts.total_flops()},
                               {"bytes_L1", kernel.l1_bytes()}};
    if (kernel.l1_bytes()) row["AI_L1"] = kernel.intensity();
    if (kernel.sectors_per_request() > 0) row["sectors_per_request"] = kernel.sectors_per_request();
    row["counts"] = json_of(kernel.counts);
    row["findings"] = nlohmann::ordered_json::array();
    for (const auto& finding : kernel.findings)
      row["findings"].push_back(
          {{"kind", ptx::name_of(finding.kind)}, {"times", finding.times}, {"text", ptx::describe(finding)}});
    if (!kernel.failure.empty()) row["failure"] = kernel.failure;
    json["kernels"].push_back(std::move(row));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace roofline::runtime
