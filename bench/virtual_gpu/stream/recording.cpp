#include "bench/virtual_gpu/runtime/recording.hpp"

#include <utility>

#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {

Recording::Recording(bool execute) {
  auto& state = process();
  const std::lock_guard lock(state.mutex);
  state.recording = true, state.recording_executes = execute;
  state.recorded.clear();
}

Recording::~Recording() { take(); }

std::vector<RecordedLaunch> Recording::take() {
  auto& state = process();
  const std::lock_guard lock(state.mutex);
  state.recording = false;
  return std::exchange(state.recorded, {});
}

ptx::GlobalMemory& device_memory() { return *process().memory; }

}  // namespace roofline::runtime
