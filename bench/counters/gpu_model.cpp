#include "bench/counters/gpu_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace roofline {
namespace {

Operations expand(const WarpCounts& counts, const Device& device) {
  Operations result = counts.operations;
  const auto add = [&](const Operations& expansion, std::uint64_t times) {
    result.add += expansion.add * times, result.mul += expansion.mul * times, result.fma += expansion.fma * times;
  };
  add(device.reciprocal, counts.reciprocals);
  add(device.division, counts.operations.div - counts.reciprocals);
  result.div = 0;
  return result;
}

WarpCounts times(const WarpCounts& counts, std::uint64_t n) {
  WarpCounts result = counts;
  for (auto* const field : {&result.operations.add, &result.operations.mul, &result.operations.fma,
                            &result.operations.div, &result.reciprocals, &result.instructions, &result.lanes})
    *field *= n;
  for (auto& of : result.requests) of.requests *= n, of.sectors *= n, of.lanes *= n;
  return result;
}

/// Counts of a launch from two periods in its middle, which must agree.
WarpCounts scaled_counts(const GpuKernel& kernel, Index first, Index period) {
  const auto of_period = [&](Index from) {
    WarpCounts sum;
    for (Index block = from; block < from + period; ++block) sum += record_block(kernel, block);
    return sum;
  };
  const auto counts = of_period(first);
  if (kernel.blocks % period != 0 || counts != of_period(first + period))
    throw std::logic_error(fmt::format("{}: blocks do not repeat after {}", kernel.name, period));
  return times(counts, static_cast<std::uint64_t>(kernel.blocks / period));
}

/// How far parts of a window are from their mean, relative.
double deviation(const std::vector<GpuTraffic>& parts, std::uint64_t GpuTraffic::*quantity) {
  double sum = 0, worst = 0;
  for (const auto& part : parts) sum += static_cast<double>(part.*quantity);
  const double mean = sum / static_cast<double>(parts.size());
  for (const auto& part : parts)
    if (mean > 0) worst = std::max(worst, std::abs(static_cast<double>(part.*quantity) / mean - 1));
  return worst;
}

}  // namespace

Sampling window_of(const Device& device, const GpuKernel& kernel, double bytes, Index waves, Index period) {
  const Index wave = Index{residency(device, kernel).blocks} * device.sms;
  const double warm_up = std::ceil(1.25 * static_cast<double>(device.l2.size) / (static_cast<double>(wave) * bytes));
  const Sampling sampling{.waves = waves, .warm_up = static_cast<Index>(warm_up), .period = period};
  return (sampling.warm_up + sampling.waves) * wave * 2 > kernel.blocks ? Sampling{} : sampling;
}

double GpuCounts::sectors_per_request(Access access) const {
  const auto& of = exact.of(access);
  return of.requests == 0 ? 0 : static_cast<double>(of.sectors) / static_cast<double>(of.requests);
}

Span GpuCounts::over(double Scenario::*quantity) const {
  Span result{scenarios.front().*quantity, scenarios.front().*quantity};
  for (const auto& scenario : scenarios)
    result = {std::min(result.low, scenario.*quantity), std::max(result.high, scenario.*quantity)};
  return result;
}

double GpuCounts::predication() const {
  return exact.instructions == 0
             ? 0
             : static_cast<double>(exact.lanes) / static_cast<double>(exact.instructions * warp_lanes);
}

