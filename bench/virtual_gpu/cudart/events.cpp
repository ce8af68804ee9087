// Events: moments on the timeline of a stream, or places in a graph that is being captured.
#include <algorithm>

#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

namespace {

template <class Body>
cudaError_t with_event(cudaEvent_t handle, Body&& body) {
  return call([&](Process& state) {
    auto* const event = state.events.find(handle);
    return event ? body(state, *event) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t create(cudaEvent_t* result, unsigned flags) {
  return call([&](Process& state) {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!result || (flags & ~known)) return cudaErrorInvalidValue;
    if (flags & cudaEventInterprocess) return refuse("an event for several processes");
    auto event = std::make_unique<Event>();
    event->flags = flags;
    *result = reinterpret_cast<cudaEvent_t>(state.events.add(std::move(event)));
    return cudaSuccess;
  });
}

cudaError_t record(cudaEvent_t handle, cudaStream_t stream) {
  return call_on(stream, [&](Process& state, Stream& on) {
    auto* const event = state.events.find(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    if (!on.capture) return state.submit(on, RecordWork{event});
    if (on.capture->invalidated) return cudaErrorStreamCaptureInvalidated;
    event->capture = on.capture;
    event->nodes = on.tail;
    return cudaSuccess;
  });
}

/// A stream that waits for a captured event joins the capture.
cudaError_t join(Stream& stream, const Event& event) {
  if (event.capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (stream.capture && stream.capture != event.capture) {
    stream.capture->invalidated = event.capture->invalidated = true;
    return cudaErrorStreamCaptureMerge;
  }
  if (!stream.capture) stream.tail.clear();
  stream.capture = event.capture;
  stream.capture->streams.insert(&stream);
  for (auto* const node : event.nodes)
    if (std::find(stream.tail.begin(), stream.tail.end(), node) == stream.tail.end()) stream.tail.push_back(node);
  return cudaSuccess;
}

/// An event that belongs to a capture has no moment.
bool captured(const Process& state, const Event& event) {
  return event.capture && state.captures.contains(event.capture);
}

}  // namespace

#define ROOFLINE_EVENT(name, ...) ROOFLINE_FOUND(with_event, event, Event& found, name, __VA_ARGS__)

ROOFLINE_CUDA(cudaEventCreate, event) { return create(event, cudaEventDefault); }
ROOFLINE_CUDA(cudaEventCreateWithFlags, event, flags) { return create(event, flags); }

ROOFLINE_CALL(cudaEventDestroy, event) {
  return state.events.remove(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

ROOFLINE_CUDA(cudaEventRecord, event, stream) { return record(event, stream); }

ROOFLINE_EVENT(cudaEventQuery, event) {
  if (captured(state, found)) return cudaErrorCapturedEvent;
  return !found.recorded || state.timeline.asked(found.at) ? cudaSuccess : cudaErrorNotReady;
}

ROOFLINE_EVENT(cudaEventSynchronize, event) {
  if (captured(state, found)) return cudaErrorCapturedEvent;
  if (state.late != cudaSuccess) return state.sticky = std::exchange(state.late, cudaSuccess);
  if (found.recorded) state.timeline.wait(found.at);
  return cudaSuccess;
}

ROOFLINE_CUDA(cudaEventElapsedTime, milliseconds, from, to) {
  return with_event(from, [&](Process& state, Event& first) {
    auto* const second = state.events.find(to);
    if (!milliseconds) return cudaErrorInvalidValue;
    if (!second || !first.recorded || !second->recorded) return cudaErrorInvalidResourceHandle;
    if ((first.flags | second->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
    if (captured(state, first) || captured(state, *second)) return cudaErrorCapturedEvent;
    if (first.at > state.timeline.now() || second->at > state.timeline.now()) return cudaErrorNotReady;
    *milliseconds = static_cast<float>(1e3 * (second->at - first.at));
    return cudaSuccess;
  });
}

ROOFLINE_CALL_ON(cudaStreamWaitEvent, stream, event, flags) {
  auto* const found = state.events.find(event);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (flags & ~unsigned{cudaEventWaitExternal}) return cudaErrorInvalidValue;
  if (flags & cudaEventWaitExternal) return state.submit(on, WaitWork{found});
  if (captured(state, *found)) return join(on, *found);
  if (on.capture) {
    on.capture->invalidated = true;
    return cudaErrorStreamCaptureIsolation;
  }
  return found->recorded ? state.submit(on, WaitWork{found}) : cudaSuccess;
}
