#pragma once
#include <cuda_runtime_api.h>

#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "bench/machine/interrupt.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {

/// The result of cudaGetLastError in this thread.
cudaError_t& last_error();

/// Keeps an error for cudaGetLastError and hands it on.
inline cudaError_t note(cudaError_t error) {
  if (error != cudaSuccess) last_error() = error;
  return error;
}

/// Stores an answer where the caller wants it.
template <class T, class Value>
cudaError_t give(T* where, const Value& value) {
  return where ? (*where = value, cudaSuccess) : cudaErrorInvalidValue;
}

/// Starts the device from the environment if nothing did so yet. False, with one line on stderr, when that fails.
bool ready(Process& process);

/// Runs the body of an entry point that does not touch the device: it also works after a sticky error.
template <class Body>
cudaError_t query(Body&& body) {
  auto& state = process();
  const std::lock_guard lock(state.mutex);
  if (!ready(state)) return note(cudaErrorInitializationError);
  try {
    return note(body(state));
  } catch (const Interrupted&) {
    throw;  // no error of the device: whoever called is to end, too
  } catch (const std::bad_alloc&) {
    return note(cudaErrorMemoryAllocation);
  } catch (const std::exception& error) {
    tell(error.what());
    return note(cudaErrorUnknown);
  }
}

/// Runs the body of an entry point that uses the device: under the lock, not after a sticky error.
template <class Body>
cudaError_t call(Body&& body) {
  return query([&](Process& state) {
    state.timeline.call();
    if (state.late != cudaSuccess) state.sticky = std::exchange(state.late, cudaSuccess);
    if (state.sticky != cudaSuccess) return state.sticky;
    return body(state);
  });
}

/// The same with the stream of a handle, or cudaErrorInvalidResourceHandle.
template <class Body>
cudaError_t call_on(cudaStream_t handle, Body&& body) {
  return call([&](Process& state) {
    auto* const stream = state.stream(handle);
    return stream ? body(state, *stream) : cudaErrorInvalidResourceHandle;
  });
}

/// Says once per function on stderr that the virtual GPU does not have it.
cudaError_t refuse(const char* function);

}  // namespace roofline::runtime
