#include "bench/virtual_gpu/bridge/executed_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>

#include "bench/virtual_gpu/bridge/warp_queue.hpp"
#include "bench/virtual_gpu/execute/stepped_launch.hpp"
#include "bench/virtual_gpu/memory/gpu_kernel.hpp"

namespace roofline {
namespace {

using runtime::RecordedLaunch;

ptx::Launch launch_of(const RecordedLaunch& recorded, const ptx::Kernel* kernel) {
  ptx::Launch launch;
  launch.kernel = kernel;
  launch.grid = recorded.grid;
  launch.block = recorded.block;
  launch.parameters = recorded.parameters.data();
  launch.dynamic_shared = recorded.shared;
  return launch;
}

/// Where an allocation is for the host and on the device.
struct Place {
  std::uint64_t begin = 0, bytes = 0, device = 0;
};
constexpr std::uint64_t unit = 512;  // as cudaMalloc aligns

/// Allocations lie one after another, wherever the host has them, those made last first: the model says the same in
/// every process, and whatever was made before the arrays of the launch.
std::vector<Place> places_of(const ptx::GlobalMemory& memory) {
  auto allocations = memory.allocations();
  std::sort(allocations.begin(), allocations.end(), [](const ptx::Allocation& a, const ptx::Allocation& b) {
    const bool a_made = a.name.empty(), b_made = b.name.empty();  // not a variable of the module
    return a_made != b_made ? a_made : a.serial > b.serial;
  });
  std::vector<Place> places;
  std::uint64_t end = 0;
  for (const auto& a : allocations) {
    places.push_back({a.begin, a.bytes, end});
    end += (a.bytes / unit + 1) * unit;
  }
  return places;
}

/// A phase while its basic block is executed, which does not go through its phases one after another.
struct OpenPhase {
  std::vector<LineAccess> lines;
  std::uint16_t requests = 0;
  bool loads = false;
};

/// Whether what a warp asks for can depend on what others have done before.
bool depends_on_others(const ptx::Slice& slice) { return slice.synchronises || !slice.leaves_out; }

/// Executes the slice of a kernel and turns its accesses into lines of the device's memory.
class ExecutedFeed final : public BlockFeed, ptx::AccessSink {
 public:
  ExecutedFeed(const RecordedLaunch& recorded, ptx::GlobalMemory& memory, std::vector<Place> places, unsigned warps)
      : places_(std::move(places)),
        local_bytes_(recorded.kernel->local_bytes),
        local_base_(places_.empty() ? 0 : places_.back().device + (places_.back().bytes / unit + 1) * unit),
        warps_(warps),
        launch_(launch_of(recorded, recorded.slice), memory, *this),
        blocks_ahead_(depends_on_others(ptx::slice_of(*recorded.slice)) ? 1 : 16) {}

  void begin(std::size_t place, Index block) override {
    launch_.begin(place, static_cast<std::uint64_t>(block));
    if (queues_.size() < (place + 1) * warps_) queues_.resize((place + 1) * warps_);
    for (unsigned warp = 0; warp < warps_; ++warp) queues_[place * warps_ + warp].clear();
  }

  WarpStep step(std::size_t place, unsigned warp) override {
    WarpStep step;
    std::uint16_t requests = 0;
    const auto number = place * warps_ + warp;
    auto& queue = queues_[number];
    queue.forget_sent();
    local_ = local_base_ + number * local_bytes_ * warp_lanes;
    // A step ends where the data of loads is needed; stores go out without waiting, but not for ever.
    constexpr std::size_t many_lines = 512;
    constexpr unsigned many_instructions = 4096;
    bool goes_on = true;
    while (goes_on && queue.sent - queue.first < many_lines && step.instructions < many_instructions) {
      if (queue.empty() && !refill(queue, place, warp)) {
        step.waits = queue.sent == queue.first;
        break;
      }
      const Phase& phase = queue.phases[queue.next++];
      for (; queue.sent < phase.end; ++queue.sent) {
        auto& line = queue.lines[queue.sent];
        line.request = static_cast<std::uint16_t>(line.request + requests);
      }
      requests = static_cast<std::uint16_t>(requests + phase.requests);
      step.instructions += phase.cost.fp64;
      step.divisions += phase.cost.divisions;
      step.ended = phase.ends;
      goes_on = !phase.loads && !phase.ends;
    }
    step.lines = std::span(queue.lines).subspan(queue.first, queue.sent - queue.first);
    return step;
  }

