#include "reporters/formats/imported.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace roofline {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Ceiling imported(const std::string& label, double rate, const std::string& origin) {
  Ceiling ceiling;
  ceiling.label = label;
  ceiling.rate = ceiling.rate_low = ceiling.rate_high = rate;
  ceiling.variant = "imported from " + origin;
  return ceiling;
}

}  // namespace

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

MemoryLevel level_named(const std::string& name, std::size_t rank, std::size_t count) {
  const auto text = lower_case(name);
  if (contains(text, "shared") || contains(text, "lds")) return MemoryLevel::shared;
  if (contains(text, "l1")) return MemoryLevel::L1;
  if (contains(text, "l2")) return MemoryLevel::L2;
  if (contains(text, "l3") || contains(text, "mall") || contains(text, "llc")) return MemoryLevel::L3;
  for (const auto* const memory : {"dram", "hbm", "ddr", "global", "memory"})
    if (contains(text, memory)) return MemoryLevel::DRAM;
  if (rank + 1 >= count) return MemoryLevel::DRAM;
  return memory_levels[std::min<std::size_t>(rank, 2)];
}

Ceiling imported_bandwidth(MemoryLevel level, const std::string& label, double rate, const std::string& origin) {
  auto ceiling = imported(label, rate, origin);
  ceiling.kind = Ceiling::Kind::bandwidth;
  ceiling.level = level;
  ceiling.mix = Mix::read;
  ceiling.name = "ceiling/bandwidth/" + std::string(name(level)) + "/imported/" + label;
  return ceiling;
}

Ceiling imported_compute(const std::string& label, double rate, const std::string& origin) {
  auto ceiling = imported(label, rate, origin);
  const auto text = lower_case(label);
  for (const auto* const precision : {"fp32", "fp16", "bf16", "fp8", "int8"})
    if (contains(text, precision)) ceiling.precision = precision;
  if (contains(text, "no-fma") || contains(text, "nofma") || contains(text, "no fma") || contains(text, "w/o fma"))
    ceiling.operation = Operation::nofma;
  else if (contains(text, "add"))
    ceiling.operation = Operation::add;
  else if (contains(text, "mul"))
    ceiling.operation = Operation::mul;
  else if (contains(text, "div"))
    ceiling.operation = Operation::div;
  ceiling.name =
      "ceiling/flops/" + ceiling.precision + "/" + std::string(name(ceiling.operation)) + "/imported/" + label;
  return ceiling;
}

KernelPoint imported_point(const std::string& name, double flop_rate, const std::map<MemoryLevel, double>& intensity) {
  KernelPoint point;
  point.name = name;
  point.family = name.substr(0, name.find('/'));
  point.time = {1, 1, 1};
  const auto flops = static_cast<std::uint64_t>(std::llround(std::min(flop_rate, 9e18)));
  // Of kinds that the file does not tell: held against the highest ceiling, that of FMA.
  point.counts.operations.fma = flops / 2, point.counts.operations.add = flops % 2;
  point.counts.kinds_known = false;
  point.declared_flops = flops;
  point.counts.operations_source = point.counts.traffic_source = Source::imported;
  for (const auto& [level, value] : intensity) point.counts.at(level) = Traffic{static_cast<double>(flops) / value, 0};
  return point;
}

}  // namespace roofline
