#include "bench/counters/gpu_model.hpp"

#include <fmt/format.h>

#include <algorithm>
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

void widen(Interval& interval, bool first, double value) {
  if (first) interval = {value, value};
  interval = {std::min(interval.low, value), std::max(interval.high, value)};
}

}  // namespace

double GpuCounts::sectors_per_request(Access access) const {
  const auto& of = exact.of(access);
  return of.requests == 0 ? 0 : static_cast<double>(of.sectors) / static_cast<double>(of.requests);
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
  result.at(MemoryLevel::L1) = Traffic{bytes(static_cast<double>(read)), bytes(static_cast<double>(written))};
  result.at(MemoryLevel::L2) = Traffic{bytes(l2_read.middle()), bytes(l2_write.middle())};
  result.at(MemoryLevel::DRAM) = Traffic{bytes(dram_read.middle()), bytes(dram_write.middle())};
  result.traffic_note = note;
  return result;
}

GpuCounts GpuModel::count(const GpuKernel& kernel, const Sampling& sampling) const {
  GpuCounts result;
  result.resident = residency(device_, kernel);
  result.l1_bytes_per_sm = GpuMemory(device_, result.resident.blocks * kernel.shared).l1_size();

  BlockWindow window{0, 0, kernel.blocks};
  if (sampling.measure > 0 && sampling.warm_up + sampling.measure < kernel.blocks) {
    const Index length = sampling.warm_up + sampling.measure;
    const Index first = (kernel.blocks - length) / 2 / sampling.period * sampling.period;
    window = {first, first + sampling.warm_up, first + length};
  }
  const bool sampled = window.first != 0 || window.end != kernel.blocks;
  const double scale =
      static_cast<double>(kernel.blocks) / static_cast<double>(sampled ? window.end - window.measure : kernel.blocks);
  if (sampled) result.exact = scaled_counts(kernel, window.first, sampling.period);

  bool first = true;
  for (const auto schedule : {Schedule::lockstep, Schedule::greedy}) {
    const auto simulated = simulate(device_, kernel, schedule, window);
    const auto& traffic = simulated.traffic;
    if (!sampled) result.exact = simulated.counts;
    // A window stands for the middle of a launch: what L2 holds before and after it are the kernel's own data.
    const auto left = sampled ? GpuTraffic{} : simulated.left;
    const auto displaced = sampled ? 0 : traffic.displaced;
    const auto scaled = [&](std::uint64_t sectors) { return static_cast<double>(sectors) * scale; };
    widen(result.l2_read, first, scaled(traffic.l2_read));
    widen(result.l2_write, first, scaled(traffic.l2_write));
    widen(result.dram_read, first, scaled(traffic.dram_read));
    widen(result.dram_read, false, scaled(traffic.dram_read + left.dram_read));
    widen(result.dram_write, first, scaled(traffic.dram_write + left.dram_write));
    widen(result.dram_write, false, scaled(traffic.dram_write + displaced));
    first = false;
  }
  result.executed = expand(result.exact, device_);
  result.note = fmt::format("{}, lockstep..greedy, clean..dirty L2, {} blocks per SM ({})", label(),
                            result.resident.blocks, result.resident.limit);
  if (sampled)
    result.note += fmt::format(", {} of {} blocks after {}", window.end - window.measure, kernel.blocks,
                               window.measure - window.first);
  return result;
}

}  // namespace roofline