 private:
  /// Executes some more of a warp; false when it waits for others of its block.
  ///
  /// Steps that depend on nothing but the warp itself are done ahead of their time, because a GPU has more warps than a
  /// core has cache for their registers.
  bool refill(WarpQueue& queue, std::size_t place, unsigned warp) {
    constexpr std::size_t enough_lines = 32;
    queue.keep_step();
    for (int left = blocks_ahead_; left > 0 && queue.lines.size() - queue.sent < enough_lines; --left) {
      const auto ran = launch_.run(place, warp);
      if (ran.waits) break;
      close(queue, ran);
      if (queue.phases.back().ends) break;
    }
    return !queue.empty();
  }

  /// Puts the phases of the basic block that ran behind those of the ones before.
  void close(WarpQueue& queue, const ptx::SteppedLaunch::Ran& ran) {
    for (std::size_t n = 0; n < opened_; ++n) {
      auto& open = open_[n];
      queue.lines.insert(queue.lines.end(), open.lines.begin(), open.lines.end());
      queue.phases.push_back({queue.lines.size(), open.requests, open.loads, false, {}});
      open.lines.clear();
      open.requests = 0;
      open.loads = false;
    }
    // One that asks for nothing takes its time all the same, or is the end.
    if (opened_ == 0) queue.phases.push_back({queue.lines.size(), 0, false, ran.ended, {}});
    queue.phases.back().cost = ran.cost;
    opened_ = 0;
  }

  void access(const ptx::TracedAccess& a) override {
    opened_ = std::max(opened_, a.phase + std::size_t{1});
    if (open_.size() < opened_) open_.resize(opened_);
    OpenPhase& phase = open_[a.phase];
    if (a.space == ptx::Space::local)
      access_local(a, phase);
    else
      access_global(a, phase);
    ++phase.requests;
  }

  std::uint64_t device_address(std::uint64_t address) {
    const auto within = [&](const Place& place) { return address - place.begin < place.bytes; };
    if (!within(last_)) {
      const auto found = std::find_if(places_.begin(), places_.end(), within);
      if (found == places_.end()) throw std::runtime_error("an access outside of the device's memory");
      last_ = *found;
    }
    return last_.device + (address - last_.begin);
  }

  void access_global(const ptx::TracedAccess& a, OpenPhase& phase) {
    const auto kind = a.access == ptx::AccessKind::load    ? Access::global_load
                      : a.access == ptx::AccessKind::store ? Access::global_store
                                                           : Access::atomic;
    phase.loads |= kind == Access::global_load;
    const auto first = device_address(a.at[0]);
    if (a.contiguous) {
      coalesce_run(first, std::uint64_t{a.bytes} * warp_lanes, kind, phase.requests, phase.lines);
    } else if (a.uniform) {
      coalesce_run(first, a.bytes, kind, phase.requests, phase.lines);
    } else {
      std::array<std::int64_t, warp_lanes> offsets;
      for (unsigned lane = 0; lane < warp_lanes; ++lane)
        offsets[lane] = static_cast<std::int64_t>(a.at[lane] - a.at[0]);
      coalesce({first, offsets, a.bytes, a.active}, kind, phase.requests, phase.lines);
    }
  }

  /// Words of the lanes lie side by side.
  void access_local(const ptx::TracedAccess& a, OpenPhase& phase) {
    const auto kind = a.access == ptx::AccessKind::load ? Access::local_load : Access::local_store;
    phase.loads |= kind == Access::local_load;
    constexpr unsigned word = 4;
    std::array<std::int64_t, warp_lanes> offsets;
    for (unsigned part = 0; part < a.bytes; part += word) {
      for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const auto within = a.uniform || a.contiguous ? a.at[0] : a.at[lane];
        offsets[lane] = static_cast<std::int64_t>((within + part) * warp_lanes + lane * word);
      }
      coalesce({local_, offsets, word, a.active}, kind, phase.requests, phase.lines);
    }
  }