Counts GpuCounts::counts() const {
  Counts result;
  result.operations = exact.operations;
  std::uint64_t read = 0, written = 0;
  for (const auto access : {Access::global_load, Access::local_load}) read += exact.of(access).sectors;
  for (const auto access : {Access::global_store, Access::local_store, Access::atomic})
    written += exact.of(access).sectors;
  const auto bytes = [](double sectors) { return sectors * sector_bytes; };
  const auto middle = [&](double Scenario::*quantity) { return bytes(over(quantity).middle()); };
  result.at(MemoryLevel::L1) = Traffic{bytes(static_cast<double>(read)), bytes(static_cast<double>(written))};
  result.at(MemoryLevel::L2) = Traffic{middle(&Scenario::l2_read), middle(&Scenario::l2_write)};
  result.at(MemoryLevel::DRAM) = Traffic{middle(&Scenario::dram_read), middle(&Scenario::dram_write)};
  const auto total = [&](double Scenario::*read, double Scenario::*written) {
    Span range{1e300, 0};
    for (const auto& scenario : scenarios) {
      const double sum = bytes(scenario.*read + scenario.*written);
      range = {std::min(range.low, sum), std::max(range.high, sum)};
    }
    return range;
  };
  result.range[static_cast<std::size_t>(MemoryLevel::L2)] = total(&Scenario::l2_read, &Scenario::l2_write);
  result.range[static_cast<std::size_t>(MemoryLevel::DRAM)] = total(&Scenario::dram_read, &Scenario::dram_write);
  result.modelled_device = device;
  result.traffic_note = note;
  return result;
}

GpuCounts GpuModel::count(const GpuKernel& kernel, const Sampling& sampling) const {
  GpuCounts result;
  result.resident = residency(device_, kernel);
  result.l1_bytes_per_sm = GpuMemory(device_, result.resident.blocks * kernel.shared).l1_size();

  const Index wave = Index{result.resident.blocks} * device_.sms;
  const Index length = (sampling.warm_up + sampling.waves) * wave;
  const bool sampled = sampling.waves > 0 && length < kernel.blocks;
  BlockWindow window{0, 0, kernel.blocks, 0};
  if (sampled) {
    const Index first = (kernel.blocks - length) / 2 / sampling.period * sampling.period;
    window = {first, first + sampling.warm_up * wave, first + length, wave};
    result.exact = scaled_counts(kernel, first, sampling.period);
  }
  const double scale =
      static_cast<double>(kernel.blocks) / static_cast<double>(sampled ? sampling.waves * wave : kernel.blocks);

  bool warm = true;
  for (const auto schedule : {Schedule::lockstep, Schedule::greedy}) {
    const auto simulated = simulate(device_, kernel, schedule, window);
    const auto traffic = simulated.traffic();
    if (sampled && sampling.waves > 1) {
      for (const auto quantity : {&GpuTraffic::l2_read, &GpuTraffic::dram_read})
        result.sampling_error = std::max(result.sampling_error.value_or(0), deviation(simulated.parts, quantity));
    }
    if (!sampled) result.exact = simulated.counts;
    warm &= (simulated.warm_up.dram_read + simulated.warm_up.dram_write) * sector_bytes >= device_.l2.size;
    // A window stands for the middle of a launch: what L2 holds before and after it are the kernel's own data.
    const auto left = sampled ? GpuTraffic{} : simulated.left;
    for (const bool dirty : {false, true}) {
      const auto scaled = [&](std::uint64_t sectors) { return static_cast<double>(sectors) * scale; };
      const auto displaced = dirty && !sampled ? traffic.displaced : 0;
      result.scenarios.push_back({.schedule = schedule,
                                  .dirty = dirty,
                                  .l2_read = scaled(traffic.l2_read),
                                  .l2_write = scaled(traffic.l2_write),
                                  .dram_read = scaled(traffic.dram_read + (dirty ? 0 : left.dram_read)),
                                  .dram_write = scaled(traffic.dram_write + (dirty ? displaced : left.dram_write))});
    }
  }
  result.executed = expand(result.exact, device_);
  result.device = device_.name;
  result.note = fmt::format("lockstep..greedy, clean..dirty L2, {} blocks per SM ({})", result.resident.blocks,
                            result.resident.limit);
  if (sampled)
    result.note +=
        fmt::format(", {} of {} waves after {}", sampling.waves, (kernel.blocks + wave - 1) / wave, sampling.warm_up);
  if (sampled && !warm) result.note += ", which fill less than L2: DRAM writes are too low";
  if (result.sampling_error) result.note += fmt::format(" (+-{:.1f} %)", 100 * *result.sampling_error);
  return result;
}

}  // namespace roofline
