#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bench/virtual_gpu/execute/launch.hpp"
#include "bench/virtual_gpu/runtime/virtual_device.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"
#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {
namespace {

// Assumed: between launches of empty kernels, and what a kernel behind an event waits longer.
constexpr double launch_seconds = 2e-6, event_seconds = 1e-6;

cudaError_t error_of(ptx::Outcome outcome) {
  constexpr cudaError_t errors[] = {cudaSuccess,
                                    cudaErrorNotSupported,
                                    cudaErrorInvalidConfiguration,
                                    cudaErrorIllegalAddress,
                                    cudaErrorMisalignedAddress,
                                    cudaErrorIllegalInstruction,
                                    cudaErrorAssert,
                                    cudaErrorLaunchFailure,
                                    cudaErrorLaunchTimeout};
  return errors[static_cast<int>(outcome)];
}

/// The least time that issue, arithmetic and the L2 allow; the virtual clock moves by it.
double bound_of(const VirtualDevice& device, double clock, const ptx::Counts& counts) {
  const double cycles = clock * device.sms;
  // A lane does one operation in a cycle, fused or not.
  const auto operations = [&](ptx::Precision precision) {
    const auto& flops = counts.of(precision);
    return static_cast<double>(flops.add + flops.mul + flops.fma + flops.special);
  };
  const double sectors =
      static_cast<double>(counts.global_load.sectors + counts.global_store.sectors + counts.global_atomic.sectors +
                          counts.local_load.sectors + counts.local_store.sectors);
  constexpr double issue_per_cycle = 4, sector = 32;
  return std::max({static_cast<double>(counts.warp_instructions) / issue_per_cycle / cycles,
                   operations(ptx::Precision::fp64) / device.fp64_lanes / cycles,
                   operations(ptx::Precision::fp32) / device.fp32_lanes / cycles,
                   sectors * sector / device.bandwidth(MemoryLevel::L2)});
}

ptx::ExecutionOptions options_of(const Process& process, double clock) {
  ptx::ExecutionOptions options;
  const auto& settings = process.settings;
  options.checks = {settings.check_memory, settings.check_race, settings.check_init, settings.check_barrier};
  options.device = {process.device.sms, process.device.capability, clock};
  options.host_threads = settings.host_threads;
  if (settings.instruction_limit) options.instruction_limit = settings.instruction_limit;
  return options;
}

void add_findings(KernelStatistics& statistics, const std::vector<ptx::Finding>& findings) {
  for (const auto& finding : findings) {
    const auto same = [&](const ptx::Finding& known) {
      return known.kind == finding.kind && known.place.ptx_line == finding.place.ptx_line;
    };
    auto& all = statistics.findings;
    if (const auto known = std::find_if(all.begin(), all.end(), same); known != all.end())
      known->times += finding.times;
    else
      all.push_back(finding);
  }
}

void refuse_once(Function& function) {
  if (std::exchange(function.refusal_told, true)) return;
  const auto& first = function.kernel->unsupported.front();
  tell(fmt::format("{} is not launched: PTX line {}: unknown instruction '{}'{}", readable(function.name), first.line,
                   first.instruction,
                   function.kernel->unsupported.size() > 1
                       ? fmt::format(" and {} more", function.kernel->unsupported.size() - 1)
                       : ""));
}

RecordedLaunch recorded_launch(Process& process, const KernelWork& work) {
  const auto& function = *work.function;
  return {.name = readable(function.name),
          .kernel = function.kernel,
          .slice = process.images.slice(*work.function),
          .grid = {work.grid.x, work.grid.y, work.grid.z},
          .block = {work.block.x, work.block.y, work.block.z},
          .parameters = work.parameters,
          .shared = work.shared,
          .registers = function.registers(),
          .capability = process.device.capability,
          .reserved = static_cast<unsigned>(process.device.shared_reserved)};
}

}  // namespace

cudaError_t check_launch(Process& process, const KernelWork& work) {
  auto& function = *work.function;
  const auto& kernel = *function.kernel;
  constexpr unsigned most_threads = 1024, most_z = 64, most_blocks_yz = 65535, most_blocks_x = 0x7fffffff;
  const auto threads = std::uint64_t{work.block.x} * work.block.y * work.block.z;
  if (threads == 0 || threads > most_threads || work.block.z > most_z || work.block.x > most_threads ||
      work.block.y > most_threads)
    return cudaErrorInvalidConfiguration;
  if (work.grid.x == 0 || work.grid.y == 0 || work.grid.z == 0 || work.grid.x > most_blocks_x ||
      work.grid.y > most_blocks_yz || work.grid.z > most_blocks_yz)
    return cudaErrorInvalidConfiguration;
  if (kernel.max_threads && threads > kernel.max_threads) return cudaErrorInvalidConfiguration;
  const auto dynamic_limit = static_cast<std::size_t>(function.dynamic_shared_limit);
  if (work.shared > dynamic_limit || kernel.shared_bytes + work.shared > process.device.shared_per_block_optin ||
      (function.dynamic_shared_limit <= 48 << 10 && kernel.shared_bytes + work.shared > 48 << 10))
    return cudaErrorInvalidValue;
  const auto resident = resident_blocks(
      process.device, {static_cast<unsigned>(threads), function.compiled.registers, kernel.shared_bytes + work.shared});
  if (resident == 0) return cudaErrorLaunchOutOfResources;
  if (work.cooperative &&
      std::uint64_t{work.grid.x} * work.grid.y * work.grid.z > std::uint64_t{resident} * process.device.sms)
    return cudaErrorCooperativeLaunchTooLarge;
  if (!kernel.unsupported.empty()) {
    refuse_once(function);
    return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

cudaError_t perform(Process& process, Stream& stream, const KernelWork& work) {
  auto& function = *work.function;
  if (process.recording) {
    process.recorded.push_back(recorded_launch(process, work));
    if (!process.recording_executes) return cudaSuccess;
  }
  auto& statistics = process.statistics.of(function.name);
  ++statistics.launches;
  statistics.registers = function.registers();
  statistics.compiled = function.compiled.registers != 0;
  if (const auto fault = process.settings.faults.next(Site::launch, statistics.name)) {
    const auto error = error_of(*fault);
    if (!is_sticky(error)) return error;
    statistics.failure = fmt::format("{}: planned fault: {}", statistics.name, error_name(error));
    process.late = error;
    return cudaSuccess;
  }
  ptx::Launch launch;
  launch.kernel = function.kernel;
  launch.grid = {work.grid.x, work.grid.y, work.grid.z};
  launch.block = {work.block.x, work.block.y, work.block.z};
  launch.parameters = work.parameters.data();
  launch.dynamic_shared = work.shared;
  launch.cooperative = work.cooperative;
  const double clock = process.clock(stream);
  const auto execution = ptx::execute(launch, *process.memory, options_of(process, clock));
  statistics.counts += execution.counts;
  add_findings(statistics, execution.findings);
  const auto seconds = bound_of(process.device, clock, execution.counts);
  const bool behind_event = std::exchange(stream.behind_event, false);
  process.advance(stream, Timeline::Engine::compute, launch_seconds + (behind_event ? event_seconds : 0) + seconds);
  if (execution.outcome == ptx::Outcome::ok) return cudaSuccess;
  tell(fmt::format("{}: {}", statistics.name, execution.message));
  statistics.failure = execution.message;
  const auto error = error_of(execution.outcome);
  if (!is_sticky(error)) return error;
  process.late = error;
  return cudaSuccess;
}

}  // namespace roofline::runtime