  std::vector<Place> places_;
  Place last_;
  std::uint64_t local_bytes_, local_base_;
  unsigned warps_;
  ptx::SteppedLaunch launch_;
  int blocks_ahead_;  ///< basic blocks
  std::vector<WarpQueue> queues_;
  std::vector<OpenPhase> open_;  ///< of the basic block that runs
  std::size_t opened_ = 0;
  std::uint64_t local_ = 0;  ///< local memory of the warp that runs
};

RequestCounts requests_of(const ptx::Traffic& traffic) { return {traffic.requests, traffic.sectors, traffic.lanes}; }

/// Whether an instruction is arithmetic on real numbers or a memory access. The share of active lanes is computed over
/// these.
bool is_work(const ptx::InstructionCount& instruction) {
  const auto& text = instruction.text;
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  if (has(".param")) return false;
  const bool arithmetic = has("add.") || has("sub.") || has("mul.") || has("fma.") || has("rcp.") || has("div.");
  return (arithmetic && (has("f64") || has("f32"))) || has("ld.") || has("st.") || has("red.") || has("atom.");
}

/// Counts of arithmetic and memory instructions. Divisions and reciprocals are recognised by their names.
WarpCounts counts_of(const ptx::Execution& execution) {
  WarpCounts counts;
  const auto& all = execution.counts;
  for (const auto& flops : all.flops) counts.operations += {flops.add, flops.mul, flops.fma, 0, 0, 0};
  for (const auto& instruction : execution.instructions) {
    const auto is = [&](const char* op) { return instruction.text.find(op) != std::string::npos; };
    if (is("rcp.")) counts.reciprocals += instruction.lanes;
    if (is("rcp.") || (is("div.") && is(".f"))) counts.operations.div += instruction.lanes;
    if (is("sqrt.")) counts.operations.sqrt += instruction.lanes;
    if (!is_work(instruction)) continue;
    counts.instructions += instruction.warps;
    counts.lanes += instruction.lanes;
  }
  counts.of(Access::global_load) = requests_of(all.global_load);
  counts.of(Access::global_store) = requests_of(all.global_store);
  counts.of(Access::atomic) = requests_of(all.global_atomic);
  counts.of(Access::local_load) = requests_of(all.local_load);
  counts.of(Access::local_store) = requests_of(all.local_store);
  counts.of(Access::shared) = requests_of(all.shared_load);
  counts.of(Access::shared).requests += all.shared_store.requests + all.shared_atomic.requests;
  counts.of(Access::shared).lanes += all.shared_store.lanes + all.shared_atomic.lanes;
  counts.of(Access::shared).sectors = 0;
  counts.of(Access::constant) = requests_of(all.const_load);
  counts.of(Access::constant).sectors = 0;
  return counts;
}

}  // namespace

GpuKernel executed_kernel(const RecordedLaunch& recorded, ptx::GlobalMemory& memory) {
  if (recorded.slice == nullptr || ptx::slice_of(*recorded.slice).untraced)
    throw std::invalid_argument(
        fmt::format("{}: the device model does not know its asynchronous copies or calls", recorded.name));
  const auto volume = [](const std::array<std::uint32_t, 3>& x) { return std::uint64_t{x[0]} * x[1] * x[2]; };
  GpuKernel kernel;
  kernel.name = recorded.name;
  kernel.blocks = static_cast<Index>(volume(recorded.grid));
  kernel.threads = static_cast<unsigned>(volume(recorded.block));
  kernel.registers = recorded.registers;
  kernel.shared = recorded.kernel->shared_bytes + recorded.shared + recorded.reserved;
  kernel.local = recorded.kernel->local_bytes;
  kernel.periods = {1, recorded.grid[0], Index{recorded.grid[0]} * recorded.grid[1]};
  kernel.shares_nothing = ptx::slice_of(*recorded.slice).leaves_out;
  const unsigned warps = kernel.warps();
  kernel.feed = [recorded, &memory, warps, places = places_of(memory)] {
    return std::make_unique<ExecutedFeed>(recorded, memory, places, warps);
  };
  kernel.count = [recorded, &memory](Index first, Index blocks) {
    ptx::ExecutionOptions options;
    options.per_instruction = true;
    options.device.compute_capability = recorded.capability;
    const auto execution = ptx::execute_part(launch_of(recorded, recorded.kernel), static_cast<std::uint64_t>(first),
                                             static_cast<std::uint64_t>(blocks), memory, options);
    if (execution.outcome != ptx::Outcome::ok)
      throw std::runtime_error(fmt::format("{}: {}", recorded.name, execution.message));
    return counts_of(execution);
  };
  return kernel;
}

}  // namespace roofline
