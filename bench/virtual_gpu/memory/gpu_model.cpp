#include "bench/virtual_gpu/memory/gpu_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "bench/model/statistics.hpp"

namespace roofline {
namespace {

/// Sectors that warps ask for, apart from what stays on the SM.
Meter asked_for(const WarpCounts& counts) {
  Meter sum;
  for (std::size_t kind = 0; kind < counts.requests.size(); ++kind)
    (is_store(static_cast<Access>(kind)) ? sum.stores : sum.loads) += counts.requests[kind].sectors;
  return sum;
}

struct Estimate {
  double value = 0, error = 0;
};

/// A quantity of the whole launch: its start and end as they were simulated, the middle by a ratio estimator: traffic
/// per sector that warps load or store, `base`, whose total is known. The error is that of the ratio between windows.
template <class Quantity>
Estimate estimate(const SimulatedTraffic& simulated, const Meter& asked, std::uint64_t Meter::*base,
                  Quantity quantity) {
  Estimate result{quantity(simulated.start.traffic) + quantity(simulated.end.traffic), 0};
  const auto n = simulated.windows.size();
  if (n == 0) return result;
  Meter windows;
  for (const auto& window : simulated.windows) windows = windows + window;
  const auto measured = static_cast<double>(windows.*base);
  const auto middle = static_cast<double>(asked.*base - simulated.start.*base - simulated.end.*base);
  if (measured == 0) return result;
  const double ratio = quantity(windows.traffic) / measured;
  result.value += ratio * middle;
  double squares = 0;
  for (const auto& window : simulated.windows) {
    const double residual = quantity(window.traffic) - ratio * static_cast<double>(window.*base);
    squares += residual * residual;
  }
  const auto parts = static_cast<double>(n);
  const double error = middle / measured * std::sqrt(squares * parts / (parts - 1));
  result.error = n > 1 ? student_quantile(0.05, parts - 1) * error : result.value;
  return result;
}

/// A core for each schedule, where there are two: they share nothing but the kernel, which they read.
std::array<std::pair<Schedule, SimulatedTraffic>, 2> both_schedules(const Device& device, const GpuKernel& kernel,
                                                                    const Sampling& sampling,
                                                                    double sectors_per_block) {
  std::array<std::pair<Schedule, SimulatedTraffic>, 2> results{{{Schedule::round_robin, {}}, {Schedule::greedy, {}}}};
  std::array<std::exception_ptr, 2> failures;
#pragma omp parallel for schedule(static, 1) if (kernel.shares_nothing)
  for (std::size_t i = 0; i < results.size(); ++i) try {
      results[i].second = simulate(device, kernel, results[i].first, sampling, sectors_per_block);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return results;
}

/// Both scenarios of a schedule.
void add_scenarios(const SimulatedTraffic& simulated, const Meter& asked, Schedule schedule,
                   std::vector<GpuCounts::Scenario>& scenarios) {
  const auto read = [&](auto quantity) { return estimate(simulated, asked, &Meter::loads, quantity); };
  const auto written = [&](auto quantity) { return estimate(simulated, asked, &Meter::stores, quantity); };
  const auto l2_read = read([](const GpuTraffic& t) { return static_cast<double>(t.l2_read); });
  const auto l2_read_merged = read([](const GpuTraffic& t) { return static_cast<double>(t.l2_read - t.l2_merged); });
  const auto l2_missed = read([](const GpuTraffic& t) { return static_cast<double>(t.l2_missed); });
  const auto l1_store_hits = written([](const GpuTraffic& t) { return static_cast<double>(t.l1_store_hits); });
  const auto l2_write = written([](const GpuTraffic& t) { return static_cast<double>(t.l2_write); });
  // With what a flush would add: it does not matter when a dirty sector leaves, only where it became dirty.
  const auto dram_read =
      read([](const GpuTraffic& t) { return static_cast<double>(t.dram_read) + static_cast<double>(t.owed_read); });
  const auto dram_write = written(
      [](const GpuTraffic& t) { return static_cast<double>(t.dram_write) + static_cast<double>(t.owed_write); });
  const auto& all = simulated.all.traffic;
  for (const bool dirty : {false, true}) {
    const double not_read = dirty ? static_cast<double>(all.owed_read) : 0;
    const double not_written = dirty ? static_cast<double>(all.owed_write) - static_cast<double>(all.displaced) : 0;
    scenarios.push_back({.schedule = schedule,
                         .dirty = dirty,
                         .l2_read = l2_read.value,
                         .l2_write = l2_write.value,
                         .dram_read = dram_read.value - not_read,
                         .dram_write = dram_write.value - not_written,
                         .l2_read_merged = l2_read_merged.value,
                         .l1_store_hits = l1_store_hits.value,
                         .l2_missed = l2_missed.value,
                         .l2_read_merged_error = l2_read_merged.error,
                         .l2_read_error = l2_read.error,
                         .l2_write_error = l2_write.error,
                         .dram_read_error = dram_read.error,
                         .dram_write_error = dram_write.error});
  }
}

double largest_error(const std::vector<GpuCounts::Scenario>& scenarios) {
  constexpr double negligible = 1e-3;
  double worst = 0;
  for (const auto& s : scenarios) {
    const auto see = [&](double error, double quantity, double other) {
      if (error > 0) worst = std::max(worst, error / std::max(quantity, negligible * (quantity + other)));
    };
    see(s.l2_read_error, s.l2_read, s.l2_write);
    see(s.l2_read_merged_error, s.l2_read_merged, s.l2_write);
    see(s.l2_write_error, s.l2_write, s.l2_read);
    see(s.dram_read_error, s.dram_read, s.dram_write);
    see(s.dram_write_error, s.dram_write, s.dram_read);
  }
  return worst;
}

}  // namespace

Operations executed_by(const Device& device, const WarpCounts& counts) {
  Operations result = counts.operations;
  const auto add = [&](const Operations& expansion, std::uint64_t times) {
    result.add += expansion.add * times;
    result.mul += expansion.mul * times;
    result.fma += expansion.fma * times;
  };
  add(device.reciprocal, counts.reciprocals);
  add(device.division, counts.operations.div - counts.reciprocals);
  add(device.division, counts.operations.sqrt);  // no device file says what one expands to: nearly as much
  result.div = result.sqrt = 0;
  return result;
}

Sampling affordable(const Device& device, const GpuKernel& kernel, double effort) {
  // The time of a core from 2025 for one line that a warp requests. Little of it is spent on executing instructions.
  // Most goes to the state of all resident warps and L1s, which does not fit into a core's cache.
  constexpr double line = 120e-9;
  const double whole_launch = effort, few_waves = 2 * effort, least_waves = 8 * effort,
               start = 10 * effort;  // seconds
  constexpr Index most_waves = 16;
  const double seconds = line * static_cast<double>(lines_of(kernel, kernel.blocks / 2));
  if (seconds * static_cast<double>(kernel.blocks) <= whole_launch) return {};
  const double wave = seconds * residency(device, kernel).blocks * device.sms;
  const auto waves = static_cast<Index>(few_waves / wave);
  const Index windows = waves < 4 ? 3 : 4;  // of two the interval would be wide
  // Traffic may alternate from wave to wave: two of them in a window, if they can be had.
  const Index least = 2 * static_cast<double>(windows) * wave <= least_waves ? 2 : 1;
  const Sampling sampling{.windows = windows,
                          .waves = std::clamp<Index>(waves / windows, least, most_waves),
                          .start = std::clamp<Index>(static_cast<Index>(start / wave), 2, most_waves)};
  // With its end and a lead: where that is nearly all, all of it costs no more.
  const auto most = static_cast<double>(sampling.start + windows * sampling.waves + 2);
  return most * wave >= seconds * static_cast<double>(kernel.blocks) ? Sampling{} : sampling;
}

GpuCounts& GpuCounts::operator+=(const GpuCounts& other) {
  exact += other.exact;
  executed += other.executed;
  sms_with_work = std::max(sms_with_work, other.sms_with_work);
  registers = std::max(registers, other.registers);
  occupancy = std::min(occupancy, other.occupancy);
  using S = Scenario;
  for (const auto quantity :
       {&S::l2_read, &S::l2_read_merged, &S::l2_write, &S::dram_read, &S::dram_write, &S::l1_store_hits, &S::l2_missed,
        &S::l2_read_error, &S::l2_read_merged_error, &S::l2_write_error, &S::dram_read_error, &S::dram_write_error})
    for (std::size_t i = 0; i < scenarios.size(); ++i) scenarios[i].*quantity += other.scenarios[i].*quantity;
  if (other.sampling_error) {
    sampling_error = std::max(sampling_error.value_or(0), *other.sampling_error);
    sampled_share = sampled_share > 0 ? std::min(sampled_share, other.sampled_share) : other.sampled_share;
  }
  note = "several kernels, each with an L2 of its own; the last: " + other.note;
  return *this;
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

double GpuCounts::l2_reads() const {
  const auto apart = over(&Scenario::l2_read);
  return apart.low > 0 ? apart.middle() * std::sqrt(over(&Scenario::l2_read_merged).low / apart.low) : apart.middle();
}

double GpuCounts::predication() const {
  if (exact.instructions == 0) return 0;
  return static_cast<double>(exact.lanes) / static_cast<double>(exact.instructions * warp_lanes);
}

std::map<std::string, double> GpuCounts::profile() const {
  std::map<std::string, double> profile{{"registers", registers}, {"occupancy_theoretical", occupancy}};
  const auto asked = asked_for(exact);
  const auto middle = [&](double Scenario::*quantity) { return over(quantity).middle(); };
  // A load that finds nothing goes on to L2. L1 keeps what is stored to local memory.
  const double found = static_cast<double>(asked.loads) - middle(&Scenario::l2_read) +
                       middle(&Scenario::l1_store_hits) + static_cast<double>(exact.of(Access::local_store).sectors);
  if (asked.sectors() > 0) profile["hit_rate_L1"] = std::max(0.0, found / static_cast<double>(asked.sectors()));
  if (const double all = l2_reads() + middle(&Scenario::l2_write); all > 0)
    profile["hit_rate_L2"] = std::max(0.0, 1 - middle(&Scenario::l2_missed) / all);
  return profile;
}

Counts GpuCounts::counts() const {
  Counts result;
  result.operations = exact.operations;
  const auto asked = asked_for(exact);
  const auto bytes = [](double sectors) { return sectors * sector_bytes; };
  const auto middle = [&](double Scenario::*quantity) { return bytes(over(quantity).middle()); };
  result.at(MemoryLevel::L1) =
      Traffic{bytes(static_cast<double>(asked.loads)), bytes(static_cast<double>(asked.stores))};
  result.at(MemoryLevel::L2) = Traffic{bytes(l2_reads()), middle(&Scenario::l2_write)};
  result.at(MemoryLevel::DRAM) = Traffic{middle(&Scenario::dram_read), middle(&Scenario::dram_write)};
  const auto total = [&](double Scenario::*read, double Scenario::*written) {
    Span range{1e300, 0};
    for (const auto& scenario : scenarios) {
      const double sum = bytes(scenario.*read + scenario.*written);
      range = {std::min(range.low, sum), std::max(range.high, sum)};
    }
    return range;
  };
  auto& l2 = result.range[static_cast<std::size_t>(MemoryLevel::L2)] = total(&Scenario::l2_read, &Scenario::l2_write);
  l2->low = total(&Scenario::l2_read_merged, &Scenario::l2_write).low;
  result.range[static_cast<std::size_t>(MemoryLevel::DRAM)] = total(&Scenario::dram_read, &Scenario::dram_write);
  if (executed != exact.operations) result.executed = executed;
  // Quantities that a GPU's profiler counts exactly, under the profiler's names.
  result.details = {{"flop_count_dp", static_cast<double>(executed.flops())},
                    {"gld_transactions", static_cast<double>(exact.of(Access::global_load).sectors)},
                    {"gst_transactions", static_cast<double>(exact.of(Access::global_store).sectors)},
                    {"gld_sectors_per_request", sectors_per_request(Access::global_load)},
                    {"gst_sectors_per_request", sectors_per_request(Access::global_store)},
                    {"inst_fp_and_memory", static_cast<double>(exact.instructions)},
                    {"predication", predication()},
                    {"blocks_per_sm", static_cast<double>(resident.blocks)}};
  if (sms_with_work < 1) result.details["sms_with_work"] = sms_with_work;
  if (sampling_error) {
    result.details["sampled_share"] = sampled_share;
    result.details["sampling_error"] = *sampling_error;
  }
  result.details.merge(profile());
  result.modelled_device = device;
  result.traffic_note = note;
  return result;
}

GpuCounts count_kernels(const GpuModel& model, const std::vector<GpuKernel>& kernels, double effort) {
  GpuCounts sum;
  for (const auto& kernel : kernels) {
    const auto counts = model.count(kernel, affordable(model.device(), kernel, effort));
    if (sum.scenarios.empty())
      sum = counts;
    else
      sum += counts;
  }
  return sum;
}

GpuCounts GpuModel::count(const GpuKernel& kernel, const Sampling& sampling) const {
  GpuCounts result;
  result.resident = residency(device_, kernel);
  result.registers = kernel.registers;
  result.occupancy = static_cast<double>(result.resident.blocks * kernel.warps()) / device_.warps_per_sm;
  const bool sampled = sampling.windows > 0;
  result.exact = exact_counts(kernel);
  result.sms_with_work = std::min(1.0, static_cast<double>(kernel.blocks) / device_.sms);
  const Meter asked = asked_for(result.exact);
  Index simulated_blocks = 0;
  for (const auto& [schedule, simulated] : both_schedules(
           device_, kernel, sampling, static_cast<double>(asked.sectors()) / static_cast<double>(kernel.blocks))) {
    simulated_blocks = std::max(simulated_blocks, simulated.blocks);
    add_scenarios(simulated, asked, schedule, result.scenarios);
  }
  result.executed = executed_by(device_, result.exact);
  result.device = device_.name;
  result.note = fmt::format("round robin..greedy, clean..dirty L2, {}{} blocks per SM ({})",
                            device_.merges_reads() ? "reads of L2 merged..apart, " : "", result.resident.blocks,
                            result.resident.limit);
  if (sampled) {
    result.sampling_error = largest_error(result.scenarios);
    result.sampled_share = static_cast<double>(simulated_blocks) / static_cast<double>(kernel.blocks);
    result.note +=
        fmt::format(", sampled: start, {} windows and end, {} of {} blocks ({:.2g} %), +-{:.2g} %", sampling.windows,
                    simulated_blocks, kernel.blocks, 100 * result.sampled_share, 100 * *result.sampling_error);
  }
  return result;
}

}  // namespace roofline
