#include "bench/virtual_gpu/stream/call.hpp"

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>

#include "bench/virtual_gpu/runtime/virtual_run.hpp"

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

}  // namespace roofline::runtime
