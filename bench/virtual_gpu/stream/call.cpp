#include "bench/virtual_gpu/stream/call.hpp"

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/virtual_gpu/runtime/recording.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {
namespace {

std::atomic<bool> virtual_device_selected{false};

}  // namespace

cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

bool ready(Process& process) {
  if (process.started()) return true;
  static bool failed = false;
  if (failed) return false;
  try {
    process.start(settings_from_environment());
  } catch (const std::exception& error) {
    tell(error.what());
    failed = true;
  }
  return !failed;
}

cudaError_t refuse(const char* function) {
  static auto& told = *new std::set<std::string>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (told.insert(function).second) tell(std::string(function) + " is not supported");
  return note(cudaErrorNotSupported);
}

bool selected() { return virtual_device_selected.load(std::memory_order_relaxed); }

bool untimed() { return selected() && !process().settings.clocked; }

void select(Settings settings) {
  process().start(std::move(settings));
  virtual_device_selected = true;
}

Scope::Scope(const std::string& device) {
  auto& state = process();
  if (selected()) {
    if (state.settings.device == device) return;
    throw std::invalid_argument("the virtual " + state.settings.device + " is in use: not the " + device + " as well");
  }
  if (!state.started() || state.settings.device != device) {
    Settings settings;
    settings.device = device;
    state.start(std::move(settings));
  }
  virtual_device_selected = selected_here_ = true;
}

Scope::Scope(Settings settings) {
  if (selected()) throw std::invalid_argument("a virtual GPU is in use already");
  process().start(std::move(settings));
  virtual_device_selected = selected_here_ = true;
}

Scope::~Scope() {
  if (selected_here_) virtual_device_selected = false;
}

bool can_run_virtually() { return true; }

ptx::Counts executed() {
  ptx::Counts sum;
  for (const auto& kernel : process().statistics.kernels()) sum += kernel.counts;
  return sum;
}

const VirtualDevice& selected_device() { return process().device; }

std::vector<std::string> findings() {
  std::vector<std::string> lines;
  for (const auto& kernel : process().statistics.kernels())
    for (const auto& finding : kernel.findings) lines.push_back(ptx::describe(finding));
  return lines;
}

Recording::Recording(bool execute) {
  auto& state = process();
  const std::lock_guard lock(state.mutex);
  state.recording = true;
  state.recording_executes = execute;
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
