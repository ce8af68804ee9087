
#include "bench/virtual_gpu/execute/stepped_launch.hpp"

#include <stdexcept>

#include "bench/virtual_gpu/execute/races.hpp"

namespace roofline::ptx {

struct SteppedLaunch::State {
  Launch launch;
  ExecutionOptions options;
  SlicedWorker worker;
  std::atomic<bool> cancelled{false};
  std::vector<std::unique_ptr<ThreadBlock>> places;
};

SteppedLaunch::SteppedLaunch(const Launch& launch, GlobalMemory& memory, AccessSink& sink)
    : state_(std::make_unique<State>()) {
  state_->launch = launch;
  SlicedWorker& worker = state_->worker;
  prepare(worker, state_->launch, state_->options, 0);
  worker.memory = &memory;
  worker.cancelled = &state_->cancelled;
  worker.sink = &sink;
}

SteppedLaunch::~SteppedLaunch() = default;

void SteppedLaunch::begin(std::size_t place, uint64_t block) {
  auto& places = state_->places;
  if (places.size() <= place) places.resize(place + 1);
  if (!places[place]) places[place] = std::make_unique<ThreadBlock>(state_->worker, *state_->launch.kernel->program);
  places[place]->start(block);
}

SteppedLaunch::Ran SteppedLaunch::run(std::size_t place, unsigned number) {
  ThreadBlock& block = *state_->places[place];
  Warp& warp = block.warps[number];
  Ran ran;
  if (warp.stop == Stop::blocked) {
    ran.waits = true;
    for (const Warp& other : block.warps)
      if (other.stop == Stop::none || other.stop == Stop::yielded) return ran;
    throw std::runtime_error(block.program->name + ": its warps wait for each other for ever");
  }
  ran.ended = warp.stop == Stop::done;
  if (ran.ended) return ran;
  warp.stop = Stop::none;
  if (warp.active != 0 || warp.reselect()) {
    ran.cost = static_cast<const Slice*>(block.program)->costs[warp.at];
    try {
      warp.run(1);
    } catch (const Fault& fault) {
      throw std::runtime_error(fault.place.kernel + ": " + fault.message);
    }
  }
  ran.ended = warp.stop == Stop::done;
  return ran;
}

}  // namespace roofline::ptx
