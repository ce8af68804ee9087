#include "bench/virtual_gpu/memory/running_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

#include "bench/machine/interrupt.hpp"

namespace roofline {

Residency residency(const Device& device, const GpuKernel& kernel) {
  const unsigned warps = kernel.warps();
  const unsigned per_warp =
      (kernel.registers * warp_lanes + device.register_unit - 1) / device.register_unit * device.register_unit;
  Residency result{device.blocks_per_sm, "blocks"};
  const auto limit = [&](std::uint64_t blocks, std::string_view what) {
    if (blocks < result.blocks) result = {static_cast<unsigned>(blocks), what};
  };
  limit(device.warps_per_sm / warps, "warps");
  limit(device.registers_per_sm / (per_warp * warps), "registers");
  if (kernel.shared > 0) limit(device.shared_options.back() / kernel.shared, "shared memory");
  if (result.blocks == 0)
    throw std::invalid_argument(fmt::format("{}: a block of {} threads does not fit an SM of {} ({})", kernel.name,
                                            kernel.threads, device.name, result.limit));
  return result;
}

SimulatedTraffic simulate(const Device& device, const GpuKernel& kernel, Schedule schedule, const Sampling& sampling,
                          double sectors_per_block) {
  RunningLaunch launch(device, kernel, sampling, sectors_per_block);
  (schedule == Schedule::round_robin ? run_round_robin : run_greedily)(launch);
  return launch.finish();
}

Asked asked_for(std::span<const LineAccess> lines) {
  Asked asked{.lines = lines.size()};
  for (const auto& access : lines)
    (is_store(access.access) ? asked.stores : asked.loads) += static_cast<unsigned>(std::popcount(access.sectors));
  return asked;
}

RunningLaunch::RunningLaunch(const Device& device, const GpuKernel& kernel, const Sampling& sampling,
                             double sectors_per_block)
    : device_(device),
      kernel_(kernel),
      slots_(residency(device, kernel).blocks),
      memory_(device, slots_ * kernel.shared),
      sms_(device.sms),
      sample_(kernel.blocks, Index{slots_} * device.sms, sampling, device.l2.size / sector_bytes, sectors_per_block) {
  constexpr unsigned parts = 4;
  for (unsigned part = 0; part < (kernel.shares_nothing ? parts : 1); ++part) feeds_.push_back(kernel.feed());
  for (auto& sm : sms_) sm.slots.resize(slots_);
  for (unsigned slot = 0; slot < slots_; ++slot)
    for (unsigned sm = 0; sm < device.sms; ++sm) dispatch(sm, slot, 0);
}

void RunningLaunch::dispatch(unsigned sm, unsigned slot, std::uint64_t tick) {
  const auto block = sample_.next(now(), running_);
  if (const Index distance = sample_.jumped(); distance > 0) exchange(distance);
  if (!block) return;
  ++running_;
  sms_[sm].slots[slot] = {*block, kernel_.warps()};
  feed_of(sm).begin(place_of(sm, slot), *block);
  for (unsigned number = 0; number < kernel_.warps(); ++number) {
    sms_[sm].warps.push_back({slot, number});
    sms_[sm].ready.push_back(tick);
  }
}

WarpStep RunningLaunch::step(unsigned sm, ResidentWarp& warp) {
  const auto step = feed_of(sm).step(place_of(sm, warp.slot), warp.number);
  if (!step.waits) ++warp.steps;
  warp.ended = step.ended;
  return step;
}

/// Every resident block makes way for the block that is `distance` further on. The new block's warps have made as many
/// steps, or all their steps if the old ones had ended. Their earlier requests are not simulated.
void RunningLaunch::exchange(Index distance) {
  for (unsigned sm = 0; sm < device_.sms; ++sm) {
    for (unsigned slot = 0; slot < slots_; ++slot) {
      auto& of = sms_[sm].slots[slot];
      if (of.warps > 0) feed_of(sm).begin(place_of(sm, slot), of.block += distance);
    }
    catch_up(sm);
  }
}

void RunningLaunch::catch_up(unsigned number) {
  auto& sm = sms_[number];
  take_back_retired(sm);
  struct Missing {
    std::uint64_t steps;
    bool had_ended;
  };
  std::vector<Missing> missing;
  for (auto& warp : sm.warps) {
    const bool had_ended = std::exchange(warp.ended, false);
    const auto made = std::exchange(warp.steps, 0);
    missing.push_back({had_ended ? std::numeric_limits<std::uint64_t>::max() : made, had_ended});
  }
  // In turns: a warp may have to wait for others of its block.
  for (bool progress = true; progress;) {
    stop_if_interrupted();
    progress = false;
    for (std::size_t w = 0; w < sm.warps.size(); ++w)
      while (missing[w].steps > 0 && !sm.warps[w].ended && !step(number, sm.warps[w]).waits) {
        --missing[w].steps;
        progress = true;
      }
  }
  // One that waits for others now, as it had not to in a shorter block, goes on with them.
  for (std::size_t w = 0; w < sm.warps.size(); ++w)
    if (missing[w].had_ended && !sm.warps[w].ended) sm.ready[w] = sm.busy_until;
}

/// Takes back warps that had ended and been removed, because the new block's warps may have more steps.
void RunningLaunch::take_back_retired(Multiprocessor& sm) const {
  for (unsigned slot = 0; slot < slots_; ++slot)
    for (unsigned number = 0; number < kernel_.warps() && sm.slots[slot].warps > 0; ++number) {
      if (std::any_of(sm.warps.begin(), sm.warps.end(),
                      [&](const ResidentWarp& warp) { return warp.slot == slot && warp.number == number; }))
        continue;
      sm.warps.push_back({slot, number, 0, true});
      sm.ready.push_back(sm.busy_until);
      ++sm.slots[slot].warps;
    }
}

void RunningLaunch::retire(unsigned number, const std::function<void(unsigned)>& free) {
  auto& sm = sms_[number];
  for (std::size_t w = 0; w < sm.warps.size();) {
    if (!sm.warps[w].ended) {
      ++w;
      continue;
    }
    const unsigned slot = sm.warps[w].slot;
    sm.warps.erase(sm.warps.begin() + static_cast<std::ptrdiff_t>(w));
    sm.ready.erase(sm.ready.begin() + static_cast<std::ptrdiff_t>(w));
    if (--sm.slots[slot].warps == 0) {
      --running_;
      free(slot);
    }
  }
}

SimulatedTraffic RunningLaunch::finish() {
  sample_.finish(now());
  return {sample_.start(), sample_.end(), sample_.windows(), now(), sample_.simulated(), asked_.lines};
}

}  // namespace roofline
